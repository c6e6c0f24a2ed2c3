"""Rules for the values of orthogonal polynomials.

By the variable, a derivative is a polynomial one degree lower, of the same family or a related one::

    P_n'  = (n + 1)/2 P_{n-1}^(1, 1)        P_n^(α, β)' = (n + α + β + 1)/2 P_{n-1}^(α+1, β+1)
    T_n'  = n U_{n-1}                       C_n^(α)'    = 2 α C_{n-1}^(α+1)
    U_n'  = 2 C_{n-1}^(2)                   L_n^(α)'    = -L_{n-1}^(α+1)
    H_n'  = 2 n H_{n-1}                     He_n'       = n He_{n-1}

https://dlmf.nist.gov/18.9. None of them divides by ``1 - x²``. The families ``C_n(x) = 2 T_n(x/2)`` and
``S_n(x) = U_n(x/2)``, and those shifted by ``2 x - 1``, follow. By a degree that is not an integer, and by
the parameters α, β, p and q, `derivative_by_parameter` differentiates them: SciPy's functions are analytic in
these, but for poles of the gamma functions in their first factors. These derivatives have an error of about
1e-13 of the function, and where SciPy's own error is larger, 60 times that one. Chebyshev's polynomials have
closed forms inside ``(-1, 1)`` instead. An integer degree has no tangent.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import (
    assoc_laguerre,
    binom,
    eval_chebyc,
    eval_chebys,
    eval_chebyt,
    eval_chebyu,
    eval_gegenbauer,
    eval_genlaguerre,
    eval_hermite,
    eval_hermitenorm,
    eval_jacobi,
    eval_laguerre,
    eval_legendre,
    eval_sh_chebyt,
    eval_sh_chebyu,
    eval_sh_jacobi,
    eval_sh_legendre,
)

from chainrules.formulas.special_functions.parameter_derivatives import (
    derivative_by_parameter,
    radius_beside_poles,
)
from chainrules.makers.lazy_partials import is_integer, lazy_scalar_rule
from chainrules_core import NO_TANGENT, may_hold, primal_of, scalar_rule

# The place of the degree.
_DEGREE = (0,)

# From here on arguments are near 1, where the angle changes fast.
_NEAR_ONE = 0.99


def _lower(n: Any) -> Any:
    """The degree of the derivative; of a constant, 0 if it is an integer, which may have no sign."""
    return np.where(primal_of(n) == 0, 0, n - 1) if is_integer(n) else n - 1.0


def _unless_constant(n: Any, slope: Any) -> Any:
    """The derivative, which is 0 for a constant.

    SciPy knows that of real degrees too, but for arguments where a factor of it is infinite. It is left as it
    is, since it has a derivative by the degree.
    """
    is_constant = primal_of(n) == 0
    if not is_integer(n):
        is_constant = is_constant & ~np.isfinite(primal_of(slope))
    return np.where(is_constant, 0.0, slope) if may_hold(is_constant) else slope


# --- Families without a parameter ---------------------------------------------------------------------------


def _without_parameter(
    primal: np.ufunc, by_x: Callable[[Any, Any], Any], by_n: Callable[[Any, Any], Any] | None = None
) -> None:
    def numerically(n: Any, x: Any) -> Any:
        return derivative_by_parameter(lambda n: primal(n, x), n)

    differentiate = by_n or numerically
    lazy_scalar_rule(primal, lambda y, n, x: differentiate(n, x), lambda y, n, x: by_x(n, x), orders=_DEGREE)


def _legendre_by_x(n: Any, x: Any) -> Any:
    n = np.where(primal_of(n) < -0.5, -1 - n, n)  # the polynomials of both degrees are the same
    return _unless_constant(n, 0.5 * (n + 1) * eval_jacobi(_lower(n), 1.0, 1.0, x))


def _first_kind_by_x(n: Any, x: Any) -> Any:
    return n * eval_chebyu(_lower(n), x)


def _second_kind_by_x(n: Any, x: Any) -> Any:
    is_negative = primal_of(n) < -1  # of these degrees it is U_{-n-2}, negative
    degree = np.where(is_negative, -n - 2, n)
    return np.where(is_negative, -1.0, 1.0) * _gegenbauer_by_x(degree, 1.0, x)


def _by_angle(primal: np.ufunc, of_angle: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The derivative by the degree, from that as a function of the angle ``θ = arccos x`` inside ``(-1, 1)``.

    Near 1, where the angle has no derivative, and beyond it is computed numerically: SciPy's values are more
    precise there. Inside they lose a digit for each three degrees or so.
    """

    def by_n(n: Any, x: Any) -> Any:
        real = np.real(primal_of(x))
        is_inside = (real >= -1.0) & (real < _NEAR_ONE)
        if not may_hold(np.logical_not(is_inside)):
            return of_angle(n, np.arccos(x))
        outside = np.where(is_inside, 1.0, x)
        slope = derivative_by_parameter(lambda n: primal(n, outside), n)
        return np.where(is_inside, of_angle(n, np.arccos(np.where(is_inside, x, 0.0))), slope)

    return by_n


