"""The places of elements: which element of an argument each element of a result is, and the way back."""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from chainrules.operations.scatter import add_at, scatter
from chainrules_core import AbstractZero, primal_of
from chainrules_core.speed import value_for_dispatch


def places_in(shape: tuple[int, ...]) -> Any:
    """An array of this shape that holds the place of each element among all, row by row."""
    return np.arange(size_of(shape)).reshape(shape)


def size_of(shape: tuple[int, ...]) -> int:
    """The number of elements of an array of this shape."""
    return math.prod(shape)


def returned(y_bar: Any, shape: tuple[int, ...], places: Any) -> Any:
    """Add each element of a cotangent to its place, as `places_in` counts them, in an array of zeros."""
    if isinstance(y_bar, AbstractZero):
        return y_bar
    size = size_of(shape)
    if not size:
        return zeros_like(y_bar, shape)
    if isinstance(y_bar, np.ndarray):
        like = y_bar if value_for_dispatch(places) is places else places  # what is recorded, if any
        return add_at(np.zeros(size, y_bar.dtype, like=like), places, y_bar).reshape(shape)
    return np.reshape(scatter(y_bar, zeros_like(y_bar, (size,)), places), shape)


def places_that_count(x: Any, y_bar: Any, n_columns: int = 0) -> Any:
    """The elements of `x`, but 0 where nothing depends on what becomes of them.

    Parameters
    ----------
    x
        A number or an array.
    y_bar
        The cotangents of what each element becomes, with `n_columns` axes in front of those of `x`.
    """
    return np.where(np.any(primal_of(y_bar) != 0, axis=tuple(range(n_columns))), x, 0)


def zeros_like(y_bar: Any, shape: tuple[int, ...]) -> Any:
    """Zeros of the precision and kind of a cotangent, in another shape."""
    return np.zeros_like(primal_of(y_bar), shape=shape)


def places_in_several(shapes: Iterable[tuple[int, ...]]) -> list[Any]:
    """For each shape an array that holds the place of each element among the elements of all."""
    places, start = [], 0
    for shape in shapes:
        places.append(np.arange(start, start + size_of(shape)).reshape(shape))
        start += size_of(shape)
    return places


def returned_to_several(y_bar: Any, shapes: Sequence[tuple[int, ...]], places: Any) -> list[Any]:
    """Add each element of a cotangent to its place, as `places_in_several` counts them."""
    if isinstance(y_bar, AbstractZero):
        return [y_bar for _ in shapes]
    sizes = [size_of(shape) for shape in shapes]
    flat = returned(y_bar, (sum(sizes),), places)
    ends = itertools.accumulate(sizes)
    return [
        np.reshape(flat[end - size : end], shape)
        for end, size, shape in zip(ends, sizes, shapes, strict=True)
    ]
