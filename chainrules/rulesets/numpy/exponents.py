"""Rules for exponents and logarithms."""

from math import log
from typing import Any

import numpy as np

from chainrules.elementwise import binary_rule, inverse
from chainrules_core import primal_of, scalar_rule

scalar_rule(np.exp, lambda y, _: y)
scalar_rule(np.exp2, lambda y, _: log(2) * y)
scalar_rule(np.expm1, lambda _, x: np.exp(x))  # not y + 1, which is 0 long before the slope is
scalar_rule(np.log, lambda _, x: inverse(x))
scalar_rule(np.log2, lambda _, x: inverse(log(2) * x))
scalar_rule(np.log10, lambda _, x: inverse(log(10) * x))
scalar_rule(np.log1p, lambda _, x: inverse(1 + x))

# --- Sums of exponentials ----------------------------------------------------------------------------------
#
# For z = log(exp(x) + exp(y)) the slopes are the shares exp(x - z) and exp(y - z). Of two infinities that are
# equal each has one half.


def _logarithm_of_share(z: Any, x: Any, y: Any, half: float) -> Any:
    is_indefinite = np.isinf(primal_of(z)) & np.equal(primal_of(x), primal_of(z))
    limit = np.multiply(np.equal(primal_of(x), primal_of(y)), half, dtype=z.dtype)
    return np.where(is_indefinite, limit, x - np.where(is_indefinite, 0, z))


def _share(z: Any, x: Any, y: Any) -> Any:
    return np.exp(_logarithm_of_share(z, x, y, -log(2)))


def _binary_share(z: Any, x: Any, y: Any) -> Any:
    return np.exp2(_logarithm_of_share(z, x, y, -1.0))


binary_rule(np.logaddexp, _share, lambda z, x, y: _share(z, y, x))
binary_rule(np.logaddexp2, _binary_share, lambda z, x, y: _binary_share(z, y, x))
