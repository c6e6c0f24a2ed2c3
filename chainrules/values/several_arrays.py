"""Several arrays: their tangents and cotangents, as arguments or as results of one function.

The arrays may be positional arguments, or the items of a list, a tuple or an array.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from chainrules.values.named_results import tangent_of_results
from chainrules.values.reductions import shape_of
from chainrules_core import AbstractZero, ProjectTo, Tangent, primal_of, unbroadcast

# The tangent classes of nearly all containers; to find one takes longer than to make a tangent.
_CLASSES: dict[type, Any] = {list: Tangent[list], tuple: Tangent[tuple]}  # type: ignore[type-arg]  # at run time


def tangents_of(xs: Iterable[Any], dots: Any) -> list[Any]:
    """The tangents of several arrays as arrays: zeros where there is a zero, stacks where there are lists."""
    if isinstance(dots, AbstractZero):
        return [zero_of(x) for x in xs]
    return [tangent_as_array(x, dot) for x, dot in zip(xs, dots, strict=True)]


def tangent_as_array(x: Any, x_dot: Any) -> Any:
    """The tangent of a value that NumPy takes for an array: a number, an array, or nested lists of these."""
    if isinstance(x_dot, AbstractZero):
        return zero_of(x)
    return np.stack(tangents_of(x, x_dot)) if isinstance(x, list | tuple) and len(x) else x_dot


def array_of(x: Any) -> Any:
    """An array of nested lists of numbers, of which any may be traced; an array as it is."""
    return np.stack([array_of(item) for item in x]) if isinstance(x, list | tuple) and len(x) else x


def cotangent_in_lists(x: Any, x_bar: Any) -> Any:
    """The cotangent of an array, of a number, or of nested lists of numbers, from that of an array."""
    if isinstance(x, list | tuple) and not isinstance(x_bar, AbstractZero):
        return tangent_of(x, [cotangent_in_lists(item, x_bar[k]) for k, item in enumerate(x)])
    return ProjectTo(x)(x_bar)


def zero_of(x: Any) -> Any:
    """Zeros in the shape and precision of a value that NumPy takes for an array."""
    if isinstance(x, list | tuple) and len(x):
        return np.stack([zero_of(item) for item in x])
    return np.zeros_like(primal_of(x))


def tangent_of(ys: Any, dots: Iterable[Any]) -> Any:
    """The structural tangent of several results, in the same container."""
    tangent: Any = _CLASSES.get(type(ys))
    return tangent_of_results(ys, *dots) if tangent is None else tangent(*dots)


def cotangents_of(ys: Sequence[Any], ys_bar: Any) -> list[Any]:
    """The cotangent of each of several results, as arrays: zeros where there is a zero."""
    return tangents_of(ys, ys_bar)


def projected(xs: Any, bars: Sequence[Any]) -> Any:
    """The cotangent of a list, a tuple or an array `xs`, from the cotangents of its items."""
    if type(xs) in (list, tuple):
        return tangent_of(xs, map(unbroadcast, xs, bars))
    return ProjectTo(xs)(tuple(bars) if isinstance(xs, list | tuple) else np.stack(bars))


def shapes_of(xs: Iterable[Any]) -> list[tuple[int, ...]]:
    """The shape of each array."""
    return [shape_of(x) for x in xs]