# T_n(cos θ) = cos nθ, and U_n(cos θ) = sin (n + 1)θ / sin θ: https://dlmf.nist.gov/18.5.E1
_first_kind_by_n = _by_angle(eval_chebyt, lambda n, angle: -angle * np.sin(n * angle))
_second_kind_by_n = _by_angle(eval_chebyu, lambda n, angle: angle * np.cos((n + 1.0) * angle) / np.sin(angle))

_without_parameter(eval_legendre, _legendre_by_x)
_without_parameter(eval_sh_legendre, lambda n, x: 2.0 * _legendre_by_x(n, 2.0 * x - 1.0))
_without_parameter(eval_chebyt, _first_kind_by_x, _first_kind_by_n)
_without_parameter(
    eval_chebyc,
    lambda n, x: _first_kind_by_x(n, 0.5 * x),
    lambda n, x: 2.0 * _first_kind_by_n(n, 0.5 * x),
)
_without_parameter(
    eval_sh_chebyt,
    lambda n, x: 2.0 * _first_kind_by_x(n, 2.0 * x - 1.0),
    lambda n, x: _first_kind_by_n(n, 2.0 * x - 1.0),
)
_without_parameter(eval_chebyu, _second_kind_by_x, _second_kind_by_n)
_without_parameter(
    eval_chebys,
    lambda n, x: 0.5 * _second_kind_by_x(n, 0.5 * x),
    lambda n, x: _second_kind_by_n(n, 0.5 * x),
)
_without_parameter(
    eval_sh_chebyu,
    lambda n, x: 2.0 * _second_kind_by_x(n, 2.0 * x - 1.0),
    lambda n, x: _second_kind_by_n(n, 2.0 * x - 1.0),
)
_without_parameter(eval_laguerre, lambda n, x: _laguerre_by_x(n, 0.0, x))

# SciPy takes no degrees but integers for these.
scalar_rule(eval_hermite, lambda y, n, x: (NO_TANGENT, 2.0 * n * eval_hermite(_lower(n), x)))
scalar_rule(eval_hermitenorm, lambda y, n, x: (NO_TANGENT, n * eval_hermitenorm(_lower(n), x)))

# --- Families with parameters -------------------------------------------------------------------------------


def _gegenbauer_by_n(y: Any, n: Any, a: Any, x: Any) -> Any:
    return derivative_by_parameter(lambda n: eval_gegenbauer(n, a, x), n, radius_beside_poles(n + 2.0 * a))


def _gegenbauer_by_a(y: Any, n: Any, a: Any, x: Any) -> Any:
    radius = 0.5 * radius_beside_poles(n + 2.0 * a)
    return derivative_by_parameter(lambda a: eval_gegenbauer(n, a, x), a, radius)


def _gegenbauer_by_x(n: Any, a: Any, x: Any) -> Any:
    slope = _unless_constant(n, 2.0 * a * eval_gegenbauer(_lower(n), a + 1.0, x))
    is_zero = primal_of(n) == -1
    if not may_hold(is_zero):
        return slope
    # SciPy has no degree -2: the derivative of degree -1, of the zero polynomial, has another recurrence.
    n, a, x = (np.where(is_zero, part, 0.5) for part in (n, a, x))
    above, here = eval_gegenbauer(n + 1.0, a, x), eval_gegenbauer(n, a, x)
    at_zero = ((n + 2.0 * a) * x * here - (n + 1.0) * above) / (1.0 - x * x)
    return np.where(is_zero, np.where(np.isfinite(primal_of(at_zero)), at_zero, 0.0), slope)


