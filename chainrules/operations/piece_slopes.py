"""Slopes of cubic pieces, which are made of neighbouring differences.

They are those of F. N. Fritsch, J. Butland, "A method for constructing local monotone piecewise cubic
interpolants", 1984, and of H. Akima, "A new method of interpolation and smooth curve fitting based on local
procedures", 1970; those of a cubic spline solve a linear system.
"""

from typing import Any

import numpy as np

from chainrules.numerics.smooth_systems import smooth_system
from chainrules.operations.cubic_pieces import slopes_of
from chainrules.operations.scatter import scatter
from chainrules.operations.three_diagonals import pull_diagonals, solve_three_diagonals
from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)

# --- Terms of two neighbouring differences -----------------------------------------------------------------


@primitive
def neighbour_terms(F: Any, B: Any, w: Any, m: Any, v: Any) -> Any:
    """The sums ``F_i m_i + B_{i-1} m_{i-1}``, with one more term at each end, and numbers added there.

    Parameters
    ----------
    F, B
        Shape ``(n - 1, 1 or e)``: the factors of the differences after and before each point.
    w
        Shape ``(2, 1 or e)``: those of the second difference and of the last but one.
    m
        Shape ``(n - 1, e)``: the differences.
    v
        Shape ``(2, e)``: what is added at the ends.

    Returns
    -------
    array
        Shape ``(n, e)``.
    """
    more = w * m[_next_to_ends(m)] + v
    first, last = F[:1] * m[:1] + more[:1], B[-1:] * m[-1:] + more[1:]
    return np.concatenate([first, F[1:] * m[1:] + B[:-1] * m[:-1], last])


def _next_to_ends(m: Any) -> Any:
    return np.array([1, -2]) % len(m)


def _transposed(F: Any, B: Any, w: Any, b_bar: Any) -> Any:
    """The cotangent of the differences."""
    return F * b_bar[:-1] + B * b_bar[1:] + scatter(w * b_bar[[0, -1]], b_bar[1:], _next_to_ends(b_bar[1:]))


@frule.dispatch
def neighbour_terms_frule(tangents: Any, f: typeof_(neighbour_terms), *args: ArrayOperand) -> tuple[Any, Any]:
    """The terms of the tangents of the factors, and of those of the differences."""
    F, B, w, m, _ = args
    F_dot, B_dot, w_dot, m_dot, v_dot = (
        0.0 * x if isinstance(dot, AbstractZero) else dot for x, dot in zip(args, tangents[1:], strict=True)
    )
    b_dot = neighbour_terms(F_dot, B_dot, w_dot, m, v_dot)
    b_dot = b_dot + neighbour_terms(F, B, w, m_dot, np.zeros((2, 1)))
    return neighbour_terms(*args), b_dot


@rrule.dispatch
def neighbour_terms_rrule(f: typeof_(neighbour_terms), *args: ArrayOperand) -> tuple[Any, Any]:
    """The transposed map of the differences, and their products with the cotangent."""

    def neighbour_terms_pullback(b_bar: Any) -> Any:
        return NO_TANGENT, *_pull_terms(b_bar, *args)

    return neighbour_terms(*args), neighbour_terms_pullback


def _pull_terms(b_bar: Any, F: Any, B: Any, w: Any, m: Any, v: Any) -> tuple[Any, ...]:  # noqa: PLR0913, PLR0917 - as above
    def by_factor(x: Any, differences: Any, at: Any) -> Any:
        return Thunk(lambda: unbroadcast(x, np.conj(differences) * b_bar[at]))

    return (
        by_factor(F, m, slice(None, -1)),
        by_factor(B, m, slice(1, None)),
        by_factor(w, m[_next_to_ends(m)], [0, -1]),
        Thunk(lambda: unbroadcast(m, _transposed(F, B, w, b_bar))),
        Thunk(lambda: unbroadcast(v, b_bar[[0, -1]])),
    )


# --- Slopes that solve a system ----------------------------------------------------------------------------


