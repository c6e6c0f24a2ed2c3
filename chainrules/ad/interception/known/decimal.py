"""Decimal numbers, which have no derivative."""

import decimal

from chainrules.ad.values.facts import fact

fact(decimal.Decimal, decimal.Decimal.from_float, reads_numbers=True, converts_to="a decimal number")
