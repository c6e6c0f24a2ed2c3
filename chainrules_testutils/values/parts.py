"""The parts of a nested value: fields, items, captured variables, and the elements of arrays of objects."""

import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import plum

from chainrules_core import (
    AbstractThunk,
    NoTangent,
    StructuralTangent,
    ZeroTangent,
    backing,
    field_names,
    reconstruct,
    unthunk_fully,
)

# A function that plum dispatches has state of its own, but does not compute with it.
_WITHOUT_PARTS = (complex, np.complexfloating, type, AbstractThunk, plum.Function)

# Containers: they hold other values, and Python's `+` joins them.
CONTAINERS = (tuple, list, dict)

# Types of values without fields, known as such without asking for their fields.
_ATOMS = {
    int,
    float,
    complex,
    bool,
    str,
    type(None),
    np.float64,
    np.float32,
    np.ufunc,
    NoTangent,
    ZeroTangent,
}


def is_sparse(x: Any) -> bool:
    """Whether `x` is a sparse array, of SciPy's or with its methods."""
    return hasattr(type(x), "tocoo")  # of the class, since a zero tangent has every attribute


def places_of_entries(entries: Any) -> tuple[Any, ...]:
    """The indices along each axis of a sparse array of coordinates, which may have any number of axes."""
    return tuple(entries.coords) if hasattr(entries, "coords") else (entries.row, entries.col)


def parts(x: Any) -> dict[Any, Any]:
    """The parts of `x` by name, position, key or index; none for numbers and arrays of them.

    A function that calls itself holds itself; that is no part of it.
    """
    if type(x) in _ATOMS:
        return {}
    if type(x) in (tuple, list):  # the arguments of a function, again and again
        return dict(enumerate(x))
    if isinstance(x, np.ndarray):
        return {index: x[index] for index in np.ndindex(x.shape)} if x.dtype.kind == "O" else {}
    if isinstance(x, StructuralTangent):
        given = backing(x)
        return given if isinstance(given, dict) else dict(enumerate(given))
    if isinstance(x, _WITHOUT_PARTS) or is_sparse(x):
        return {}
    names = field_names(x)
    fields = backing(x) if names else {}
    if isinstance(x, types.FunctionType):
        return {name: fields[name] for name in names if fields[name] is not x}
    return {name: fields[name] for name in names}


def with_parts(x: Any, new: dict[Any, Any]) -> Any:
    """A value like `x` with other parts."""
    if isinstance(x, np.ndarray):
        array = np.empty(x.shape, dtype=object)
        for index, item in new.items():
            array[index] = item
        return array
    if isinstance(x, StructuralTangent):
        values = iter(new.values())
        return StructuralTangent.map(x, lambda _: next(values))
    fields = backing(x)
    return reconstruct(x, {**fields, **new} if isinstance(fields, dict) else list(new.values()))


_above: ContextVar[frozenset[int]] = ContextVar("values_whose_parts_are_visited", default=frozenset())


@contextmanager
def inside(x: Any) -> Iterator[None]:
    """To be entered while the parts of `x` are gone through: a value that holds itself is refused.

    Raises
    ------
    ValueError
        If its parts are gone through already.
    """
    token = _above.set(_with(x, _above.get()))
    try:
        yield
    finally:
        _above.reset(token)


def _with(x: Any, above: frozenset[int]) -> frozenset[int]:
    if id(x) in above:
        raise ValueError(
            f"a {type(x).__qualname__} holds itself, directly or through others, so that its parts have no "
            "end. Test with a value that does not."
        )
    return above | {id(x)}


def leaves(x: Any, above: frozenset[int] = frozenset()) -> Iterator[Any]:
    """All values in `x` that have no parts; thunks are computed. Raises as `inside` does."""
    x = unthunk_fully(x)
    below = parts(x)
    if not below:
        yield x
        return
    above = _with(x, above)
    for part in below.values():
        yield from leaves(part, above)


def map_leaves(function: Callable[[Any], Any], x: Any) -> Any:
    """A value like `x` with the function's value for each leaf; `x` itself if the function changes none."""
    below = parts(x)
    if not below:
        return function(x)
    with inside(x):
        new = {name: map_leaves(function, part) for name, part in below.items()}
    if all(new[name] is part for name, part in below.items()):
        return x
    return with_parts(x, new)
