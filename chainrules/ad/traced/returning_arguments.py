"""Functions that return what they are given, or a view of it."""

import types
from typing import Any

import numpy as np

from chainrules.ad.values.facts import FACTS, NOTHING, fact, fact_of
from chainrules.operations.casting import astype
from chainrules_core import unwrap_primitive

CLASSES_OF_NUMPY = frozenset({np.ufunc, type(np.sum)})

# Functions in C, those of operators, containers and iterators.
_CLASSES_OF_C = frozenset(
    {types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, type}
)

_MODULES_OF_C = frozenset({"builtins", "itertools", "numpy"})

# As rules and programs call it.
fact(astype, unwrap_primitive(astype), returns=("its argument",))


def returns_its_argument(f: Any) -> bool:
    """Whether a function may return what it is given, as `max`, `dict.get` and people's own functions do."""
    if f.__class__ in CLASSES_OF_NUMPY:
        return "its argument" in FACTS.get(f, NOTHING).returns
    return "a copy" not in fact_of(f).returns


def changes_nothing(f: Any) -> bool:
    """Whether what a function hands on has the derivative of the argument, as of functions of NumPy and in C.

    People's own functions have rules that say something else of what they return as it is: they clip a
    gradient, or reverse it.
    """
    if f.__class__ in CLASSES_OF_NUMPY:
        return True
    if f.__class__ in _CLASSES_OF_C:
        return "results of calls" not in fact_of(f).returns and (
            f.__class__ is not type or f.__module__ in _MODULES_OF_C
        )
    return "its argument" in fact_of(f).returns
