"""The numbers and arrays that a nested value or tangent holds, one by one."""

import numbers
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules_core import AbstractThunk, StructuralTangent, unthunk
from chainrules_core.fields import backing, field_names, reconstruct
from chainrules_testutils.to_vec import is_structure

_SINGLE = {"float32", "complex64"}
_HALF = {"float16"}


def leaves(x: Any) -> Iterator[Any]:
    """Everything in `x` that has no fields itself; thunks are computed."""
    while isinstance(x, AbstractThunk):
        x = unthunk(x)
    if isinstance(x, np.ndarray) and x.dtype.kind == "O":
        parts = list(x.flat)
    elif isinstance(x, StructuralTangent):
        given = backing(x)
        parts = list(given.values()) if isinstance(given, dict) else list(given)
    elif is_structure(x):
        fields = backing(x)
        parts = [fields[name] for name in field_names(x)]
    else:
        yield x
        return
    for part in parts:
        yield from leaves(part)


def map_leaves(function: Callable[[Any], Any], x: Any) -> Any:
    """A value like `x` with the function's value for each leaf; `x` itself if the function changes none."""
    if isinstance(x, np.ndarray) and x.dtype.kind == "O":
        mapped_array = np.empty(x.size, dtype=object)
        for i, item in enumerate(x.flat):
            mapped_array[i] = map_leaves(function, item)
        return mapped_array.reshape(x.shape)
    if not is_structure(x):
        return function(x)
    fields = backing(x)
    names = field_names(x)
    mapped = [map_leaves(function, fields[name]) for name in names]
    if all(new is fields[name] for new, name in zip(mapped, names, strict=True)):
        return x
    return reconstruct(x, dict(zip(names, mapped, strict=True)) if isinstance(fields, dict) else mapped)


def precision_of(*xs: Any) -> np.dtype[Any]:
    """The lowest precision of the floating NumPy numbers and arrays in `xs`: float64, float32 or float16."""
    names = {str(getattr(leaf, "dtype", None)) for leaf in leaves(xs)}
    if names & _HALF:
        return np.dtype(np.float16)
    return np.dtype(np.float32 if names & _SINGLE else np.float64)


def in_double_precision(x: Any) -> Any:
    """`x` with every number and array of lower precision widened."""
    return map_leaves(_widened, x)


def _widened(leaf: Any) -> Any:
    name = str(getattr(leaf, "dtype", None))
    if name in _SINGLE | _HALF:
        return leaf.astype(np.complex128 if name == "complex64" else np.float64)
    return leaf


def with_floats(x: Any) -> Any:
    """`x` with every integer, and every array of integers, converted to floats."""
    return map_leaves(_floated, x)


def _floated(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        return leaf.astype(np.float64) if leaf.dtype.kind in "iu" else leaf
    is_integer = isinstance(leaf, numbers.Integral) and not isinstance(leaf, bool)
    return float(leaf) if is_integer else leaf
