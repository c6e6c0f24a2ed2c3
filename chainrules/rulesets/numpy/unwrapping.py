"""Rules for `numpy.unwrap`: it adds multiples of the period to phases, which have no derivative."""

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_


@frule.dispatch
def unwrap_frule(tangents, f: typeof_(np.unwrap), x: ArrayOperand, *options, **named):
    y = np.unwrap(x, *options, **named)
    return y, ProjectTo(y)(tangents[1])


@rrule.dispatch
def unwrap_rrule(f: typeof_(np.unwrap), x: ArrayOperand, *options, **named):
    project = ProjectTo(x)

    def unwrap_pullback(y_bar):
        return NO_TANGENT, project(y_bar), *(NO_TANGENT,) * len(options)

    return np.unwrap(x, *options, **named), unwrap_pullback
