"""Values of splines and their adjoint, as operations with rules.

With the B-splines ``N_i`` of some knots, or a derivative of them, and coefficients ``c``,

    value:  y_m = Σ_i c_i N_i(x_m)          spread:  c̄_i = Σ_m ȳ_m N_i(x_m)

Each is linear in its first argument, and the other's adjoint. By the places both are differentiated with the
next derivative of the B-splines. SciPy computes both in C.
"""

from typing import Any

import numpy as np

from chainrules.numerics.spline_bases import basis, intervals_of
from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
)


def spline_values(t: Any, c: Any, k: int, x: Any, nu: int) -> Any:
    """A derivative of a spline at places.

    Parameters
    ----------
    t
        The knots.
    c
        Shape ``(n, e)``, or more rows, which do not count: the coefficients.
    k
        The degree.
    x
        Shape ``(m,)``: the places; beyond the ends the outer polynomials are continued.
    nu
        Which derivative.

    Returns
    -------
    array
        Shape ``(m, e)``.
    """
    n = len(t) - k - 1
    if primal_of(t) is t:
        # Coefficients that are traced need the matrix for their cotangent; SciPy's evaluation is quicker.
        matrix = None if primal_of(c) is c or nu > k else _matrix(primal_of(x), t, k, nu)
        return value(c[:n], x, t, k, nu, matrix)
    interval = intervals_of(t, k, x)
    parts = basis(t, k, x, nu, interval)
    return sum(part[:, np.newaxis] * c[interval - k + j] for j, part in enumerate(parts))


# How many knots SciPy passes in the time that a place takes longer in NumPy.
_STEPS = 80


@primitive
def value(  # noqa: PLR0913, PLR0917 - a spline, and its B-splines at the places
    c: Any, x: Any, t: Any, k: int, nu: int, matrix: Any
) -> Any:
    """The derivative `nu` of the spline of degree `k` with plain knots `t`.

    `matrix` holds the B-splines at the places; with `None` SciPy evaluates the spline.
    """
    if nu > k:  # where SciPy 1.15 reads beyond its arrays
        return np.zeros((len(x), c.shape[1]), c.dtype)
    if matrix is not None:
        return matrix @ _differenced(c, t, k, nu)
    from scipy.interpolate import BSpline  # noqa: PLC0415 - it takes long to import

    return BSpline.construct_fast(t, c, k)(x, nu)


@primitive
def spread(  # noqa: PLR0913, PLR0917 - those of `value`
    y: Any, x: Any, t: Any, k: int, nu: int, matrix: Any
) -> Any:
    """The adjoint of `value`."""
    if nu > k:
        return np.zeros((len(t) - k - 1, y.shape[1]), y.dtype)
    c = (_matrix(x, t, k, nu) if matrix is None else matrix).T @ y
    for r in range(k - nu + 1, k + 1):
        c = c * _slopes(t, k, r)
        zero = np.zeros_like(c[:1])
        c = np.concatenate([zero, c]) - np.concatenate([c, zero])
    return c


def _matrix(x: Any, t: Any, k: int, nu: int) -> Any:
    """The B-splines of the degree that is left, at the places."""
    from scipy.interpolate import BSpline  # noqa: PLC0415 - as above
    from scipy.sparse import csr_array  # noqa: PLC0415 - as above

    x = np.where(np.isnan(x), t[k], x) if np.isnan(np.min(x, initial=0.0)) else x
    t, k = t[nu : len(t) - nu], k - nu
    # SciPy goes from each place to the next one knot by knot, which takes long where places are in any order.
    if np.sum(np.abs(np.diff(x))) * len(t) <= _STEPS * len(x) * (t[-1] - t[0]):
        return BSpline.design_matrix(x, t, k, extrapolate=True)
    interval = intervals_of(t, k, x)
    entries = np.stack(basis(t, k, x, 0, interval), axis=1)
    columns = (interval - k)[:, np.newaxis] + np.arange(k + 1)
    rows = np.arange(0, entries.size + 1, k + 1)
    return csr_array((np.ravel(entries), np.ravel(columns), rows), shape=(len(x), len(t) - k - 1))


