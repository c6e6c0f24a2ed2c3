"""Cubic pieces with given values and slopes at their ends.

With widths ``h``, values ``y``, slopes ``s`` and differences ``m = (y₁ - y₀) / h``, a piece is

    y₀ + s₀ u + c₁ u² + c₀ u³,   c₀ = (s₀ + s₁ - 2m) / h²,   c₁ = (3m - 2s₀ - s₁) / h

where ``u`` is the distance from its start.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

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


@primitive
def cubic_pieces(h: Any, y: Any, s: Any, known: Any = None) -> Any:
    """The coefficients of cubic pieces, those of the highest powers first.

    Parameters
    ----------
    h
        Shape ``(n - 1, 1)``: the widths.
    y, s
        Shape ``(n, e)``: the values and the slopes.
    known
        The result, where somebody has computed it.

    Returns
    -------
    array
        Shape ``(4, n - 1, e)``.
    """
    if known is not None:
        return known
    m, before, after = (y[1:] - y[:-1]) / h, s[:-1], s[1:]
    c = (before + after - 2.0 * m) / (h * h), (3.0 * m - 2.0 * before - after) / h, before, y[:-1]
    return np.stack(np.broadcast_arrays(*c))


def _by_width(h: Any, y: Any, c: Any) -> tuple[Any, Any]:
    """The derivatives of the first two coefficients."""
    m = (y[1:] - y[:-1]) / (h * h)
    return 2.0 * (m / h - c[0]) / h, -(3.0 * m + c[1]) / h


@frule.dispatch
def cubic_pieces_frule(  # noqa: PLR0913, PLR0917 - those of the operation
    tangents: Any,
    f: typeof_(cubic_pieces),
    h: ArrayOperand,
    y: ArrayOperand,
    s: ArrayOperand,
    known: Any = None,
) -> tuple[Any, Any]:
    """The pieces of the tangents, and what the widths change."""
    c, (h_dot, *dots) = cubic_pieces(h, y, s, known), tangents[1:4]
    y_dot, s_dot = (0.0 * y if isinstance(dot, AbstractZero) else dot for dot in dots)
    c_dot = cubic_pieces(h, y_dot, s_dot)
    if not isinstance(h_dot, AbstractZero):
        moved = [partial * h_dot for partial in _by_width(h, y, c)]
        c_dot = c_dot + np.stack([*moved, 0.0 * moved[0], 0.0 * moved[0]])
    return c, c_dot


@rrule.dispatch
def cubic_pieces_rrule(
    f: typeof_(cubic_pieces), h: ArrayOperand, y: ArrayOperand, s: ArrayOperand, *options: Any
) -> tuple[Any, Any]:
    """The transposed map of values and slopes, and the cotangent of the widths."""
    c = cubic_pieces(h, y, s, *options)
    project_h, project_y, project_s = map(ProjectTo, (h, y, s))

    def cubic_pieces_pullback(c_bar: Any) -> Any:
        difference, s_bar = _pull_pieces(1.0 / h, c_bar)

        def pull_widths() -> Any:
            by_first, by_second = _by_width(h, y, c)
            return project_h(
                np.sum(np.conj(by_first) * c_bar[0] + np.conj(by_second) * c_bar[1], 1, None, None, True)
            )

        y_bar = Thunk(lambda: project_y(_at_ends_of_pieces(c_bar[3] - difference, difference)))
        bars = Thunk(pull_widths), y_bar, project_s(s_bar)
        return NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

    return c, cubic_pieces_pullback


def _pull_pieces(r: Any, c_bar: Any) -> tuple[Any, Any]:
    """The cotangents of the differences of the values, but for the last coefficient, and of the slopes.

    `r` are the inverse widths.
    """
    by_square = c_bar[1] * r
    after = c_bar[0] * r * r - by_square
    before = c_bar[2] + after - by_square
    return (by_square - 2.0 * after) * r, _at_ends_of_pieces(before, after)


def _at_ends_of_pieces(before: Any, after: Any) -> Any:
    """What the pieces give to the points before and after them."""
    zero = 0.0 * before[:1]
    return np.concatenate([before, zero]) + np.concatenate([zero, after])


def slopes_of(h: Any, c: Any) -> Any:
    """The slopes of pieces at the points, as numbers without tangents."""
    h = primal_of(h[-1:])
    return np.concatenate([c[2], c[2, -1:] + h * (2.0 * c[1, -1:] + 3.0 * h * c[0, -1:])])


# --- Forms of splines --------------------------------------------------------------------------------------

# By the widths, each gives two functions: a linear map of values and slopes, and the cotangent of the values.
# The latter is given the pullback of slopes that are made of differences of the values.


def pieces(h: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The coefficients of the pieces."""
    r = 1.0 / h

    def pull(c_bar: Any, pull_slopes: Callable[[Any], Any]) -> Any:
        difference, s_bar = _pull_pieces(r, c_bar)
        difference = difference + pull_slopes(s_bar) * r
        return _at_ends_of_pieces(c_bar[3] - difference, difference)

    return lambda y, s: cubic_pieces(h, y, s), pull


