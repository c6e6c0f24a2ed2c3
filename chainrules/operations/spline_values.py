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


def _rules(primal: Any, adjoint: Any, by_places: Any, slopes: Any) -> None:
    """Define the rules of an operation that is linear, with its adjoint.

    Parameters
    ----------
    by_places
        ``by_places(c, x, x_dot, *spline)`` is the tangent by the places.
    slopes
        ``slopes(c, y_bar, x, *spline)`` are the products whose sums are the cotangent of the places.
    """

    @frule.dispatch
    def spline_frule(
        tangents: Any, f: typeof_(primal), c: ArrayOperand, x: ArrayOperand, *spline: Any
    ) -> tuple[Any, Any]:
        c_dot, x_dot = tangents[1:3]
        y_dot = c_dot if isinstance(c_dot, AbstractZero) else primal(c_dot, x, *spline)
        if not isinstance(x_dot, AbstractZero):
            y_dot = y_dot + by_places(c, x, x_dot[:, np.newaxis], *_next(*spline))
        return primal(c, x, *spline), y_dot

    @rrule.dispatch
    def spline_rrule(f: typeof_(primal), c: ArrayOperand, x: ArrayOperand, *spline: Any) -> tuple[Any, Any]:
        project_c, project_x = ProjectTo(c), ProjectTo(x)

        def spline_pullback(y_bar: Any) -> Any:
            c_bar = Thunk(lambda: project_c(adjoint(y_bar, x, *spline)))
            x_bar = Thunk(lambda: project_x(np.sum(slopes(c, y_bar, x, *_next(*spline)), axis=1)))
            return NO_TANGENT, c_bar, x_bar, *(NO_TANGENT,) * len(spline)

        return primal(c, x, *spline), spline_pullback


def _next(t: Any, k: int, nu: int, _matrix: Any) -> tuple[Any, int, int, None]:
    """The next derivative."""
    return t, k, nu + 1, None


_rules(
    value,
    spread,
    lambda c, x, x_dot, *spline: value(c, x, *spline) * x_dot,
    lambda c, y_bar, x, *spline: np.conj(value(c, x, *spline)) * y_bar,
)
_rules(
    spread,
    value,
    lambda y, x, x_dot, *spline: spread(y * x_dot, x, *spline),
    lambda y, c_bar, x, *spline: np.conj(y) * value(c_bar, x, *spline),
)
