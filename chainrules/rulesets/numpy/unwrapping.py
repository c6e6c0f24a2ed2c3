"""Rules for `numpy.unwrap`: what is added to phases are multiples of the period, which have no derivative."""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk


@frule.dispatch
def unwrap_frule(
    tangents: Any, f: typeof_(np.unwrap), x: ArrayOperand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    y = np.unwrap(x, *options, **named)
    return y, ProjectTo(y)(unthunk(tangents[1]))


@rrule.dispatch
def unwrap_rrule(f: typeof_(np.unwrap), x: ArrayOperand, *options: Any, **named: Any) -> tuple[Any, Any]:
    project = ProjectTo(x)

    def unwrap_pullback(y_bar: Any) -> Any:
        return NoTangent(), project(unthunk(y_bar)), *(NoTangent() for _ in options)

    return np.unwrap(x, *options, **named), unwrap_pullback
