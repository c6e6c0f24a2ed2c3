"""Rules for grids: each array of a grid repeats the coordinates of one axis."""

from typing import Any

import numpy as np

from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import cotangents_of, tangent_of, tangents_of
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_


@frule.dispatch
def meshgrid_frule(tangents: Any, f: typeof_(np.meshgrid), *xs: Operand, **named: Any):
    ys = np.meshgrid(*xs, **named)
    return ys, tangent_of(ys, np.meshgrid(*tangents_of(xs, tangents[1:]), **named))


@rrule.dispatch
def meshgrid_rrule(f: typeof_(np.meshgrid), *xs: Operand, **named: Any):
    ys = np.meshgrid(*xs, **named)
    axes = list(range(len(xs)))
    if named.get("indexing", "xy") == "xy":
        axes[:2] = axes[1::-1]

    def meshgrid_pullback(ys_bar):
        bars = [
            np.sum(y_bar, axis=tuple(other for other in axes if other != axis))
            for y_bar, axis in zip(cotangents_of(ys, ys_bar), axes, strict=True)
        ]
        return NO_TANGENT, *(
            ProjectTo(x)(np.reshape(x_bar, shape_of(x))) for x, x_bar in zip(xs, bars, strict=True)
        )

    return ys, meshgrid_pullback


@frule.dispatch
def ix_frule(tangents: Any, f: typeof_(np.ix_), *xs: Operand):
    ys = np.ix_(*xs)
    dots = tangents_of(xs, tangents[1:])
    return ys, tangent_of(ys, (np.reshape(dot, shape_of(y)) for dot, y in zip(dots, ys, strict=True)))


@rrule.dispatch
def ix_rrule(f: typeof_(np.ix_), *xs: Operand):
    ys = np.ix_(*xs)

    def ix_pullback(ys_bar):
        bars = cotangents_of(ys, ys_bar)
        return NO_TANGENT, *(np.reshape(x_bar, shape_of(x)) for x, x_bar in zip(xs, bars, strict=True))

    return ys, ix_pullback
