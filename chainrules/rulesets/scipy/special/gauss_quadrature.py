"""Rules for the points and weights of Gaussian quadrature.

They are analytic in the exponents of the weight function, and `derivative_by_parameter` differentiates them:
their errors are about 1e-13 of the points and weights. Those that depend on an integer degree alone have no
derivative.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import (
    roots_chebyc,
    roots_chebys,
    roots_chebyt,
    roots_chebyu,
    roots_gegenbauer,
    roots_genlaguerre,
    roots_hermite,
    roots_hermitenorm,
    roots_jacobi,
    roots_laguerre,
    roots_legendre,
    roots_sh_chebyt,
    roots_sh_chebyu,
    roots_sh_jacobi,
    roots_sh_legendre,
)

from chainrules.formulas.special_functions.parameter_derivatives import (
    derivative_by_parameter,
    radius_beside_poles,
)
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import non_differentiable, not_implemented, primitive

non_differentiable(roots_chebyc)
non_differentiable(roots_chebys)
non_differentiable(roots_chebyt)
non_differentiable(roots_chebyu)
non_differentiable(roots_hermite)
non_differentiable(roots_hermitenorm)
non_differentiable(roots_laguerre)
non_differentiable(roots_legendre)
non_differentiable(roots_sh_chebyt)
non_differentiable(roots_sh_chebyu)
non_differentiable(roots_sh_legendre)


# The place of the degree.
_DEGREE = (0,)


def _by_degree(y: Any, *_: Any, **__: Any) -> Any:
    return (not_implemented("the degree of a quadrature rule is an integer"),) * len(y)


def _by_one(primal: Callable[..., Any], margin: float) -> Callable[..., Any]:
    """The derivative by the only exponent, which is greater than the negative `margin`."""
    roots = primitive(primal)

    def partial(y: Any, n: Any, alpha: Any, mu: Any = False) -> Any:
        return _derivatives(lambda a: roots(n, a, mu), alpha, radius_beside_poles(alpha + margin), y)

    return partial


def _derivatives(roots: Callable[[Any], Any], a: Any, radius: Any, y: Any) -> Any:
    """Those of the points, the weights, and the sum of the weights where it is returned."""
    points, *_ = y
    n = np.shape(points)[0]
    slopes = derivative_by_parameter(lambda a: _joined(roots(a)), a, radius)
    return slopes[:n], slopes[n : 2 * n], *slopes[2 * n :]


def _joined(results: Any) -> Any:
    points, weights, *total = results
    return np.concatenate([points, weights, *(np.reshape(mu, (1,)) for mu in total)])


lazy_scalar_rule(roots_genlaguerre, _by_degree, _by_one(roots_genlaguerre, 1.0), orders=_DEGREE)
lazy_scalar_rule(roots_gegenbauer, _by_degree, _by_one(roots_gegenbauer, 0.5), orders=_DEGREE)

_jacobi, _shifted_jacobi = primitive(roots_jacobi), primitive(roots_sh_jacobi)


def _jacobi_by_alpha(y: Any, n: Any, alpha: Any, beta: Any, mu: Any = False) -> Any:
    return _derivatives(lambda a: _jacobi(n, a, beta, mu), alpha, radius_beside_poles(alpha + 1.0), y)


def _jacobi_by_beta(y: Any, n: Any, alpha: Any, beta: Any, mu: Any = False) -> Any:
    return _derivatives(lambda b: _jacobi(n, alpha, b, mu), beta, radius_beside_poles(beta + 1.0), y)


lazy_scalar_rule(roots_jacobi, _by_degree, _jacobi_by_alpha, _jacobi_by_beta, orders=_DEGREE)


def _shifted_by_p(y: Any, n: Any, p1: Any, q1: Any, mu: Any = False) -> Any:
    return _derivatives(lambda p: _shifted_jacobi(n, p, q1, mu), p1, radius_beside_poles(p1 - q1 + 1.0), y)


def _shifted_by_q(y: Any, n: Any, p1: Any, q1: Any, mu: Any = False) -> Any:
    radius = radius_beside_poles(p1 - q1 + 1.0, q1)
    return _derivatives(lambda q: _shifted_jacobi(n, p1, q, mu), q1, radius, y)


lazy_scalar_rule(roots_sh_jacobi, _by_degree, _shifted_by_p, _shifted_by_q, orders=_DEGREE)
