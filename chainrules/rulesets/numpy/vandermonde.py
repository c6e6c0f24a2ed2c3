"""Rules for Vandermonde matrices, whose columns are powers of a vector: ``y_ij = x_i^(p_j)``."""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_as_array
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_


@frule.dispatch
def vander_frule(tangents: Any, f: typeof_(np.vander), x: ArrayOperand, *options: Any, **named: Any):
    y = np.vander(x, *options, **named)
    x_dot = tangent_as_array(x, tangents[1])
    return y, _power_slopes(x, *options, **named) * np.expand_dims(x_dot, -1)


@rrule.dispatch
def vander_rrule(f: typeof_(np.vander), x: ArrayOperand, *options: Any, **named: Any):
    project = ProjectTo(x)

    def vander_pullback(y_bar):
        x_bar = np.sum(y_bar * np.conj(_power_slopes(x, *options, **named)), axis=1)
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(options)

    return np.vander(x, *options, **named), vander_pullback


def _power_slopes(x: Any, N: Any = None, increasing: bool = False) -> Any:
    """The derivative of each power."""
    (rows,) = shape_of(x)
    powers = np.arange(rows if N is None else N)
    # The derivative of the power 0, which is 1, is 0, also at 0.
    slopes = powers * np.expand_dims(x, -1) ** np.maximum(powers - 1, 0)
    return slopes if increasing else np.flip(slopes, 1)
