"""Rules for exponential integrals, and for sine and cosine integrals.

``E₁'(z) = -e^-z / z``, ``Ei'(z) = e^z / z``, ``Eₙ'(x) = -E_{n-1}(x)``, where ``E₋₁ = (e^-x + E₀) / x``:
https://dlmf.nist.gov/6.2, https://dlmf.nist.gov/8.19. ``Si' = sin z / z`` and ``Shi' = sinh z / z`` are 1 at
0; ``Ci' = cos z / z`` and ``Chi' = cosh z / z`` are infinite there. An integer order has no tangent.
"""

from typing import Any

import numpy as np
from scipy.special import exp1, expi, expn, shichi, sici

from chainrules.formulas.special_functions.quotients_of_sines import hyperbolic_sine_quotient, sine_quotient
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules.values.quotients import inverse
from chainrules_core import may_hold, not_implemented, primal_of, scalar_rule, without_warnings

scalar_rule(exp1, lambda y, z: -np.exp(-z) * inverse(z))
scalar_rule(expi, lambda y, z: np.exp(z) * inverse(z))


def _lower_order(y: Any, n: Any, x: Any) -> Any:
    """``E_{n-1}``."""
    n = np.trunc(primal_of(n))  # as SciPy does
    is_first = n == 0
    if not may_hold(is_first):
        return expn(n - 1, x)
    return np.where(is_first, (np.exp(-x) + y) / x, expn(np.maximum(n - 1, 0), x))


lazy_scalar_rule(
    expn,
    lambda y, n, x: not_implemented("SciPy's exponential integrals are those of integer orders"),
    lambda y, n, x: -_lower_order(y, n, x),
    orders=(0,),
)


@scalar_rule(sici)
@without_warnings
def _(y: Any, z: Any) -> Any:
    return (sine_quotient(z),), (np.cos(z) / z,)


@scalar_rule(shichi)
@without_warnings
def _(y: Any, z: Any) -> Any:
    return (hyperbolic_sine_quotient(z),), (np.cosh(z) / z,)
