"""Rules for repeating arrays and their elements: the cotangents of all copies of an element are added."""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import places_in, returned
from chainrules.makers.linear_rules import linear_rule


def _tiled_back(y_bar: Any, shape: tuple[int, ...], reps: Any) -> Any:
    reps = tuple(reps) if np.iterable(reps) else (reps,)
    reps = (1,) * (len(shape) - len(reps)) + reps
    lengths = (1,) * (len(reps) - len(shape)) + shape
    # Each axis becomes two; the first runs over the copies.
    split = [n for pair in zip(reps, lengths, strict=True) for n in pair]
    return np.reshape(np.sum(np.reshape(y_bar, split), axis=tuple(range(0, len(split), 2))), shape)


def _repeated_back(y_bar: Any, shape: tuple[int, ...], repeats: Any, axis: Any = None) -> Any:
    if np.size(repeats) > 1:
        return returned(y_bar, shape, np.repeat(places_in(shape), repeats, axis))
    (times,) = np.ravel(repeats)
    # All elements in order, or the elements along an axis; a number may have one, as a vector has.
    axis = len(shape) - 1 if axis is None or not shape else axis % len(shape)
    split = (*shape[: axis + 1], times, *shape[axis + 1 :])
    return np.sum(np.reshape(y_bar, split), axis=axis + 1)


linear_rule(np.tile, _tiled_back)
linear_rule(np.repeat, _repeated_back)
