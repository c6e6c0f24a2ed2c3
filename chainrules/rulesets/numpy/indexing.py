"""Rules for picking elements by indices and conditions: what is picked several times gets a sum."""

from typing import Any

import numpy as np

from chainrules.linear_rules import (
    linear_in_second_rule,
    linear_rule,
    places_in,
    returned,
    selection_rule,
    size_of,
    zeros_like,
)
from chainrules.scatter import scatter
from chainrules.several_arrays import (
    places_in_several,
    projected,
    returned_to_several,
    shapes_of,
    tangents_of,
)
from chainrules_core import NoTangent, frule, rrule, typeof_, unthunk

# --- take ------------------------------------------------------------------------------------------


def _taken_back(  # noqa: PLR0913, PLR0917 - NumPy's signature
    y_bar: Any, shape: tuple[int, ...], indices: Any, axis: Any = None, out: Any = None, mode: str = "raise"
) -> Any:
    if axis is None:
        return returned(y_bar, shape, _in_range(indices, size_of(shape), mode))
    axis %= len(shape)
    index = (*(slice(None),) * axis, _in_range(indices, shape[axis], mode))
    return scatter(y_bar, zeros_like(y_bar, shape), index)


def _in_range(indices: Any, length: int, mode: str) -> Any:
    """The indices that are meant, by all modes that NumPy has for those beyond the end."""
    indices = np.asarray(indices, dtype=np.intp)
    if mode == "wrap":
        return np.mod(indices, length)
    return np.clip(indices, 0, length - 1) if mode == "clip" else indices


linear_rule(np.take, _taken_back)
selection_rule(np.take_along_axis)

# --- by conditions ---------------------------------------------------------------------------------


def _uncompressed(
    y_bar: Any, shape: tuple[int, ...], condition: Any, axis: Any = None, out: Any = None
) -> Any:
    return returned(y_bar, shape, np.compress(condition, places_in(shape), axis))


def _unextracted(y_bar: Any, shape: tuple[int, ...], condition: Any) -> Any:
    return returned(y_bar, shape, np.extract(condition, places_in(shape)))


linear_in_second_rule(np.compress, _uncompressed)
linear_in_second_rule(np.extract, _unextracted)

# --- choose ----------------------------------------------------------------------------------------


@frule.dispatch
def choose_frule(tangents: Any, f: typeof_(np.choose), index: Any, xs: Any, *options: Any, **named: Any):
    dots = tangents_of(xs, unthunk(tangents[2]))
    return np.choose(index, xs, *options, **named), np.choose(index, dots, *options, **named)


@rrule.dispatch
def choose_rrule(f: typeof_(np.choose), index: Any, xs: Any, *options: Any, **named: Any):
    shapes = shapes_of(xs)

    def choose_pullback(y_bar: Any) -> tuple[Any, ...]:
        places = np.choose(index, places_in_several(shapes), *options, **named)
        bars = returned_to_several(unthunk(y_bar), shapes, places)
        return NoTangent(), NoTangent(), projected(xs, bars), *(NoTangent() for _ in options)

    return np.choose(index, xs, *options, **named), choose_pullback