def _differenced(c: Any, t: Any, k: int, nu: int) -> Any:
    """The coefficients of a derivative."""
    for r in range(k, k - nu, -1):
        c = (c[1:] - c[:-1]) * _slopes(t, k, r)
    return c


def _slopes(t: Any, k: int, r: int) -> Any:
    """The factors from differences of coefficients of degree `r` to those of the next derivative."""
    t = t[k - r : len(t) - k + r]
    width = (t[r + 1 : -1] - t[1 : -r - 1])[:, np.newaxis]
    return np.divide(r, width, out=np.zeros_like(width), where=width != 0.0)


@frule.dispatch
def value_frule(  # noqa: PLR0913, PLR0917 - those of the operation
    tangents: Any,
    f: typeof_(value),
    c: ArrayOperand,
    x: ArrayOperand,
    t: ArrayOperand,
    k: int,
    nu: int,
    B: Any,
) -> tuple[Any, Any]:
    """The spline of the tangent, and the next derivative times the tangents of the places."""
    c_dot, x_dot = tangents[1:3]
    y_dot = c_dot if isinstance(c_dot, AbstractZero) else value(c_dot, x, t, k, nu, B)
    if not isinstance(x_dot, AbstractZero):
        y_dot = y_dot + value(c, x, t, k, nu + 1, None) * x_dot[:, np.newaxis]
    return value(c, x, t, k, nu, B), y_dot


@rrule.dispatch
def value_rrule(  # noqa: PLR0913, PLR0917 - those of the operation
    f: typeof_(value), c: ArrayOperand, x: ArrayOperand, t: ArrayOperand, k: int, nu: int, B: Any
) -> tuple[Any, Any]:
    """The cotangent spread, and that of the places."""
    project_c, project_x = ProjectTo(c), ProjectTo(x)

    def value_pullback(y_bar: Any) -> Any:
        c_bar = Thunk(lambda: project_c(spread(y_bar, x, t, k, nu, B)))
        x_bar = Thunk(lambda: project_x(np.sum(np.conj(value(c, x, t, k, nu + 1, None)) * y_bar, axis=1)))
        return NO_TANGENT, c_bar, x_bar, *(NO_TANGENT,) * 4

    return value(c, x, t, k, nu, B), value_pullback


@frule.dispatch
def spread_frule(  # noqa: PLR0913, PLR0917 - those of the operation
    tangents: Any,
    f: typeof_(spread),
    y: ArrayOperand,
    x: ArrayOperand,
    t: ArrayOperand,
    k: int,
    nu: int,
    B: Any,
) -> tuple[Any, Any]:
    """The tangent spread, and the next derivative times the tangents of the places."""
    y_dot, x_dot = tangents[1:3]
    c_dot = y_dot if isinstance(y_dot, AbstractZero) else spread(y_dot, x, t, k, nu, B)
    if not isinstance(x_dot, AbstractZero):
        c_dot = c_dot + spread(y * x_dot[:, np.newaxis], x, t, k, nu + 1, None)
    return spread(y, x, t, k, nu, B), c_dot


@rrule.dispatch
def spread_rrule(  # noqa: PLR0913, PLR0917 - those of the operation
    f: typeof_(spread), y: ArrayOperand, x: ArrayOperand, t: ArrayOperand, k: int, nu: int, B: Any
) -> tuple[Any, Any]:
    """The spline of the cotangent, and the cotangent of the places."""
    project_y, project_x = ProjectTo(y), ProjectTo(x)

    def spread_pullback(c_bar: Any) -> Any:
        y_bar = Thunk(lambda: project_y(value(c_bar, x, t, k, nu, B)))
        x_bar = Thunk(lambda: project_x(np.sum(np.conj(y) * value(c_bar, x, t, k, nu + 1, None), axis=1)))
        return NO_TANGENT, y_bar, x_bar, *(NO_TANGENT,) * 4

    return spread(y, x, t, k, nu, B), spread_pullback
