"""Functions that make one number of all items: their rules are for lists."""

import math

from chainrules.ad.interception.choosing.composing import listing
from chainrules.ad.values.facts import fact

fact(math.fsum, math.prod, wrapped=listing)
