"""Rules for hypergeometric functions.

By the variable, a derivative is a function with all parameters one higher::

    d/dz 0F1(v; z)       = 0F1(v + 1; z) / v
    d/dz 1F1(a; b; z)    = a/b 1F1(a + 1; b + 1; z)
    d/dx U(a, b, x)      = -a U(a + 1, b + 1, x)
    d/dz 2F1(a, b; c; z) = a b/c 2F1(a + 1, b + 1; c + 1; z)

https://dlmf.nist.gov/16.3, https://dlmf.nist.gov/13.3, https://dlmf.nist.gov/15.5. By the parameters there is
no formula in SciPy's functions: the functions are analytic in them, but for poles where a lower one is 0, -1,
-2, ..., and `derivative_by_parameter` differentiates them. These derivatives have an error of about 1e-13 of
the function, and where SciPy's own error is larger, 60 times that one; more beside a pole.
"""

from typing import Any

from scipy.special import hyp0f1, hyp1f1, hyp2f1, hyperu

from chainrules.formulas.parameter_derivatives import derivative_by_parameter, radius_beside_poles
from chainrules.makers.separate_partials import separate_partials_rule


def _limit_by_v(y: Any, v: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda v: hyp0f1(v, z), v, radius_beside_poles(v))


separate_partials_rule(hyp0f1, _limit_by_v, lambda y, v, z: hyp0f1(v + 1.0, z) / v, orders=(0,))


def _confluent_by_a(y: Any, a: Any, b: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda a: hyp1f1(a, b, z), a)


def _confluent_by_b(y: Any, a: Any, b: Any, z: Any) -> Any:
    return derivative_by_parameter(lambda b: hyp1f1(a, b, z), b, radius_beside_poles(b))


separate_partials_rule(
    hyp1f1,
    _confluent_by_a,
    _confluent_by_b,
    lambda y, a, b, z: a / b * hyp1f1(a + 1.0, b + 1.0, z),
    orders=(0, 1),
)


def _second_confluent_by_a(y: Any, a: Any, b: Any, x: Any) -> Any:
    return derivative_by_parameter(lambda a: hyperu(a, b, x), a)


def _second_confluent_by_b(y: Any, a: Any, b: Any, x: Any) -> Any:
    return derivative_by_parameter(lambda b: hyperu(a, b, x), b)


separate_partials_rule(
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


separate_partials_rule(
    hyp2f1,
    _gauss_by_a,
    _gauss_by_b,
    _gauss_by_c,
    lambda y, a, b, c, z: a * b / c * hyp2f1(a + 1.0, b + 1.0, c + 1.0, z),
    orders=(0, 1, 2),
)
