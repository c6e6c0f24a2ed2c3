"""The natural and the structural form of tangents and cotangents, also where they are parts of others.

They are made by `to_natural` and `to_structural` of `chainrules_core`, for structured arrays, and for classes
with methods of these functions and of `to_vec`. The tangents of all other classes have one form.
"""

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import StructuralTangent, primal_type, to_natural, to_structural, unthunk_fully
from chainrules_core.structured import StructuredArray
from chainrules_testutils.values.parts import parts
from chainrules_testutils.values.structured_arrays import pushed_fields
from chainrules_testutils.values.to_vec import is_structure

_ANY = object()
_OF_ONE_FORM = (np.ndarray, numbers.Number, tuple, list, dict)


def natural_cotangent(x: Any, x_bar: Any) -> Any:
    """A cotangent of `x` with its natural form wherever there is one."""
    return _in_other_form(x, x_bar, _naturally)


def natural_tangent(x: Any, x_dot: Any) -> Any:
    """A tangent of `x` in forward mode with its natural form wherever there is one."""
    return _in_other_form(x, x_dot, _pushed_form)


def structural_cotangent(x: Any, x_bar: Any) -> Any:
    """The structural form of a natural cotangent of `x`; `None` if it has none."""
    if isinstance(x, _OF_ONE_FORM) or isinstance(x_bar, StructuralTangent):
        return None
    return to_structural(x, x_bar) if _knows(to_structural, x, x_bar) else None


def _in_other_form(x: Any, x_bar: Any, convert: Callable[[Any, Any], Any]) -> Any:
    structural = unthunk_fully(x_bar)
    if not isinstance(structural, StructuralTangent):
        return x_bar  # and not the value of the thunk, which may know how to be added in place
    if not is_structure(x):
        return convert(x, structural)
    below, given = parts(x), parts(structural)
    new = [_in_other_form(below.get(name), field, convert) for name, field in given.items()]
    if all(field is given_field for field, given_field in zip(new, given.values(), strict=True)):
        return x_bar
    fields = iter(new)
    return StructuralTangent.map(structural, lambda _: next(fields))


def _naturally(x: Any, x_bar: Any) -> Any:
    return to_natural(x, x_bar) if _knows(to_natural, x, x_bar) else x_bar


def _pushed_form(x: Any, x_dot: Any) -> Any:
    is_of_fields = isinstance(x, StructuredArray) and primal_type(x_dot) is type(x)
    return pushed_fields(x, x_dot) if is_of_fields else x_dot


def _knows(convert: Any, x: Any, x_bar: Any) -> bool:
    """Whether a conversion has a method for primals of this type, beside those for every primal."""
    method, _ = convert.resolve_method((x, x_bar))
    return method is not convert.resolve_method((_ANY, x_bar))[0]
