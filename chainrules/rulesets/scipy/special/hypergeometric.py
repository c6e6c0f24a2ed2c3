"""Rules for hypergeometric functions.

By the variable, a derivative is a function with all parameters one higher::

    d/dz 0F1(v; z)       = 0F1(v + 1; z) / v
    d/dz 1F1(a; b; z)    = a/b 1F1(a + 1; b + 1; z)
    d/dx U(a, b, x)      = -a U(a + 1, b + 1, x)
    d/dz 2F1(a, b; c; z) = a b/c 2F1(a + 1, b + 1; c + 1; z)

https://dlmf.nist.gov/16.3, https://dlmf.nist.gov/13.3, https://dlmf.nist.gov/15.5. By the parameters there is
no formula in SciPy's functions: the functions are analytic in them, but for poles where a lower one is 0, -1,
-2, ..., and `derivative_by_parameter` differentiates them. These derivatives have an error of about 1e-13 of
the function, and where SciPy's own error is larger, 60 times that one; more beside a pole. Those of U, which
SciPy has to eight digits here and there, are integrals where ``a >= 1/50`` and ``x > 0``: see
`chainrules.operations.confluent`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import hyp0f1, hyp1f1, hyp2f1, hyperu

from chainrules.formulas.special_functions.parameter_derivatives import (
    derivative_by_parameter,
    radius_beside_poles,
)
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules.operations.confluent import confluent_integral, has_confluent_integral
from chainrules.operations.polygamma import polygamma
from chainrules_core import primal_of


def _limit_by_v(y: Any, v: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda v: hyp0f1(v, z), v, radius_beside_poles(v))


lazy_scalar_rule(hyp0f1, _limit_by_v, lambda y, v, z: hyp0f1(v + 1.0, z) / v, orders=(0,))


def _confluent_by_a(y: Any, a: Any, b: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda a: hyp1f1(a, b, z), a)


def _confluent_by_b(y: Any, a: Any, b: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda b: hyp1f1(a, b, z), b, radius_beside_poles(b))


lazy_scalar_rule(
    hyp1f1,
    _confluent_by_a,
    _confluent_by_b,
    lambda y, a, b, z: a / b * hyp1f1(a + 1.0, b + 1.0, z),
    orders=(0, 1),
)


def _second_confluent_by_a(y: Any, a: Any, b: Any, x: Any) -> Any:
    def by_integral() -> Any:
        U, by_b = confluent_integral(0, 0, a, b, x), confluent_integral(0, 1, a, b, x)
        return confluent_integral(1, 0, a, b, x) - by_b - polygamma(0, a) * U

    def by_values() -> Any:
        return derivative_by_parameter(lambda a: hyperu(a, b, x), a)

    return _where_integral((a, b, x), by_integral, by_values)


def _second_confluent_by_b(y: Any, a: Any, b: Any, x: Any) -> Any:
    def by_values() -> Any:
        return derivative_by_parameter(lambda b: hyperu(a, b, x), b)

    return _where_integral((a, b, x), lambda: confluent_integral(0, 1, a, b, x), by_values)


def _where_integral(values: Any, by_integral: Callable[[], Any], by_values: Callable[[], Any]) -> Any:
    """What the integral says where there is one, and elsewhere what SciPy's values tell."""
    has_integral = has_confluent_integral(*map(primal_of, values))
    if np.all(has_integral):
        return by_integral()
    return np.where(has_integral, by_integral(), by_values())


lazy_scalar_rule(
    hyperu,
    _second_confluent_by_a,
    _second_confluent_by_b,
    lambda y, a, b, x: -a * hyperu(a + 1.0, b + 1.0, x),
    orders=(0, 1),
)


def _gauss_by_a(y: Any, a: Any, b: Any, c: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda a: hyp2f1(a, b, c, z), a)


def _gauss_by_b(y: Any, a: Any, b: Any, c: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda b: hyp2f1(a, b, c, z), b)


def _gauss_by_c(y: Any, a: Any, b: Any, c: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda c: hyp2f1(a, b, c, z), c, radius_beside_poles(c))


lazy_scalar_rule(
    hyp2f1,
    _gauss_by_a,
    _gauss_by_b,
    _gauss_by_c,
    lambda y, a, b, c, z: a * b / c * hyp2f1(a + 1.0, b + 1.0, c + 1.0, z),
    orders=(0, 1, 2),
)