@primitive
def smooth_slopes(  # noqa: PLR0913, PLR0917 - a right side and a matrix
    m: Any, F: Any, B: Any, w: Any, v: Any, below: Any, diagonal: Any, above: Any, s: Any = None
) -> Any:
    """The slopes of a cubic spline, which solve a system with three diagonals.

    Parameters
    ----------
    m, F, B, w, v
        The arguments of `neighbour_terms`, which are the right side.
    below, diagonal, above
        The matrix, as `solve_three_diagonals` takes it.
    s
        The slopes, where somebody has computed them.
    """
    if s is not None:
        return s
    return solve_three_diagonals(below, diagonal, above, neighbour_terms(F, B, w, m, v))


@frule.dispatch
def smooth_slopes_frule(
    tangents: Any, f: typeof_(smooth_slopes), m: ArrayOperand, *others: Any
) -> tuple[Any, Any]:
    """The tangent of the right side, and that of the solution."""
    _, m_dot, *dots = tangents
    b, b_dot = frule((NO_TANGENT, *dots[:3], m_dot, dots[3]), neighbour_terms, *others[:3], m, others[3])
    dots = [NO_TANGENT, *dots[4:7], b_dot, *dots[7:]]
    s, s_dot = frule(tuple(dots), solve_three_diagonals, *others[4:7], b, *others[7:])
    return s, s_dot


@rrule.dispatch
def smooth_slopes_rrule(f: typeof_(smooth_slopes), m: ArrayOperand, *others: Any) -> tuple[Any, Any]:
    """The cotangent solves the transposed system, and is that of the right side."""
    s, (F, B, w, v, below, diagonal, above) = smooth_slopes(m, *others), others[:7]

    def smooth_slopes_pullback(s_bar: Any) -> Any:
        b_bar = solve_three_diagonals(above, diagonal, below, s_bar)
        *factors_bar, m_bar, v_bar = _pull_terms(b_bar, F, B, w, m, v)
        bars = m_bar, *factors_bar, v_bar, *pull_diagonals(b_bar, s)
        return NO_TANGENT, *bars, *(NO_TANGENT,) * (len(others) - 7)

    return s, smooth_slopes_pullback


def smooth_maps(h: Any, _differences: Any, bc_type: Any, _known: Any = None) -> Any:
    """The linear map of tangents of the differences to those of the slopes, and its adjoint."""
    F, B, w, _, below, diagonal, above = smooth_system(h, bc_type)

    def push(m_dot: Any) -> Any:
        b_dot = neighbour_terms(F, B, w, m_dot, np.zeros((2, 1)))
        return solve_three_diagonals(below, diagonal, above, b_dot)

    return push, lambda s_bar: _transposed(F, B, w, solve_three_diagonals(above, diagonal, below, s_bar))


# --- Slopes that SciPy has computed ------------------------------------------------------------------------


@primitive
def monotone_slopes(m: Any, h: Any, s: Any) -> Any:
    """The slopes `s` of `PchipInterpolator`, as functions of the widths and differences.

    They are weighted harmonic means of neighbouring differences, and 0 unless these have the same sign. At an
    end the slope is that of a parabola through three points, or less for the sake of monotony.

    Parameters
    ----------
    m
        Shape ``(n - 1, e)``: the differences, at least two.
    h
        Shape ``(n - 1, 1)``: the widths.
    s
        Shape ``(n, e)``.
    """
    return s


def _means(h: Any, m: Any, s: Any) -> tuple[Any, Any, Any]:
    """The inner slopes beside the differences before and after, and the sum of their weights."""
    m = m + (primal_of(m) == 0.0)  # where the slope is 0
    return s[1:-1] / m[:-1], s[1:-1] / m[1:], 3.0 * (h[:-1] + h[1:])


def _at_ends(h: Any, m: Any) -> tuple[Any, Any, Any]:
    """The first of two widths over their sum; which slopes are 0, and which three times the difference."""
    near = _next_to_ends(m)
    share, m0, m1 = h[[0, -1]] / (h[[0, -1]] + h[near]), m[[0, -1]], m[near]
    signs = [np.sign(primal_of(x)) for x in (m0 + share * (m0 - m1), m0, m1)]
    is_steep = np.abs(primal_of(m0 + share * (m0 - m1))) > 3.0 * np.abs(primal_of(m0))
    return share, signs[0] != signs[1], (signs[1] != signs[2]) & is_steep


