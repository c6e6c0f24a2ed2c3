"""Bytes, which have no derivative."""

import struct

from chainrules.ad.values.facts import fact

fact(struct.pack, reads_numbers=True, converts_to="bytes")
