"""Functions that return what they are given, or a view of it."""

import copy
import functools
import itertools
import operator
import types
from typing import Any

import numpy as np

from chainrules.operations.casting import astype
from chainrules_core import unwrap_primitive

CLASSES_OF_NUMPY = frozenset({np.ufunc, type(np.sum)})

# Functions in C, those of operators, containers and iterators.
_CLASSES_OF_C = frozenset(
    {types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, type}
)

_MODULES_OF_C = frozenset({"builtins", "itertools", "numpy"})

# Functions that return an array that somebody holds, those of NumPy where there is nothing to do.
RETURNING_ARGUMENTS = frozenset(
    {
        np.asanyarray,
        np.asarray,
        np.asarray_chkfinite,
        np.ascontiguousarray,
        np.asfortranarray,
        np.atleast_1d,
        np.atleast_2d,
        np.atleast_3d,
        np.broadcast_arrays,
        np.nan_to_num,
        np.real,
        np.real_if_close,
        np.require,
        np.squeeze,
        getattr,
        astype,
        unwrap_primitive(astype),  # as rules call it
    }
)

_COPYING = frozenset({copy.copy, copy.deepcopy})

# What these return comes from the functions that they are given.
_CALLING = frozenset({functools.reduce, itertools.accumulate, itertools.starmap, map, operator.call})

# Functions whose views do not depend on the elements, so that they can be taken again of other ones. Some are
# younger than the oldest NumPy that is served.
_STRUCTURAL_NAMES = """
    array_split atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to diagonal dsplit expand_dims
    flip fliplr flipud hsplit imag matrix_transpose moveaxis permute_dims ravel real reshape rollaxis rot90
    split squeeze swapaxes transpose unstack vsplit
"""
STRUCTURAL = frozenset({operator.getitem}) | {
    getattr(np, name) for name in _STRUCTURAL_NAMES.split() if hasattr(np, name)
}


def hands_on(f: Any) -> bool:
    """Whether a function may return what it is given, as `max`, `dict.get` and people's own functions do."""
    if f.__class__ in CLASSES_OF_NUMPY:
        return f in RETURNING_ARGUMENTS
    return not is_in(f, _COPYING)


def changes_nothing(f: Any) -> bool:
    """Whether what a function hands on has the derivative of the argument, as of functions of NumPy and in C.

    People's own functions have rules that say something else of what they return as it is: they clip a
    gradient, or reverse it.
    """
    if f.__class__ in CLASSES_OF_NUMPY:
        return True
    if f.__class__ in _CLASSES_OF_C:
        return f not in _CALLING and (f.__class__ is not type or f.__module__ in _MODULES_OF_C)
    return is_in(f, RETURNING_ARGUMENTS)


def is_in(f: Any, functions: frozenset[Any]) -> bool:
    """Whether a callable is among some functions; one that is not hashable is not."""
    try:
        return f in functions
    except TypeError:
        return False
