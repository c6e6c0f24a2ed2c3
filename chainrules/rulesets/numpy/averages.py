"""Rules for averages and variances."""

from typing import Any

import numpy as np
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk

from chainrules.operands import Operand, refuse_out
from chainrules.reductions import number_reduced, spread


@frule.dispatch
def mean_frule(tangents: tuple, f: typeof_(np.mean), x: Operand, *options: object, **named: Any) -> tuple[Any, Any]:
    _mean_arguments(*options, **named)
    return np.mean(x, *options, **named), np.mean(unthunk(tangents[1]), *options, **named)


@rrule.dispatch
def mean_rrule(f: typeof_(np.mean), x: Operand, *options: object, **named: Any) -> tuple[Any, Any]:
    axis, keepdims, where = _mean_arguments(*options, **named)
    project = ProjectTo(x)
    number = number_reduced(x, axis, where, keepdims=keepdims)

    def mean_pullback(y_bar: Any) -> tuple[Any, ...]:
        with np.errstate(divide="ignore", invalid="ignore"):  # the mean of nothing
            x_bar = spread(unthunk(y_bar) / number, x, axis, keepdims=keepdims)
        if where is not True:
            x_bar = np.where(where, x_bar, 0)
        return NoTangent(), project(x_bar), *(NoTangent() for _ in options)

    return np.mean(x, *options, **named), mean_pullback


def _mean_arguments(
    axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> tuple[Any, bool, Any]:
    refuse_out("np.mean", out)
    return axis, keepdims, where
