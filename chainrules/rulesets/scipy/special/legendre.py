"""Rules for Legendre functions and spherical harmonics.

SciPy's functions of the first kind compute their own derivatives, to the second: ``diff_n`` says how many. So
the derivative of what they return is what they return one derivative further. Their third derivatives, those
of calls with ``diff_n=2``, are not implemented.

The Ferrers function that `lpmv` computes obeys ``dP/dx = -P^(m+1) / sqrt(1 - x²) - m x P / (1 - x²)``
(https://dlmf.nist.gov/14.10.E2), with limits at ±1 that are written out. It is analytic in its degree: see
`derivative_by_parameter`. Of functions of the second kind SciPy gives the first derivative too; the second
one follows from Legendre's equation: https://dlmf.nist.gov/14.2.
"""

from typing import Any

import numpy as np
from scipy.special import (
    assoc_legendre_p,
    assoc_legendre_p_all,
    legendre_p,
    legendre_p_all,
    lpmv,
    lqmn,
    lqn,
    sph_harm_y,
    sph_harm_y_all,
    sph_legendre_p,
    sph_legendre_p_all,
)

from chainrules.formulas.special_functions.parameter_derivatives import derivative_by_parameter
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules.makers.versions import also_named
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    Thunk,
    ZeroTangent,
    frule,
    may_hold,
    not_implemented,
    primitive,
    pull_partial,
    rrule,
    scalar_rule,
    strong_product,
    sum_tangents,
    typeof_,
    unthunk,
    without_warnings,
)

# Before SciPy 1.17 they had no names.
also_named(
    f"{type(legendre_p).__qualname__}()",
    *("legendre_p", "legendre_p_all", "assoc_legendre_p", "assoc_legendre_p_all", "sph_legendre_p"),
    *("sph_legendre_p_all", "sph_harm_y", "sph_harm_y_all"),
)

_MOST = 2
_THIRD = "SciPy has no third derivatives of Legendre functions: call with `diff_n` of at most 1"

# --- Functions of the first kind, of one variable -----------------------------------------------------------


def _further(primal: Any, integers: Any, z: Any, diff_n: int, options: Any) -> Any:
    """The derivatives of all that a call returns."""
    return primitive(primal)(*integers, z, diff_n=diff_n + 1, **options)[1:]


def _rules_of_one_variable(primal: Any) -> None:
    @frule.dispatch
    def legendre_frule(tangents: Any, f: typeof_(primal), *args: Operand, diff_n: int = 0, **options: Any):
        *integers, z = args
        z_dot = tangents[-1]
        y = primitive(primal)(*args, diff_n=diff_n, **options)
        if isinstance(z_dot, AbstractZero):
            return y, z_dot
        if diff_n == _MOST:
            return y, not_implemented(_THIRD)
        y_dot = strong_product(_further(primal, integers, z, diff_n, options), z_dot)
        return y, ProjectTo(y)(sum_tangents(y, [y_dot]))

    @rrule.dispatch
    def legendre_rrule(f: typeof_(primal), *args: Operand, diff_n: int = 0, **options: Any):
        *integers, z = args

        @without_warnings
        def pull(y_bar):
            return pull_partial(z, _further(primal, integers, z, diff_n, options), y_bar)

        def legendre_pullback(y_bar):
            z_bar = not_implemented(_THIRD) if diff_n == _MOST else Thunk(pull, y_bar)
            return NO_TANGENT, *(NO_TANGENT,) * len(integers), z_bar

        return primitive(primal)(*args, diff_n=diff_n, **options), legendre_pullback


_rules_of_one_variable(legendre_p)
_rules_of_one_variable(legendre_p_all)
_rules_of_one_variable(assoc_legendre_p)
_rules_of_one_variable(assoc_legendre_p_all)
_rules_of_one_variable(sph_legendre_p)
_rules_of_one_variable(sph_legendre_p_all)

# --- Spherical harmonics ------------------------------------------------------------------------------------


def _levels(y: Any) -> Any:
    """The values, gradients and Hessians of a call, as a tuple."""
    return y if isinstance(y, tuple) else (y,)


def _by_angle(levels: Any, angle: int) -> list[Any]:
    """The derivatives of all but the last level; the axes of the angles stand last."""
    return [level[(..., angle, *(slice(None),) * order)] for order, level in enumerate(levels[1:])]


