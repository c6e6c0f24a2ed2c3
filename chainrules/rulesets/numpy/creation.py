"""Rules for the creation of arrays. A value that fills an array gets the sum of all cotangents."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.makers.linear_rules import tangent_like
from chainrules.values.operands import Operand
from chainrules.values.several_arrays import tangent_as_array
from chainrules_core import NO_TANGENT, frule, non_differentiable, primitive, rrule, typeof_, unbroadcast

non_differentiable(np.zeros_like, np.ones_like, np.empty_like)
non_differentiable(np.zeros, np.ones, np.empty, np.eye, np.identity, np.tri)


def _filling_rules(primal: Callable[..., Any]) -> None:
    """Define the rules of a function that fills an array like its first argument with its second."""
    fill = primitive(primal)

    @frule.dispatch
    def fill_frule(tangents: Any, f: typeof_(primal), like: Any, value: Operand, *options: Any, **named: Any):
        y = fill(like, value, *options, **named)
        value_dot = np.broadcast_to(tangent_as_array(value, tangents[2]), y.shape)
        return y, tangent_like(y, value_dot)

    @rrule.dispatch
    def fill_rrule(f: typeof_(primal), like: Any, value: Operand, *options: Any, **named: Any):
        def fill_pullback(y_bar):
            value_bar = unbroadcast(value, y_bar)
            return NO_TANGENT, NO_TANGENT, value_bar, *(NO_TANGENT,) * len(options)

        return fill(like, value, *options, **named), fill_pullback


_filling_rules(np.full)
_filling_rules(np.full_like)
