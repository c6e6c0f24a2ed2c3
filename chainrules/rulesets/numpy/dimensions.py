"""Rules for changing the number of dimensions of arrays, and for repeating them along some."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.makers.linear_rules import linear_rule
from chainrules.shortcuts.numpy.dimensions import expand_dims_of_array, squeeze_of_array
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import cotangents_of, tangent_of, tangents_of
from chainrules_core import NO_TANGENT, frule, rrule, typeof_, unbroadcast


def _back_in_shape(y_bar, shape, *_, **__):
    return np.reshape(y_bar, shape)


linear_rule(np.expand_dims, _back_in_shape, shortcut=expand_dims_of_array)
linear_rule(np.squeeze, _back_in_shape, shortcut=squeeze_of_array)


@frule.dispatch
def broadcast_to_frule(tangents: Any, f: typeof_(np.broadcast_to), x: Operand, *options: Any, **named: Any):
    y = np.broadcast_to(x, *options, **named)
    return y, np.broadcast_to(tangents[1], y.shape)


@rrule.dispatch
def broadcast_to_rrule(f: typeof_(np.broadcast_to), x: Operand, *options: Any, **named: Any):
    def broadcast_to_pullback(y_bar):
        return NO_TANGENT, unbroadcast(x, y_bar), *(NO_TANGENT,) * len(options)

    return np.broadcast_to(x, *options, **named), broadcast_to_pullback


@frule.dispatch
def broadcast_arrays_frule(tangents: Any, f: typeof_(np.broadcast_arrays), *xs: Operand, **named: Any):
    ys = np.broadcast_arrays(*xs, **named)
    return ys, tangent_of(ys, np.broadcast_arrays(*tangents_of(xs, tangents[1:])))


@rrule.dispatch
def broadcast_arrays_rrule(f: typeof_(np.broadcast_arrays), *xs: Operand, **named: Any):
    ys = np.broadcast_arrays(*xs, **named)

    def broadcast_arrays_pullback(ys_bar):
        return NO_TANGENT, *map(unbroadcast, xs, cotangents_of(ys, ys_bar))

    return ys, broadcast_arrays_pullback


def _at_least_rules(primal: Callable[..., Any]) -> None:
    @frule.dispatch
    def at_least_frule(tangents: Any, f: typeof_(primal), *xs: Operand):
        ys = primal(*xs)
        dots = primal(*tangents_of(xs, tangents[1:]))
        return ys, dots if len(xs) == 1 else tangent_of(ys, dots)

    @rrule.dispatch
    def at_least_rrule(f: typeof_(primal), *xs: Operand):
        ys = primal(*xs)

        def at_least_pullback(ys_bar):
            bars = [ys_bar] if len(xs) == 1 else cotangents_of(ys, ys_bar)
            return NO_TANGENT, *(
                unbroadcast(x, np.reshape(bar, shape_of(x))) for x, bar in zip(xs, bars, strict=True)
            )

        return ys, at_least_pullback


_at_least_rules(np.atleast_1d)
_at_least_rules(np.atleast_2d)
_at_least_rules(np.atleast_3d)