lazy_scalar_rule(
    eval_gegenbauer,
    _gegenbauer_by_n,
    _gegenbauer_by_a,
    lambda y, n, a, x: _gegenbauer_by_x(n, a, x),
    orders=_DEGREE,
)


def _laguerre_by_n(n: Any, a: Any, x: Any) -> Any:
    return derivative_by_parameter(lambda n: eval_genlaguerre(n, a, x), n, radius_beside_poles(n + a + 1.0))


def _laguerre_by_a(n: Any, a: Any, x: Any) -> Any:
    return derivative_by_parameter(lambda a: eval_genlaguerre(n, a, x), a, radius_beside_poles(n + a + 1.0))


def _laguerre_by_x(n: Any, a: Any, x: Any) -> Any:
    return _unless_constant(n, -eval_genlaguerre(_lower(n), a + 1.0, x))


lazy_scalar_rule(
    eval_genlaguerre,
    lambda y, n, a, x: _laguerre_by_n(n, a, x),
    lambda y, n, a, x: _laguerre_by_a(n, a, x),
    lambda y, n, a, x: _laguerre_by_x(n, a, x),
    orders=_DEGREE,
)
lazy_scalar_rule(
    assoc_laguerre,
    lambda y, x, n, k=0.0: _laguerre_by_x(n, k, x),
    lambda y, x, n, k=0.0: _laguerre_by_n(n, k, x),
    lambda y, x, n, k: _laguerre_by_a(n, k, x),
    orders=(1,),
)


def _jacobi_by_n(y: Any, n: Any, a: Any, b: Any, x: Any) -> Any:
    return derivative_by_parameter(lambda n: eval_jacobi(n, a, b, x), n, radius_beside_poles(n + a + 1.0))


def _jacobi_by_a(y: Any, n: Any, a: Any, b: Any, x: Any) -> Any:
    return derivative_by_parameter(lambda a: eval_jacobi(n, a, b, x), a, radius_beside_poles(n + a + 1.0))


def _jacobi_by_b(y: Any, n: Any, a: Any, b: Any, x: Any) -> Any:
    return derivative_by_parameter(lambda b: eval_jacobi(n, a, b, x), b)


def _jacobi_by_x(y: Any, n: Any, a: Any, b: Any, x: Any) -> Any:
    slope = 0.5 * (n + a + b + 1.0) * eval_jacobi(_lower(n), a + 1.0, b + 1.0, x)
    return _unless_constant(n, slope)


lazy_scalar_rule(eval_jacobi, _jacobi_by_n, _jacobi_by_a, _jacobi_by_b, _jacobi_by_x, orders=_DEGREE)

# The shifted ones are divided by a binomial coefficient, which makes the first coefficient 1.


def _shifted_by_n(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    radius = radius_beside_poles(n + p - q + 1.0, n + p, n + 1.0)
    return derivative_by_parameter(lambda n: eval_sh_jacobi(n, p, q, x), n, radius)


def _shifted_by_p(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    radius = radius_beside_poles(n + p - q + 1.0, n + p)
    return derivative_by_parameter(lambda p: eval_sh_jacobi(n, p, q, x), p, radius)


def _shifted_by_q(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    radius = radius_beside_poles(n + p - q + 1.0)
    return derivative_by_parameter(lambda q: eval_sh_jacobi(n, p, q, x), q, radius)


def _shifted_by_x(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    # Not the polynomial of the family of one degree lower, whose own divisor is infinite if this degree is 0.
    slope = (n + p) * eval_jacobi(_lower(n), p - q + 1.0, q, 2.0 * x - 1.0) / binom(2.0 * n + p - 1.0, n)
    return _unless_constant(n, slope)


lazy_scalar_rule(eval_sh_jacobi, _shifted_by_n, _shifted_by_p, _shifted_by_q, _shifted_by_x, orders=_DEGREE)