def _rules_of_harmonics(primal: Any) -> None:
    @frule.dispatch
    def harmonics_frule(  # noqa: PLR0913, PLR0917 - those of the primal
        tangents: Any,
        f: typeof_(primal),
        n: Operand,
        m: Operand,
        theta: Operand,
        phi: Operand,
        *,
        diff_n: int = 0,
    ):
        y = primitive(primal)(n, m, theta, phi, diff_n=diff_n)
        angle_dots = tangents[3:]
        if all(isinstance(dot, AbstractZero) for dot in angle_dots):
            return y, ZeroTangent()
        if diff_n == _MOST:
            y_dots = [not_implemented(_THIRD)] * (_MOST + 1)
        else:
            y_dots = _push_angles(y, primitive(primal)(n, m, theta, phi, diff_n=diff_n + 1), angle_dots)
        return y, Tangent[tuple](*y_dots) if isinstance(y, tuple) else y_dots[0]

    @rrule.dispatch
    def harmonics_rrule(  # noqa: PLR0913 - those of the primal
        f: typeof_(primal), n: Operand, m: Operand, theta: Operand, phi: Operand, *, diff_n: int = 0
    ):
        y = primitive(primal)(n, m, theta, phi, diff_n=diff_n)

        def harmonics_pullback(y_bar):
            if diff_n == _MOST:
                return NO_TANGENT, NO_TANGENT, NO_TANGENT, not_implemented(_THIRD), not_implemented(_THIRD)
            further = Thunk(lambda: primitive(primal)(n, m, theta, phi, diff_n=diff_n + 1))
            angle_bars = (
                Thunk(_pull_angle, y, further, y_bar, angle, x) for angle, x in enumerate((theta, phi))
            )
            return NO_TANGENT, NO_TANGENT, NO_TANGENT, *angle_bars

        return y, harmonics_pullback


@without_warnings
def _push_angles(y: Any, further: Any, angle_dots: list[Any]) -> list[Any]:
    slopes = [_by_angle(further, angle) for angle in range(2)]
    y_dots = []
    for order, level in enumerate(_levels(y)):
        terms = [
            strong_product(slopes[angle][order], _with_axes(dot, order))
            for angle, dot in enumerate(angle_dots)
            if not isinstance(dot, AbstractZero)
        ]
        y_dots.append(ProjectTo(level)(sum_tangents(level, terms)))
    return y_dots


@without_warnings
def _pull_angle(y: Any, further: Any, y_bar: Any, angle: int, x: Any) -> Any:
    x_bar: Any = ZeroTangent()
    for order, slope in enumerate(_by_angle(unthunk(further), angle)):
        level_bar = y_bar[order] if isinstance(y, tuple) else y_bar
        if not isinstance(level_bar, AbstractZero):
            x_bar = x_bar + _pull_level(_with_axes(x, order), slope, level_bar, x)
    return x_bar


def _pull_level(widened: Any, slope: Any, level_bar: Any, x: Any) -> Any:
    return np.reshape(pull_partial(widened, slope, level_bar), np.shape(x))


def _with_axes(x: Any, number: int) -> Any:
    """An array with axes of length 1 in the places of the axes of the angles."""
    return np.reshape(x, (*np.shape(x), *(1,) * number)) if number else x


_rules_of_harmonics(sph_harm_y)
_rules_of_harmonics(sph_harm_y_all)

# --- Functions of real degree -------------------------------------------------------------------------------


def _ferrers_by_x(y: Any, m: Any, v: Any, x: Any) -> Any:
    rest = (1.0 - x) * (1.0 + x)
    is_end = np.asarray(rest == 0)
    inside = -lpmv(m + 1, v, x) / np.sqrt(rest) - m * x * y / rest
    return np.where(is_end, _ferrers_at_ends(m, v, x), inside) if may_hold(is_end) else inside


def _ferrers_at_ends(m: Any, v: Any, x: Any) -> Any:
    """The limits at 1; those at -1 are even or odd multiples of them where the degree is an integer."""
    product = v * (v + 1.0)
    at_one = np.select(
        [m == 0, m == 1, m == 2],
        [0.5 * product, np.inf * np.sign(product), -0.25 * product * (v - 1.0) * (v + 2.0)],
        np.where(np.asarray(m) > 2, 0.0, np.nan),
    )
    parity = np.where(np.asarray(v) % 1 == 0, (-1.0) ** np.rint(v + m + 1), np.nan)
    return np.where(np.asarray(x) > 0, at_one, parity * at_one)


lazy_scalar_rule(
    lpmv,
    lambda y, m, v, x: not_implemented("SciPy's Legendre functions are those of integer orders"),
    lambda y, m, v, x: derivative_by_parameter(lambda v: lpmv(m, v, x), v),
    _ferrers_by_x,
    orders=(0, 1),
)

# --- Functions of the second kind ---------------------------------------------------------------------------


@scalar_rule(lqn)
def _(y: Any, n: int, z: Operand) -> Any:
    Q, by_z = y
    k = np.reshape(np.arange(n + 1.0), (-1, *(1,) * np.ndim(z)))
    return (NO_TANGENT, by_z), (NO_TANGENT, (2.0 * z * by_z - k * (k + 1.0) * Q) / (1.0 - z * z))


@scalar_rule(lqmn)
def _(y: Any, m: int, n: int, z: Operand) -> Any:
    Q, by_z = y
    rest = 1.0 - z * z
    order = np.reshape(np.arange(m + 1.0), (-1, 1, *(1,) * np.ndim(z)))
    degree = np.reshape(np.arange(n + 1.0), (-1, *(1,) * np.ndim(z)))
    factor = degree * (degree + 1.0) - order * order / rest
    return (NO_TANGENT, NO_TANGENT, by_z), (NO_TANGENT, NO_TANGENT, (2.0 * z * by_z - factor * Q) / rest)
