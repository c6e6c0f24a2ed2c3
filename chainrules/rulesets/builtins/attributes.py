"""Rules for attributes: the fields of dataclasses and other objects, and the attributes of arrays.

A property is none of the fields that it is computed from, and has no rule: it is differentiated by looking
into its code.
"""

from typing import Any

import numpy as np

from chainrules.makers.mutation_refusals import refuse_mutation
from chainrules.values.operands import Operand
from chainrules_core import (
    NoTangent,
    NoTangentProjector,
    ProjectTo,
    StructuralTangent,
    Tangent,
    field_names,
    frule,
    primal_of,
    rrule,
    typeof_,
    unthunk,
)

# What the attributes of arrays and numbers that depend on the elements are in terms of functions.
FUNCTIONS = {"T": np.transpose, "imag": np.imag, "real": np.real}
CONSTANTS = {"dtype", "itemsize", "nbytes", "ndim", "shape", "size"}

# --- Of arrays and numbers ---------------------------------------------------------------------------------


@frule.dispatch
def getattr_of_array_frule(tangents: Any, f: typeof_(getattr), x: Operand, name: str) -> Any:
    if name in CONSTANTS:
        return getattr(x, name), NoTangent()
    return frule(tangents[:2], FUNCTIONS[name], x) if name in FUNCTIONS else None


@rrule.dispatch
def getattr_of_array_rrule(f: typeof_(getattr), x: Operand, name: str) -> Any:
    if name not in FUNCTIONS:
        return (getattr(x, name), constant_attribute_pullback) if name in CONSTANTS else None
    y, pullback = rrule(FUNCTIONS[name], x)

    def getattr_pullback(y_bar: Any) -> Any:
        return *pullback(y_bar), NoTangent()

    return y, getattr_pullback


def constant_attribute_pullback(y_bar: Any) -> tuple[Any, ...]:
    return NoTangent(), NoTangent(), NoTangent()


# --- Of objects with fields --------------------------------------------------------------------------------


@frule.dispatch
def getattr_frule(tangents: Any, f: typeof_(getattr), x: Any, name: str, *default: Any) -> Any:
    if name not in field_names(primal_of(x)):
        return None
    y = getattr(x, name)
    x_dot = unthunk(tangents[1])
    y_dot = x_dot[name] if isinstance(x_dot, StructuralTangent) else getattr(x_dot, name)
    return y, NoTangent() if isinstance(ProjectTo(y), NoTangentProjector) else y_dot


@rrule.dispatch
def getattr_rrule(f: typeof_(getattr), x: Any, name: str, *default: Any) -> Any:
    if name not in field_names(primal_of(x)):
        return None
    y = getattr(x, name)
    project = ProjectTo(y)

    def getattr_pullback(y_bar: Any) -> Any:
        y_bar = project(unthunk(y_bar))
        tangent_class: Any = Tangent[type(primal_of(x))]  # type: ignore[misc]  # made at run time
        x_bar = y_bar if isinstance(y_bar, NoTangent) else tangent_class(**{name: y_bar})
        return NoTangent(), x_bar, *(NoTangent() for _ in (name, *default))

    return y, getattr_pullback


refuse_mutation(setattr, object, "Make a new object, with `dataclasses.replace` for one.")
refuse_mutation(delattr, object, "Make a new object without the attribute.")