def b_splines(h: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The coefficients of B-splines, whose knots are all points but the second and the last but one.

    At a point with the neighbours ``x₀ < x < x₂`` it is the polar form ``F(x₀, x, x₂)`` of either piece,

        F(x₀, x, x₂) = y + (h₁ - h₀) s / 3 - h₀ h₁ y''/6,   y'' = (6m - 4s - 2s₂) / h₁

    There are six points or more. L. Ramshaw, "Blossoms are polar forms", Computer Aided Geometric Design 6
    (1989).
    """
    ends = np.concatenate([h[:1] + h[1:2], h[-2:-1] + h[-1:]])
    before, after = np.concatenate([ends[:1], h[2:-2]]), np.concatenate([h[2:-2], ends[1:]])
    by_bend = np.concatenate([before[:-1], before[-1:] * ends[1:] / h[-2:-1]])
    by_slope, ends = (after - before + 2.0 * by_bend) / 3.0, ends / 3.0

    def form(y: Any, s: Any) -> Any:
        m, inner = (y[3:-1] - y[2:-2]) / h[2:-1], s[2:-2]
        c = y[2:-2] + by_slope * inner + by_bend * (s[3:-1] / 3.0 - m)
        return np.concatenate([y[:1], y[:1] + ends[:1] * s[:1], c, y[-1:] - ends[1:] * s[-1:], y[-1:]])

    def pull(c_bar: Any, pull_slopes: Callable[[Any], Any]) -> Any:
        inner, zero = c_bar[2:-2], 0.0 * c_bar[:1]
        bent = by_bend * inner
        s_bar = [ends[:1] * c_bar[1:2], zero, by_slope * inner, zero, -ends[1:] * c_bar[-2:-1]]
        s_bar = np.concatenate(s_bar) + np.concatenate([zero, zero, zero, bent / 3.0, zero])
        difference = (pull_slopes(s_bar) - np.concatenate([zero, zero, bent, zero])) / h
        y_bar = np.concatenate([c_bar[:1] + c_bar[1:2], zero, inner, zero, c_bar[-2:-1] + c_bar[-1:]])
        return y_bar + _at_ends_of_pieces(-difference, difference)

    return form, pull


# --- Through values ----------------------------------------------------------------------------------------


@primitive
def spline_through(  # noqa: PLR0913, PLR0917 - values, and what is made of them
    y: Any, h: Any, slopes: Any, option: Any, form: Any, known: Any = None
) -> Any:
    """What a cubic spline is made of whose slopes are made of the differences of its values.

    Parameters
    ----------
    y
        Shape ``(n, ...)``: the values.
    h
        Shape ``(n - 1, 1)``: the widths, which have no derivatives here.
    slopes, option
        ``slopes(h, differences, option, known)`` gives the linear map of tangents of the differences to those
        of the slopes, and its adjoint: one of `chainrules.operations.piece_slopes`.
    form
        What is returned, `pieces` or `b_splines`.
    known
        The result, where somebody has computed it; slopes that are no linear map need it.

    Returns
    -------
    array
        Shape ``(4, n - 1, ...)`` of pieces, ``(n, ...)`` of B-splines.
    """
    return _pushed(y, y, h, slopes, option, form) if known is None else known


def _columns(y: Any, h: Any) -> Any:
    return np.reshape(y, (len(h) + 1, -1))


def _slope_maps(y: Any, h: Any, slopes: Any, option: Any, known: Any) -> Any:
    """The maps of the slopes; the differences are computed if they are asked for."""
    known = None if known is None else np.reshape(known, (*known.shape[: known.ndim - y.ndim + 1], -1))
    y = _columns(y, h)
    return slopes(h, lambda: (y[1:] - y[:-1]) / h, option, known)


def _pushed(  # noqa: PLR0913, PLR0917 - those of the operation
    y_dot: Any, y: Any, h: Any, slopes: Any, option: Any, form: Any, known: Any = None
) -> Any:
    """The form of tangents."""
    push_slopes, _ = _slope_maps(y, h, slopes, option, known)
    columns = _columns(y_dot, h)
    c = form(h)[0](columns, push_slopes((columns[1:] - columns[:-1]) / h))
    return np.reshape(c, (*c.shape[:-1], *y_dot.shape[1:]))


@frule.dispatch
def spline_through_frule(
    tangents: Any, f: typeof_(spline_through), y: ArrayOperand, h: ArrayOperand, *how: Any
) -> tuple[Any, Any]:
    """That of the tangents of values and slopes."""
    return spline_through(y, h, *how), _pushed(tangents[1], y, h, *how)


@rrule.dispatch
def spline_through_rrule(
    f: typeof_(spline_through), y: ArrayOperand, h: ArrayOperand, *how: Any
) -> tuple[Any, Any]:
    """The transposed map of the values, by that of the slopes."""
    project, (slopes, option, form, *known) = ProjectTo(y), how
    c = spline_through(y, h, *how)

    def spline_through_pullback(c_bar: Any) -> Any:
        _, pull_slopes = _slope_maps(y, h, slopes, option, *(known or (None,)))
        c_bar = np.reshape(c_bar, (*c.shape[: c.ndim - y.ndim + 1], -1))
        y_bar = form(h)[1](c_bar, pull_slopes)
        return NO_TANGENT, project(np.reshape(y_bar, y.shape)), *(NO_TANGENT,) * (1 + len(how))

    return c, spline_through_pullback