def _by_differences(h: Any, m: Any, s: Any) -> tuple[Any, Any, Any]:
    """The factors of `neighbour_terms` for the tangents of the differences."""
    r0, r1, width = _means(h, m, s)
    by_before, by_after = r0 * r0 * (2.0 * h[1:] + h[:-1]) / width, r1 * r1 * (h[1:] + 2.0 * h[:-1]) / width
    share, is_flat, is_steep = _at_ends(h, m)
    ends = np.where(is_flat, 0.0, np.where(is_steep, 3.0, 1.0 + share))
    factors = np.concatenate([ends[:1], by_after]), np.concatenate([by_before, ends[1:]])
    return *factors, np.where(is_flat | is_steep, 0.0, -share)


def _by_widths(h: Any, m: Any, s: Any) -> tuple[Any, Any, Any]:
    """The factors for those of the widths."""
    r0, r1, width = _means(h, m, s)
    inner = s[1:-1] / width
    by_before, by_after = inner * (3.0 - r0 - 2.0 * r1), inner * (3.0 - 2.0 * r0 - r1)
    share, is_flat, is_steep = _at_ends(h, m)
    near = _next_to_ends(m)
    bend = (m[[0, -1]] - m[near]) / (h[[0, -1]] + h[near])
    bend = np.where(is_flat | is_steep, 0.0, bend)
    ends = (1.0 - share) * bend
    factors = np.concatenate([ends[:1], by_after]), np.concatenate([by_before, ends[1:]])
    return *factors, -share * bend


def monotone_maps(h: Any, differences: Any, _option: None, known: Any) -> Any:
    """The linear map of tangents of the differences to those of the slopes, and its adjoint."""
    m = differences()
    factors = _by_differences(h, m, monotone_slopes(m, h, slopes_of(h, known)))
    return (
        lambda m_dot: neighbour_terms(*factors, m_dot, np.zeros((2, 1))),
        lambda s_bar: _transposed(*factors, s_bar),
    )


@frule.dispatch
def monotone_slopes_frule(
    tangents: Any, f: typeof_(monotone_slopes), m: ArrayOperand, h: ArrayOperand, s: ArrayOperand
) -> tuple[Any, Any]:
    """The terms of the tangents."""
    s, zero = monotone_slopes(m, h, s), np.zeros((2, 1))
    terms = [
        neighbour_terms(*factors(h, m, s), dot, zero)
        for factors, dot in zip((_by_differences, _by_widths), tangents[1:3], strict=True)
        if not isinstance(dot, AbstractZero)
    ]
    return s, sum(terms[1:], terms[0])


@rrule.dispatch
def monotone_slopes_rrule(
    f: typeof_(monotone_slopes), m: ArrayOperand, h: ArrayOperand, s: ArrayOperand
) -> tuple[Any, Any]:
    """The transposed terms."""
    s = monotone_slopes(m, h, s)

    def monotone_slopes_pullback(s_bar: Any) -> Any:
        h_bar = Thunk(lambda: unbroadcast(h, _transposed(*_by_widths(h, m, s), s_bar)))
        return NO_TANGENT, Thunk(lambda: _transposed(*_by_differences(h, m, s), s_bar)), h_bar, NO_TANGENT

    return s, monotone_slopes_pullback


@primitive
def akima_slopes(m: Any, damping: float, s: Any) -> Any:
    """The slopes `s` of `Akima1DInterpolator`, as functions of the differences.

    They are means of the differences beside a point, each with the change on the other side as its weight.
    Where both weights vanish, SciPy takes the mean of the outer differences.

    Parameters
    ----------
    m
        Shape ``(n - 1, e)``: the differences, at least two; beyond the ends they go on as at the ends.
    damping
        The share of the outer means in the weights: 0, or 0.5 of the modified method.
    s
        Shape ``(n, e)``.
    """
    return s


# The two differences beyond an end, by the two next to it.
_BEYOND = np.array([[3.0, -2.0], [2.0, -1.0]])


def _extended(m: Any) -> Any:
    """The differences, with two more at each end."""
    return np.concatenate([_BEYOND @ m[:2], m, _BEYOND[::-1, ::-1] @ m[-2:]])


