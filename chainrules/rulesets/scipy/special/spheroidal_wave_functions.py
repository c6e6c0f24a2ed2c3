"""Rules for spheroidal wave functions, which return the values and the derivatives.

By the argument, with the characteristic value λ and the sign of ``s = c²``, which is 1 for prolate functions
and -1 for oblate ones, https://dlmf.nist.gov/30.2::

    (1 - x²) S'' = 2 x S' - (λ - s x² - m² / (1 - x²)) S

for angular functions and prolate radial ones; oblate radial functions have ``i x`` in the place of x::

    (1 + x²) R'' = -2 x R' + (λ - c² x² - m² / (1 + x²)) R

By c: λ is an eigenvalue of the operator whose eigenvectors are the coefficients of S by Legendre functions,
and by the theorem of Hellmann and Feynman ``dλ/ds`` is the mean of ``x²`` in it: see
`chainrules.formulas.spectra.perturbed_eigenvectors`; accurate to 1e-12. Modes are integers, and have no
tangents.

SciPy's radial functions of the second kind are wrong in places, often by all digits; their derivatives are
NaN there. For a negative c its characteristic values are those of 0, and not of ``c²``: what depends on
them is NaN.
"""

import numpy as np
from scipy import special

from chainrules.formulas.spectra.perturbed_eigenvectors import perturbation
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules.makers.versions import also_named
from chainrules_core import not_implemented, primal_of

_PROLATE, _OBLATE = 1.0, -1.0

# How far the Wronskian of SciPy's radial functions may be from 1.
_TOLERANCE = 1e-9

# --- Characteristic values ---------------------------------------------------------------------------------


def _slope_of_value(m, n, c, sign):
    """``dλ/dc``."""
    mode, degree, size = primal_of(m), primal_of(n), np.abs(primal_of(c))
    mode, degree, size = np.broadcast_arrays(mode, degree, size)
    are_whole = (mode == np.floor(mode)) & (degree == np.floor(degree))
    is_valid = np.isfinite(size) & are_whole & (mode >= 0) & (degree >= mode) & (primal_of(c) >= 0)
    mode, degree = (np.where(is_valid, x, 0).astype(int) for x in (mode, degree))
    c = np.where(is_valid, c, 0.0)
    excess = degree - mode
    size = np.max(np.where(is_valid, size, 0.0), initial=0.0)
    count = int(np.max(excess, initial=0)) // 2 + 12 + int(size)
    l = (mode + excess % 2)[..., None] + 2 * np.arange(count)  # noqa: E741 - the degree of a Legendre function
    # The squares of the elements of x between normalised Legendre functions of the degrees l and l + 1.
    below, here, above = (
        ((k + 1.0) ** 2 - mode[..., None] ** 2) / ((2.0 * k + 1.0) * (2.0 * k + 3.0))
        for k in (l - 1, l, l + 1)
    )
    beside = np.sqrt(here * above)[..., :-1]
    identity, rows = np.eye(count), np.arange(count - 1)
    D = (l * (l + 1.0))[..., None] * identity
    E = (below + here)[..., None] * identity
    E[..., rows, rows + 1] = E[..., rows + 1, rows] = beside
    mean = perturbation(D, E, sign * c * c, excess // 2).value_slope
    return np.where(is_valid, 2.0 * sign * c * mean, np.nan)


def define_value_rule(function, sequence, sign):
    """Define the rules of the characteristic values of one degree, and of all up to it."""

    def by_size(y, m, n, c):
        return _slope_of_value(m, n, c, sign)

    def by_size_of_all(y, m, n, c):
        return _slope_of_value(m, m + np.arange(len(primal_of(y))), c, sign)

    lazy_scalar_rule(function, None, None, by_size)
    lazy_scalar_rule(sequence, None, None, by_size_of_all)


also_named("pro_cv")  # SciPy 1.15 gave it the name of `obl_cv`
define_value_rule(special.pro_cv, special.pro_cv_seq, _PROLATE)
define_value_rule(special.obl_cv, special.obl_cv_seq, _OBLATE)

# --- Angular and radial functions --------------------------------------------------------------------------


def _by_parameter(y, *args):
    why = not_implemented(
        "by c, or by the characteristic value, of a spheroidal wave function: its norm depends on them as "
        "well, and no well-conditioned method is known here"
    )
    return why, why


def _curvature_by(sign):
    """The second derivative by x of functions whose equation has the singular points ±1."""

    def curvature(y, m, c, value, x):
        function, slope = y
        rest = (1.0 - x) * (1.0 + x)
        return (2.0 * x * slope - (value - sign * c * c * x * x - m * m / rest) * function) / rest

    return curvature


def _curvature_of_oblate_radial(y, m, c, value, x):
    function, slope = y
    rest = 1.0 + x * x
    return (-2.0 * x * slope + (value - c * c * x * x - m * m / rest) * function) / rest


def define_rule(functions, characteristic, curvature, factor=None):
    """Define the rules of a function, and of its form with a characteristic value that is given.

    Parameters
    ----------
    functions
        The function, and that form of it.
    characteristic
        The characteristic value, a function of m, n and c.
    curvature
        The second derivative, a function of both results, m, c, the characteristic value and x.
    factor
        What the second derivative is to be multiplied by, a function of both results and all arguments.
    """

    def by_argument(y, m, n, c, *value_and_x):
        *given, x = value_and_x
        (value,) = given or (characteristic(m, n, c),)
        second = np.where(primal_of(c) < 0, np.nan, curvature(y, m, c, value, x))
        return y[1], second if factor is None else second * factor(y, m, n, c, *value_and_x)

    function, with_value = functions
    lazy_scalar_rule(function, None, None, _by_parameter, by_argument)
    lazy_scalar_rule(with_value, None, None, _by_parameter, _by_parameter, by_argument)


def _right(first, first_with_value, sign):
    """1 for radial functions of the second kind, but NaN where SciPy's values are wrong.

    That is known by the Wronskian, ``c (x² ∓ 1) (R₁ R₂' - R₁' R₂) = 1``: https://dlmf.nist.gov/30.11
    """

    def factor(y, m, n, c, *value_and_x):
        args = list(map(primal_of, (m, n, c, *value_and_x)))
        own = (first if len(args) == len("mncx") else first_with_value)(*args)
        of_second, slope_of_second = map(primal_of, y)
        x = args[-1]
        wronskian = primal_of(c) * (x * x - sign) * (own[0] * slope_of_second - own[1] * of_second)
        return np.where(np.abs(wronskian - 1.0) < _TOLERANCE, 1.0, np.nan)

    return factor


_pro_ang1 = special.pro_ang1, special.pro_ang1_cv
_pro_rad1 = special.pro_rad1, special.pro_rad1_cv
_pro_rad2 = special.pro_rad2, special.pro_rad2_cv
_obl_ang1 = special.obl_ang1, special.obl_ang1_cv
_obl_rad1 = special.obl_rad1, special.obl_rad1_cv
_obl_rad2 = special.obl_rad2, special.obl_rad2_cv

define_rule(_pro_ang1, special.pro_cv, _curvature_by(_PROLATE))
define_rule(_pro_rad1, special.pro_cv, _curvature_by(_PROLATE))
define_rule(_pro_rad2, special.pro_cv, _curvature_by(_PROLATE), _right(*_pro_rad1, _PROLATE))
define_rule(_obl_ang1, special.obl_cv, _curvature_by(_OBLATE))
define_rule(_obl_rad1, special.obl_cv, _curvature_of_oblate_radial)
define_rule(_obl_rad2, special.obl_cv, _curvature_of_oblate_radial, _right(*_obl_rad1, _OBLATE))
