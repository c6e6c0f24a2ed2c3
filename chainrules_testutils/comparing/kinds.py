"""Whether values and tangents are of the right kind: class, shape, precision, real or complex."""

import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules_core import (
    AbstractZero,
    NotImplementedTangent,
    ProjectTo,
    StructuralTangent,
    backing,
    unthunk_fully,
)
from chainrules_core.structured import StructuredArray
from chainrules_testutils.values.to_vec import is_structure


def primal_problems(actual: Any, expected: Any, where: str) -> Iterator[str]:
    """How the class, shape or dtype of a rule's result differs from its primal's."""
    if is_structure(expected) and type(actual) is type(expected):
        returned = dict(_fields(actual))
        for name, field in _fields(expected):
            if name in returned:
                yield from primal_problems(returned[name], field, f"{where}, {name}")
    elif _kind(actual) != _kind(expected):
        yield f"{where}: the rule returns {_described(actual)}, the primal {_described(expected)}"


def tangent_problems(x: Any, x_bar: Any, where: str) -> Iterator[str]:
    """How the precision or the kind of a tangent `x_bar` differs from its primal's."""
    x_bar = unthunk_fully(x_bar)
    if isinstance(x_bar, AbstractZero | NotImplementedTangent):
        return
    if isinstance(x_bar, StructuralTangent):
        if is_structure(x) or isinstance(x, StructuredArray):
            for name, field in _fields(x):
                if name in x_bar.keys():  # noqa: SIM118 - a tangent iterates over its values
                    yield from tangent_problems(field, x_bar[name], f"{where}, {name}")
        return
    if isinstance(x, StructuredArray) and type(ProjectTo(x)(x_bar)) is not type(x_bar):
        yield f"{where}: {_described(x_bar)} for a {_described(x)}; write `ProjectTo(x)(x_bar)`"
        return
    wanted, actual = _dtype_of_tangents(x), _dtype_of(x_bar)
    if (
        wanted is None
        or actual is None
        or actual.kind not in "fciub"
        or _precision_fits(x, x_bar, wanted, actual)
    ):
        return
    advice = "fill `np.zeros_like(x)`, or write" if actual.kind in "iu" else "write"
    yield f"{where}: {actual}, but tangents of {_described(x)} are {wanted}; {advice} `ProjectTo(x)(x_bar)`"


def is_of_integers(x_bar: Any) -> bool:
    """Whether a tangent is an integer, or an array of integers."""
    dtype = _dtype_of(unthunk_fully(x_bar))
    return dtype is not None and dtype.kind in "iu"


def _fields(x: Any) -> list[tuple[Any, Any]]:
    fields = backing(x)
    return list(fields.items()) if isinstance(fields, dict) else list(enumerate(fields))


def _kind(x: Any) -> Any:
    # Python's numbers and NumPy's of the same precision are one kind: rules made of ufuncs return the latter.
    if isinstance(x, bool | int | float | complex | np.generic):
        return "number", np.asarray(x).dtype
    # A class of numbers and NumPy itself have attributes of these names, too.
    if hasattr(x, "dtype") and hasattr(x, "shape") and not isinstance(x, type | types.ModuleType):
        return type(x), x.dtype, tuple(x.shape)
    return type(x)


def _described(x: Any) -> str:
    name = type(x).__qualname__
    return f"{name} of {x.dtype} with shape {tuple(x.shape)}" if isinstance(x, np.ndarray) else name


def _dtype_of_tangents(x: Any) -> np.dtype[Any] | None:
    if isinstance(x, StructuredArray):
        return np.result_type(*map(_dtype_of_tangents, x.arrays()))
    projector = ProjectTo(x)
    dtype = getattr(projector, "dtype", None) or getattr(projector, "number_type", None)
    # Numbers that are not NumPy's, fractions for one, have the dtype of objects.
    return np.dtype(dtype) if dtype is not None and np.dtype(dtype).kind in "fc" else None


def _dtype_of(x_bar: Any) -> np.dtype[Any] | None:
    if isinstance(x_bar, int | float | complex):
        return np.asarray(x_bar).dtype
    dtype = getattr(x_bar, "dtype", None)
    return dtype if isinstance(dtype, np.dtype) else None


def _precision_fits(x: Any, x_bar: Any, wanted: np.dtype[Any], actual: np.dtype[Any]) -> bool:
    if actual == wanted:
        return True
    # Python's numbers are weak: in arithmetic with the primal they take its precision.
    is_weak = type(x_bar) in (int, float, complex) and not hasattr(x, "shape")
    return is_weak and np.can_cast(actual, wanted, "safe")
