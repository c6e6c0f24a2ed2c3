"""Rules for attributes: the fields of dataclasses and other objects, and the attributes of arrays.

A property is no field: it is computed from fields, and has no rule. It is differentiated by looking into its
code.
"""

from typing import Any

import numpy as np

from chainrules.formulas.calls.fields import pull_field, push_field
from chainrules.makers.mutation_refusals import refuse_mutation
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, NonDifferentiablePullback, frule, rrule, typeof_

# The functions that give the attributes of arrays and numbers that depend on the elements.
FUNCTIONS = {"T": np.transpose, "imag": np.imag, "real": np.real}
CONSTANTS = {"dtype", "itemsize", "nbytes", "ndim", "shape", "size"}

# --- Of arrays and numbers ---------------------------------------------------------------------------------


@frule.dispatch
def getattr_of_array_frule(tangents: Any, f: typeof_(getattr), x: Operand, name: str):
    if name in CONSTANTS:
        return getattr(x, name), NO_TANGENT
    return frule.unchecked(tangents[:2], FUNCTIONS[name], x) if name in FUNCTIONS else None


@rrule.dispatch
def getattr_of_array_rrule(f: typeof_(getattr), x: Operand, name: str):
    if name not in FUNCTIONS:
        return (getattr(x, name), NonDifferentiablePullback(3)) if name in CONSTANTS else None
    y, pullback = rrule.unchecked(FUNCTIONS[name], x)

    def getattr_pullback(y_bar):
        return *pullback(y_bar), NO_TANGENT

    return y, getattr_pullback


# --- Of objects with fields --------------------------------------------------------------------------------


@frule.dispatch
def getattr_frule(tangents: Any, f: typeof_(getattr), x: Any, name: str, *default: Any):
    return push_field(x, name, tangents[1])


@rrule.dispatch
def getattr_rrule(f: typeof_(getattr), x: Any, name: str, *default: Any):
    answer = pull_field(x, name)
    if answer is None:
        return None
    y, pull = answer

    def getattr_pullback(y_bar):
        return NO_TANGENT, pull(y_bar), NO_TANGENT, *(NO_TANGENT,) * len(default)

    return y, getattr_pullback


refuse_mutation(setattr, object, "Make a new object, with `dataclasses.replace` for one.")
refuse_mutation(delattr, object, "Make a new object without the attribute.")
