"""Rules for Mathieu functions, which return the values and the derivatives.

By the argument, https://dlmf.nist.gov/28.2 and https://dlmf.nist.gov/28.20::

    ce'' = (2 q cos 2x - a) ce,   Mc'' = (a - 2 q cosh 2x) Mc

and likewise with b for odd functions. SciPy takes the first x in degrees, and differentiates by radians.

By q: the Fourier coefficients of these functions are eigenvectors of symmetric tridiagonal matrices ``D + q
E``, and their characteristic values a and b the eigenvalues, https://dlmf.nist.gov/28.4. Both are perturbed
as `chainrules.formulas.spectra.perturbed_eigenvectors` says; accurate to 1e-12. The order is an integer, and
has no tangent. Time and memory grow with the square of the order: above 2000, and for q above 1e6,
derivatives by q are NaN.
"""

import numpy as np
from scipy import special

from chainrules.formulas.spectra.perturbed_eigenvectors import perturbation
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import not_implemented, primal_of

_RADIAN = np.pi / 180.0

# Beyond these the matrices would have more than 2500 rows.
_MOST, _LARGEST_Q = 2000, 1e6

# --- By q --------------------------------------------------------------------------------------------------


def _fourier(m, q, is_odd, n=0):
    """The multiples of x in the series, the coefficients, and their derivatives and that of a by q.

    The last three are perturbed; the signs of the coefficients are arbitrary.
    """
    order, size = primal_of(m), np.abs(primal_of(q))
    is_valid = (size <= _LARGEST_Q) & (order == np.floor(order)) & (order >= is_odd) & (order <= _MOST)
    order, size = np.where(is_valid, order, is_odd).astype(int), np.where(is_valid, size, 0.0)
    parity = order % 2
    lowest = np.where(parity == 0, 2 * is_odd, 1)
    n = max(n, int(np.max(order, initial=0)) // 2 + 12 + int(1.5 * np.sqrt(np.max(size, initial=0.0))))
    multiples = lowest[..., None] + 2 * np.arange(n)
    D = multiples[..., None] ** 2.0 * np.eye(n)
    E = np.eye(n, k=1) + np.eye(n, k=-1) + np.zeros_like(D)
    E[..., 0, 0] = np.where(parity == 0, 0.0, 1 - 2 * is_odd)
    scale = np.ones(multiples.shape)
    if not is_odd:  # the constant term counts twice in the norm
        E[..., 0, 1] = E[..., 1, 0] = np.where(parity == 0, np.sqrt(2.0), 1.0)
        scale[..., 0] = np.where(parity == 0, np.sqrt(0.5), 1.0)
    moved = perturbation(D, E, np.where(is_valid, q, 0.0), (order - lowest) // 2)
    known = np.where(is_valid, 1.0, np.nan)
    return (
        multiples,
        scale * moved.vector,
        known[..., None] * scale * moved.vector_slope,
        known * moved.value_slope,
    )


lazy_scalar_rule(special.mathieu_a, None, lambda y, m, q: _fourier(m, q, is_odd=0)[-1])
lazy_scalar_rule(special.mathieu_b, None, lambda y, m, q: _fourier(m, q, is_odd=1)[-1])


def _slope_of_coefficients(is_odd):
    def by_q(y, m, q):
        n = len(primal_of(y))
        _, vector, slope, _ = _fourier(m, np.multiply(q, 1.0), is_odd, n)
        return np.sign(np.sum(primal_of(vector)[:n] * primal_of(y))) * slope[:n]

    return by_q


lazy_scalar_rule(special.mathieu_even_coef, None, _slope_of_coefficients(0))
lazy_scalar_rule(special.mathieu_odd_coef, None, _slope_of_coefficients(1))

# --- Functions of angles, and modified ones ----------------------------------------------------------------


def define_angular_rule(function, characteristic, is_odd):
    """Define the rules of a periodic function of the order, q and x in degrees."""

    def by_q(y, m, q, x):
        multiples, vector, slope, _ = _fourier(m, q, is_odd)
        angles = multiples * np.expand_dims(_RADIAN * x, -1)
        if is_odd:
            basis, basis_slope = np.sin(angles), multiples * np.cos(angles)
        else:
            basis, basis_slope = np.cos(angles), -multiples * np.sin(angles)
        own = np.sum(primal_of(vector * basis), -1), np.sum(primal_of(vector * basis_slope), -1)
        sign = np.sign(own[0] * primal_of(y[0]) + own[1] * primal_of(y[1]))
        return sign * np.sum(slope * basis, -1), sign * np.sum(slope * basis_slope, -1)

    def by_angle(y, m, q, x):
        value, slope = y
        curvature = (2.0 * q * np.cos(2.0 * _RADIAN * x) - characteristic(m, q)) * value
        return _RADIAN * slope, _RADIAN * curvature

    lazy_scalar_rule(function, None, by_q, by_angle)


define_angular_rule(special.mathieu_cem, special.mathieu_a, is_odd=0)
define_angular_rule(special.mathieu_sem, special.mathieu_b, is_odd=1)


def define_modified_rule(function, characteristic):
    """Define the rules of a function of the order, q and x."""

    def by_q(y, m, q, x):
        why = not_implemented("by q of modified Mathieu functions: no well-conditioned method is known here")
        return why, why

    def by_argument(y, m, q, x):
        value, slope = y
        return slope, (characteristic(m, q) - 2.0 * q * np.cosh(2.0 * x)) * value

    lazy_scalar_rule(function, None, by_q, by_argument)


define_modified_rule(special.mathieu_modcem1, special.mathieu_a)
define_modified_rule(special.mathieu_modcem2, special.mathieu_a)
define_modified_rule(special.mathieu_modsem1, special.mathieu_b)
define_modified_rule(special.mathieu_modsem2, special.mathieu_b)
