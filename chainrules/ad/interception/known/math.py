"""Functions that make one number of all items, whose rules are for lists, and those that call a method."""

import math

from chainrules.ad.interception.choosing.composing import listing
from chainrules.ad.values.facts import fact

fact(math.fsum, math.prod, wrapped=listing)
fact(math.floor, method="__floor__")
fact(math.ceil, method="__ceil__")
fact(math.trunc, method="__trunc__")
