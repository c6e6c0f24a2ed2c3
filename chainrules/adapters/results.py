"""Results of functions over NumPy, taken apart into arrays for another framework."""

import types
from typing import Any

import numpy as np

from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import is_differentiable
from chainrules.ad.values.structures import has_parts, parts_of
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.holes import Holes, filled, find_holes
from chainrules_core import AbstractArray, backend_of, describe_callee, primal_of

_PLAIN = (np.ndarray, np.generic, int, float, complex)
_NUMBERS_AND_ARRAYS = (*_PLAIN, AbstractArray)
_KINDS = "biufc"  # truth values, integers, unsigned ones, real and complex numbers


def taken_apart(f: Any, y: Any) -> tuple[list[Any], Any, Holes]:
    """The numbers and arrays in a result, its containers with nothing in their places, and the holes.

    Raises
    ------
    AdapterError
        If something in the result is an array of another kind, such as a sparse one.
    """
    leaves: list[Any] = []
    hidden = (
        f"{describe_callee(f)} returned numbers that are held by {{place}}, where they are not found. Return "
        "numbers, NumPy arrays, and tuples, lists, dicts and dataclasses of them."
    )
    holes = find_holes(y, _is_leaf, leaves, hidden)
    for leaf in leaves:
        _check(f, leaf)
    return leaves, filled(y, holes, [None] * len(leaves)), holes


def is_same(x: Any, y: Any) -> bool:
    """Whether two values without arrays are the same: their containers, strings and objects."""
    if x is y:
        return True
    if type(x) is not type(y):
        return False
    if has_parts(x):
        if isinstance(x, types.FunctionType) and x.__code__ is not y.__code__:
            return False
        parts, others = parts_of(x), parts_of(y)
        return parts.keys() == others.keys() and all(is_same(parts[key], others[key]) for key in parts)
    return (x == y) is True


def _is_leaf(x: Any) -> bool:
    return isinstance(x, _NUMBERS_AND_ARRAYS) or is_differentiable(x) or backend_of(type(x)) is not None


def _check(f: Any, y: Any) -> None:
    if isinstance(y, TracedValue):
        y = primal_of(y)
    if backend_of(type(y)) is not None:
        kind = (
            f"a {type(y).__module__}.{type(y).__qualname__}: it computed with a tensor that is a global "
            "variable, or called the framework. Give tensors as arguments, and call NumPy's functions"
        )
    elif not isinstance(y, _PLAIN):
        package = type(y).__module__.partition(".")[0]
        dense = (
            "" if isinstance(f, type) else "; or let it return `np.asarray(y)`, or `y.toarray()` if sparse"
        )
        kind = (
            f"a {package} {type(y).__name__}, which other frameworks do not know. Adapt the whole function "
            f"that computes with it, as by `to_torch(g)`, in which it is one value of many{dense}"
        )
    elif np.asarray(y).dtype.kind not in _KINDS:
        kind = f"an array of {np.asarray(y).dtype}, which other frameworks do not know. Return numbers"
    else:
        return
    raise AdapterError(f"{describe_callee(f)} returned {kind}; it is given NumPy arrays, and returns some.")
