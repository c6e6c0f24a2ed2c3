"""Rules for `numpy.piecewise`: a function for the elements that meet each condition.

Where conditions overlap, the last counts. Where none is met the result is 0. The functions and the constants
among them get cotangents; the conditions are constants.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.calls.calling_back import total_of
from chainrules.operations.casting import astype
from chainrules.operations.scatter import scatter
from chainrules.values.iterables import item_tangents, iterable_cotangent, zeros_if_zero
from chainrules.values.operands import Operand
from chainrules.values.permutations import in_memory_like
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    ProjectTo,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    primal_of,
    rrule,
    rrule_via_ad,
    typeof_,
    unbroadcast,
    unthunk,
)


@frule.dispatch
def piecewise_frule(  # noqa: PLR0913, PLR0917 - those of NumPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents,
    f: typeof_(np.piecewise),
    x: Operand,
    conditions,
    functions,
    *args,
    **named,
):
    x, x_dot = number_as_array(x), number_as_array(zeros_if_zero(x, tangents[1]))
    pieces = pieces_of(x, conditions, functions)
    pairs = []
    for piece, g_dot in zip(pieces, item_tangents(tangents[3], len(pieces)), strict=True):
        pair = piece.g, g_dot
        if piece.calls:
            dots = (g_dot, x_dot[piece.mask], *tangents[4:])
            pair = frule_via_ad(config, dots, piece.g, x[piece.mask], *args, **named)
        pairs.append(pair)
    y = joined(x, pieces, [value for value, _ in pairs])
    return y, joined(x, pieces, [dot for _, dot in pairs]) if primal_of(y).dtype.kind in "fc" else NO_TANGENT


@rrule.dispatch
def piecewise_rrule(
    config: RuleConfig[HasReverseMode],
    f: typeof_(np.piecewise),
    x: Operand,
    conditions,
    functions,
    *args,
    **named,
):
    project, x = ProjectTo(x), number_as_array(x)
    pieces = pieces_of(x, conditions, functions)
    calls = [
        rrule_via_ad(config, piece.g, x[piece.mask], *args, **named) if piece.calls else (piece.g, None)
        for piece in pieces
    ]
    y = joined(x, pieces, [value for value, _ in calls])

    def piecewise_pullback(y_bar):
        x_bar: Any = ZeroTangent()
        g_bars: list[Any] = []
        arg_bars: list[list[Any]] = [[] for _ in args]
        for piece, (value, pullback) in zip(pieces, calls, strict=True):
            value_bar = piece.picked(y_bar)
            if pullback is None:
                g_bars.append(ZeroTangent() if callable(piece.g) else unbroadcast(value, value_bar))
                continue
            g_bar, part_bar, *bars = pullback(unbroadcast(value, value_bar))
            g_bars.append(g_bar)
            if not isinstance(part_bar := unthunk(part_bar), AbstractZero):
                x_bar = x_bar + scatter(part_bar, x, piece.mask)
            for below, bar in zip(arg_bars, bars, strict=True):
                below.append(bar)
        functions_bar = iterable_cotangent(functions, [piece.g for piece in pieces], g_bars)
        return NO_TANGENT, project(x_bar), NO_TANGENT, functions_bar, *map(total_of, arg_bars)

    return y, piecewise_pullback if primal_of(y).dtype.kind in "fc" else constant_pullback(3 + len(args))


class Piece(NamedTuple):
    """One of the functions, or a constant.

    Attributes
    ----------
    g
        The function.
    mask
        Where its condition is met.
    kept
        Where its condition is the last one that is met, so that this piece counts.
    """

    g: Any
    mask: Any
    kept: Any

    @property
    def calls(self) -> bool:
        """Whether the function is called, as it is not for no elements."""
        return callable(self.g) and bool(self.mask.any())

    def picked(self, values):
        """The values of the elements that meet the condition, but 0 wherever a later piece counts."""
        return np.where(self.kept[self.mask], values[self.mask], 0)


def pieces_of(x, conditions, functions) -> list[Piece]:
    """The pieces; if there is one function more than conditions, the last is for elements that meet none."""
    if np.isscalar(conditions) or (shape_of(x) and not isinstance(conditions[0], list | np.ndarray)):
        conditions = [conditions]
    masks = [np.reshape(np.asarray(condition, dtype=bool), shape_of(x)) for condition in conditions]
    if len(masks) == len(functions) - 1:
        masks.append(~np.any(masks, axis=0))
    if len(masks) != len(functions):
        np.piecewise(primal_of(x), conditions, functions)  # NumPy's own error
    later = np.zeros(shape_of(x), dtype=bool)
    pieces = []
    for g, mask in zip(reversed(functions), reversed(masks), strict=True):
        pieces.append(Piece(g, mask, mask & ~later))
        later |= mask
    return pieces[::-1]


def joined(x, pieces: list[Piece], values: list[Any]):
    """One array in the dtype of the argument, from the values of the pieces or from their tangents."""
    y: Any = np.zeros(shape_of(x))
    for piece, value in zip(pieces, values, strict=True):
        if not (callable(value) or isinstance(value, AbstractZero)):  # functions that are not called
            y = y + scatter(np.where(piece.kept[piece.mask], value, 0), x, piece.mask)
    return in_memory_like(x, np.reshape(np.ravel(astype(y, np.result_type(primal_of(x)))), shape_of(x)))


def number_as_array(x):
    """A number as an array without axes; an array as it is."""
    return np.reshape(x, shape_of(x))


def constant_pullback(n: int):
    """The pullback of a result that is cut to integers."""

    def piecewise_pullback(y_bar):
        return (NO_TANGENT,) * (1 + n)

    return piecewise_pullback
