"""Rules for sums."""

from typing import Any

import numpy as np
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk

from chainrules.operands import Operand, refuse_out
from chainrules.reductions import spread


@frule.dispatch
def sum_frule(tangents: tuple, f: typeof_(np.sum), x: Operand, *options: object, **named: Any) -> tuple[Any, Any]:
    arguments = _sum_arguments(*options, **named)
    del arguments["initial"]  # it adds a constant
    return np.sum(x, *options, **named), np.sum(unthunk(tangents[1]), **arguments)


@rrule.dispatch
def sum_rrule(f: typeof_(np.sum), x: Operand, *options: object, **named: Any) -> tuple[Any, Any]:
    arguments = _sum_arguments(*options, **named)
    project = ProjectTo(x)

    def sum_pullback(y_bar: Any) -> tuple[Any, ...]:
        x_bar = spread(unthunk(y_bar), x, arguments["axis"], keepdims=arguments["keepdims"])
        if arguments["where"] is not True:
            x_bar = np.where(arguments["where"], x_bar, 0)
        return NoTangent(), project(x_bar), *(NoTangent() for _ in options)

    return np.sum(x, *options, **named), sum_pullback


def _sum_arguments(
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = 0,
    where: Any = True,
) -> dict[str, Any]:
    refuse_out("np.sum", out)
    return {"axis": axis, "dtype": dtype, "keepdims": keepdims, "initial": initial, "where": where}
