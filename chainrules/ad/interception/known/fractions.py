"""Fractions, which have no derivative."""

import fractions

from chainrules.ad.values.facts import fact

fact(fractions.Fraction, reads_numbers=True, converts_to="a fraction")
