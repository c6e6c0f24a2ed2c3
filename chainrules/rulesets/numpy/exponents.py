"""Rules for exponents and logarithms."""

from math import log

import numpy as np

from chainrules.makers.elementwise import binary_rule
from chainrules.values.quotients import inverse
from chainrules_core import contains_nan, primal_of, scalar_rule

scalar_rule(np.exp, lambda y, _: y)
scalar_rule(np.exp2, lambda y, _: log(2) * y)
scalar_rule(np.expm1, lambda _, x: np.exp(x))  # not y + 1, which is 0 long before the slope is
scalar_rule(np.log, lambda _, x: inverse(x))
scalar_rule(np.log2, lambda _, x: inverse(x) / log(2))
scalar_rule(np.log10, lambda _, x: inverse(x) / log(10))
scalar_rule(np.log1p, lambda _, x: inverse(1.0 + x))

# --- Sums of exponentials ----------------------------------------------------------------------------------
#
# The derivative of log(exp x + exp y) by x is the share of exp x in the sum, 1 / (1 + exp(y - x)), where the
# difference is cut before its exponential is infinite.


def _excess(x, y, largest: float):
    """``y - x``, but 0 for two infinities that are equal: each has one half of the sum."""
    difference = y - x
    if contains_nan(primal_of(difference)):
        is_indefinite = np.isinf(primal_of(x)) & np.equal(primal_of(x), primal_of(y))
        difference = np.where(is_indefinite, 0, difference)
    return np.minimum(difference, largest)


def _share_of_first(x, y):
    return 1.0 / (1.0 + np.exp(_excess(x, y, 709.0)))


def _binary_share(x, y):
    return 1.0 / (1.0 + np.exp2(_excess(x, y, 1023.0)))


binary_rule(np.logaddexp, lambda _, x, y: _share_of_first(x, y), lambda _, x, y: _share_of_first(y, x))
binary_rule(np.logaddexp2, lambda _, x, y: _binary_share(x, y), lambda _, x, y: _binary_share(y, x))
