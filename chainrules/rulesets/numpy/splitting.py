"""Rules for splitting arrays: the cotangents of the pieces are joined again."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import places_in, returned
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import cotangents_of, tangent_of
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_


def _splitting_rules(primal: Callable[..., Any], joined: Callable[..., Any]) -> None:
    """Define the rules of a function that cuts an array; ``joined(pieces, *options, **named)`` undoes it."""

    @frule.dispatch
    def split_frule(tangents: Any, f: typeof_(primal), x: ArrayOperand, *options: Any, **named: Any):
        x_dot = tangents[1]
        ys = primal(x, *options, **named)
        return ys, tangent_of(ys, primal(x_dot, *options, **named))

    @rrule.dispatch
    def split_rrule(f: typeof_(primal), x: ArrayOperand, *options: Any, **named: Any):
        ys = primal(x, *options, **named)
        project = ProjectTo(x)
        shape = shape_of(x)

        def split_pullback(ys_bar):
            bars = cotangents_of(ys, ys_bar)
            x_bar = joined(bars, *options, **named)
            if shape_of(x_bar) != shape:  # indices that do not ascend make pieces that overlap
                places = primal(places_in(shape), *options, **named)
                x_bar = returned(_raveled(bars), shape, _raveled(places))
            return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(options)

        return ys, split_pullback


def _raveled(xs: Any) -> Any:
    return np.concatenate([np.ravel(x) for x in xs])


def _joined_pieces(bars: Any, _: Any, axis: int = 0) -> Any:
    return np.concatenate(bars, axis)


_splitting_rules(np.split, _joined_pieces)
_splitting_rules(np.array_split, _joined_pieces)
_splitting_rules(np.vsplit, _joined_pieces)
_splitting_rules(np.hsplit, lambda bars, _: np.concatenate(bars, min(1, len(shape_of(bars[0])) - 1)))
_splitting_rules(np.dsplit, lambda bars, _: np.concatenate(bars, 2))

_splitting_rules(np.unstack, lambda bars, axis=0: np.stack(bars, axis))
