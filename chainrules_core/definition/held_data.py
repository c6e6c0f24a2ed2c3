"""Whether a function holds numbers or arrays beside its code, for which a scalar rule has no tangent."""

import types
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.fields import backing, field_names


def check_holds_no_data(primal: Any) -> None:
    """Raise if a function to be given a scalar rule holds something that has a tangent.

    Raises
    ------
    RuleDefinitionError
        If it is a closure over numbers, a bound method, or a callable object that holds some.
    """
    mend = "Write its `frule` and `rrule` out, with a tangent for what it holds."
    if is_functor(primal) and not _is_made_of_functions(primal):
        raise RuleDefinitionError(f"it is an instance of {type(primal).__qualname__} that is called. {mend}")
    if isinstance(primal, types.MethodType):
        raise RuleDefinitionError(f"it is a method bound to {primal.__self__!r}. {mend}")
    if isinstance(primal, types.FunctionType):
        data = [name for name, value in backing(primal).items() if isinstance(value, _DATA)]
        if data:
            raise RuleDefinitionError(f"it is a closure over {', '.join(data)}. {mend}")


# What may have a tangent where a closure holds it; integers are settings, such as an order or a length.
_DATA = (float, complex, np.inexact, AbstractArray)


def is_functor(primal: Any) -> bool:
    """Whether it is an instance of a class that is called, and no function."""
    if isinstance(primal, type):
        return False
    return not hasattr(primal, "__name__") or isinstance(type(primal).__call__, types.FunctionType)


def _is_made_of_functions(functor: Any) -> bool:
    """Whether a callable dataclass, such as a gradient, holds only functions without data, and settings."""
    if not is_dataclass(functor):
        return False
    parts = backing(functor).values()
    return not any(
        isinstance(part, _DATA) or (field_names(part) and not _is_function_without_data(part))
        for part in parts
    )


def _is_function_without_data(x: Any) -> bool:
    if isinstance(x, types.FunctionType):
        return not any(isinstance(part, _DATA) or field_names(part) for part in backing(x).values())
    return _is_made_of_functions(x)
