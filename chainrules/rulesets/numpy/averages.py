"""Rules for averages and variances."""

from typing import Any

import numpy as np

from chainrules.operands import Operand
from chainrules.reductions import number_reduced, read_reduction, spread
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk


@frule.dispatch
def mean_frule(
    tangents: Any, f: typeof_(np.mean), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    read_reduction("np.mean", x, *options, **named)
    return np.mean(x, *options, **named), np.mean(unthunk(tangents[1]), *options, **named)


@rrule.dispatch
def mean_rrule(f: typeof_(np.mean), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    reduction = read_reduction("np.mean", x, *options, **named)
    project = ProjectTo(x)

    def mean_pullback(y_bar: Any) -> tuple[Any, ...]:
        x_bar = spread(unthunk(y_bar) / number_reduced(x, reduction), x, reduction)
        return NoTangent(), project(x_bar), *(NoTangent() for _ in options)

    return np.mean(x, *options, **named), mean_pullback
