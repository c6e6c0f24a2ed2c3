"""Cubic pieces with given values and slopes at their ends, and slopes made of neighbouring differences.

With widths ``h``, values ``y``, slopes ``s`` and differences ``m = (y₁ - y₀) / h``, a piece is

    y₀ + s₀ u + c₁ u² + c₀ u³,   c₀ = (s₀ + s₁ - 2m) / h²,   c₁ = (3m - 2s₀ - s₁) / h

where ``u`` is the distance from its start. F. N. Fritsch and J. Butland, "A method for constructing local
monotone piecewise cubic interpolants", 1984, have the mean; H. Akima, "A new method of interpolation and smooth
curve fitting based on local procedures", 1970, has the other.
"""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand, Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    frule,
    primal_of,
    primitive,
    rrule,
    scalar_rule,
    typeof_,
)

# --- The pieces --------------------------------------------------------------------------------------------


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
        by_cube, by_square = c_bar[0] / (h * h), c_bar[1] / h
        zero = 0.0 * by_cube[:1]

        def after(x: Any) -> Any:
            return np.concatenate([zero, x])

        def before(x: Any) -> Any:
            return np.concatenate([x, zero])

        def pull_widths() -> Any:
            by_first, by_second = _by_width(h, y, c)
            return project_h(np.sum(np.conj(by_first) * c_bar[0] + np.conj(by_second) * c_bar[1], 1, None, None, True))

        def pull_values() -> Any:
            difference = (3.0 * by_square - 2.0 * by_cube) / h
            return project_y(after(difference) + before(c_bar[3] - difference))

        s_bar = after(by_cube - by_square) + before(c_bar[2] + by_cube - 2.0 * by_square)
        bars = Thunk(pull_widths), Thunk(pull_values), project_s(s_bar)
        return NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

    return c, cubic_pieces_pullback


# --- Slopes ------------------------------------------------------------------------------------------------


@primitive
def harmonic_slope(m0: Any, m1: Any, h0: Any, h1: Any) -> Any:
    """The weighted harmonic mean of two differences, and 0 unless they have the same sign."""
    is_steady, (m0, m1) = _steady(m0, m1)
    return np.where(is_steady, 3.0 * (h0 + h1) / ((2.0 * h1 + h0) / m0 + (h1 + 2.0 * h0) / m1), 0.0)


def _steady(m0: Any, m1: Any) -> tuple[Any, tuple[Any, Any]]:
    signs = np.sign(primal_of(m0)), np.sign(primal_of(m1))
    is_steady = signs[0] * signs[1] > 0.0
    return is_steady, (np.where(is_steady, m0, 1.0), np.where(is_steady, m1, 1.0))


@scalar_rule(harmonic_slope)
def _(s: Any, m0: Operand, m1: Operand, h0: Operand, h1: Operand) -> Any:
    _, (m0, m1) = _steady(m0, m1)
    width, r0, r1 = 3.0 * (h0 + h1), s / m0, s / m1
    return (
        r0 * r0 * (2.0 * h1 + h0) / width,
        r1 * r1 * (h1 + 2.0 * h0) / width,
        s * (3.0 - r0 - 2.0 * r1) / width,
        s * (3.0 - 2.0 * r0 - r1) / width,
    )


@primitive
def monotone_end_slope(m0: Any, m1: Any, h0: Any, h1: Any) -> Any:
    """The slope at an end, of a parabola through three points, or less for the sake of monotony."""
    slope = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
    is_flat, is_steep = _limited(slope, m0, m1)
    return np.where(is_flat, 0.0, np.where(is_steep, 3.0 * m0, slope))


def _limited(slope: Any, m0: Any, m1: Any) -> tuple[Any, Any]:
    is_flat = np.sign(slope) != np.sign(m0)
    return is_flat, (np.sign(m0) != np.sign(m1)) & (np.abs(slope) > 3.0 * np.abs(m0))


@scalar_rule(monotone_end_slope)
def _(s: Any, m0: Operand, m1: Operand, h0: Operand, h1: Operand) -> Any:
    width = h0 + h1
    slope = ((2.0 * h0 + h1) * m0 - h0 * m1) / width
    is_flat, is_steep = _limited(*map(primal_of, (slope, m0, m1)))
    is_free, bend = ~(is_flat | is_steep), (m0 - m1) / (width * width)
    return (
        np.where(is_flat, 0.0, np.where(is_steep, 3.0, 1.0 + h0 / width)),
        np.where(is_free, -h0 / width, 0.0),
        np.where(is_free, h1 * bend, 0.0),
        np.where(is_free, -h0 * bend, 0.0),
    )


@primitive
def akima_slope(m0: Any, m1: Any, m2: Any, m3: Any, damping: float) -> Any:  # noqa: PLR0913, PLR0917 - Akima's
    """The mean of two differences, each with the change on the other side as its weight.

    Where both weights vanish it is the mean of the outer differences, as SciPy has it.

    Parameters
    ----------
    m0, m1, m2, m3
        The differences, two on each side.
    damping
        The share of the outer means in the weights: 0, or 0.5 of the modified method.
    """
    before, after, is_even = _akima_weights(m0, m1, m2, m3, damping)
    share = before / np.where(is_even, 1.0, before + after)
    return np.where(is_even, 0.5 * (m0 + m3), m1 + share * (m2 - m1))


def _akima_weights(m0: Any, m1: Any, m2: Any, m3: Any, damping: float) -> tuple[Any, Any, Any]:
    before, after = np.abs(m1 - m0), np.abs(m3 - m2)
    if damping:
        before, after = before + damping * np.abs(m1 + m0), after + damping * np.abs(m3 + m2)
    both = primal_of(before + after)
    return before, after, both <= 1e-9 * np.max(both, initial=0.0)


@scalar_rule(akima_slope)
def _(  # noqa: PLR0913, PLR0917 - as above
    s: Any, m0: Operand, m1: Operand, m2: Operand, m3: Operand, damping: float
) -> Any:
    before, after, is_even = _akima_weights(m0, m1, m2, m3, damping)
    both = np.where(is_even, 1.0, before + after)
    step = (m2 - m1) / (both * both)
    by_before, by_after = after * step, -before * step
    rises = np.sign(m1 - m0), np.sign(m3 - m2)
    means = damping * np.sign(m1 + m0), damping * np.sign(m3 + m2)
    share = before / both
    partials = (
        (means[0] - rises[0]) * by_before,
        (means[0] + rises[0]) * by_before + 1.0 - share,
        (means[1] - rises[1]) * by_after + share,
        (means[1] + rises[1]) * by_after,
    )
    even = 0.5, 0.0, 0.0, 0.5
    return *(np.where(is_even, a, b) for a, b in zip(even, partials, strict=True)), NO_TANGENT