def _pull_extended(after: Any, before: Any, to_after: Any, to_before: Any) -> Any:
    """The cotangent of the differences.

    Parameters
    ----------
    after, before
        What each two neighbours of those that go on give to the latter, and take from the former.
    to_after, to_before
        What each point gives to the difference after it, and to that before.
    """
    m_bar = after[1:-2] - before[2:-1] + to_after[:-1] + to_before[1:]
    first = np.concatenate([-before[:1], after[:1] - before[1:2] + to_before[:1]])
    last = np.concatenate([after[-2:-1] - before[-1:] + to_after[-1:], after[-1:]])
    first, last = _BEYOND.T @ first, _BEYOND[::-1, ::-1].T @ last
    if len(m_bar) < 4:  # an end is near to the other
        return m_bar + scatter(np.concatenate([first, last]), m_bar, np.array([0, 1, -2, -1]) % len(m_bar))
    return np.concatenate([m_bar[:2] + first, m_bar[2:-2], m_bar[-2:] + last])


def akima_maps(_h: Any, differences: Any, damping: float, _known: Any = None) -> Any:
    """The linear map of tangents of the differences to those of the slopes, and its adjoint."""
    m = _extended(differences())
    changes = m[1:] - m[:-1]
    weights, rises = np.abs(changes), np.sign(changes)
    if damping:
        means = m[1:] + m[:-1]
        weights, drifts = weights + damping * np.abs(means), damping * np.sign(means)
    both = weights[:-2] + weights[2:]
    least = 1e-9 * np.max(primal_of(both), initial=0.0)
    half = None
    if np.min(primal_of(both), initial=np.inf) <= least:  # the mean of the outer differences
        is_even = primal_of(both) <= least
        both, half = both + is_even, 0.5 * is_even
    share, step = weights[:-2] / both, changes[1:-1] / both
    if half is not None:
        share, step = np.where(is_even, 0.5, share), np.where(is_even, 0.0, step)

    def push(m_dot: Any) -> Any:
        m_dot = _extended(m_dot)
        changes_dot = m_dot[1:] - m_dot[:-1]
        weights_dot = rises * changes_dot
        if damping:
            weights_dot = weights_dot + drifts * (m_dot[1:] + m_dot[:-1])
        by_share = weights_dot[:-2] - share * (weights_dot[:-2] + weights_dot[2:])
        s_dot = m_dot[1:-2] + share * changes_dot[1:-1] + step * by_share
        return s_dot if half is None else s_dot + half * (changes_dot[2:] - changes_dot[:-2])

    def pull(s_bar: Any) -> Any:
        by_share, after = step * s_bar, share * s_bar
        rest = share * by_share
        more = by_share - rest
        weights_bar = np.concatenate([more[:2], more[2:] - rest[:-2], -rest[-2:]])
        changes_bar = rises * weights_bar
        if half is not None:
            outer = half * s_bar
            zeros = 0.0 * outer[:2]
            changes_bar = changes_bar + np.concatenate([zeros, outer]) - np.concatenate([outer, zeros])
        pair = changes_bar, changes_bar
        if damping:
            means_bar = drifts * weights_bar
            pair = changes_bar + means_bar, changes_bar - means_bar
        return _pull_extended(*pair, after, s_bar - after)

    return push, pull


@frule.dispatch
def akima_slopes_frule(
    tangents: Any, f: typeof_(akima_slopes), m: ArrayOperand, damping: float, s: ArrayOperand
) -> tuple[Any, Any]:
    """The map of the tangents."""
    return akima_slopes(m, damping, s), akima_maps(None, lambda: m, damping)[0](tangents[1])


@rrule.dispatch
def akima_slopes_rrule(
    f: typeof_(akima_slopes), m: ArrayOperand, damping: float, s: ArrayOperand
) -> tuple[Any, Any]:
    """The adjoint map."""

    def akima_slopes_pullback(s_bar: Any) -> Any:
        return NO_TANGENT, akima_maps(None, lambda: m, damping)[1](s_bar), NO_TANGENT, NO_TANGENT

    return akima_slopes(m, damping, s), akima_slopes_pullback
