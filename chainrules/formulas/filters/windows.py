"""Filters that choose an element of the window around each element of an image, such as the largest.

What is chosen is found by its value: it is the element of the window next to the result. Elements that are
equal share the derivative, as they do in an extremum.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.arrays.places import places_in, returned, size_of
from chainrules.formulas.filters.passes import beyond, extended_by
from chainrules.operations.extensions import extend
from chainrules.values.reductions import shape_of


class Window(NamedTuple):
    """The window around each element.

    Attributes
    ----------
    footprint
        Which elements are in it.
    origins
        How far it is moved along each axis, as `scipy.ndimage` counts.
    extensions
        What stands beyond the ends of each axis.
    structure
        What is added to the elements in the window, or `None`.
    """

    footprint: Any
    origins: Sequence[int]
    extensions: Sequence[str]
    structure: Any = None


class Choice(NamedTuple):
    """Which elements are chosen, an entry for each.

    Attributes
    ----------
    results
        The places of the results.
    places
        The places of the elements, among those of the image and the number beyond its borders.
    members
        The places of the elements in the footprint.
    shares
        How much of the derivative an element has.
    shape
        The shape of the image.
    """

    results: Any
    places: Any
    members: Any
    shares: Any
    shape: tuple[int, ...]


def choice_of(y: Any, x: Any, window: Window, cval: Any) -> Choice:
    """Find the elements of the image `x` that are the results `y`; all of them plain values."""
    extended, places = x.astype(float), places_in(x.shape) + 1
    for axis, size in enumerate(window.footprint.shape):
        how = *beyond(size, window.origins[axis]), window.extensions[axis], axis
        extended, places = extended_by(extended, *how, cval), extend(places, *how)
    members = np.argwhere(window.footprint)

    def part(array: Any, member: Any) -> Any:
        return array[tuple(slice(start, start + n) for start, n in zip(member, x.shape, strict=True))]

    def distance(member: Any) -> Any:
        added = 0.0 if window.structure is None else window.structure[tuple(member)]
        return np.abs(part(extended, member) + added - y)

    least = np.full(x.shape, np.inf)
    for member in members:
        least = np.minimum(least, distance(member))
    entries = []
    for k, member in enumerate(members):
        results = np.flatnonzero(distance(member) == least)
        chosen = np.reshape(part(places, member), -1)[results]
        entries.append((results, np.where(chosen, chosen - 1, x.size), np.full(len(results), k)))
    results, chosen, of_members = map(np.concatenate, zip(*entries, strict=True))
    shares = 1.0 / np.bincount(results, minlength=x.size)[results] if x.size else np.zeros(0)
    return Choice(results, chosen, of_members, shares.astype(y.dtype), x.shape)


def push_choice(choice: Choice, x_dot: Any, cval_dot: Any = 0.0) -> Any:
    """The tangent of the results, from those of the image and of the number beyond its borders."""
    beyond_dot = np.reshape(np.zeros_like(x_dot, shape=()) + cval_dot, 1)
    chosen = np.concatenate((np.reshape(x_dot, -1), beyond_dot))[choice.places]
    return returned(choice.shares * chosen, choice.shape, choice.results)


def pull_choice(choice: Choice, y_bar: Any) -> tuple[Any, Any]:
    """The cotangents of the image, and of the number beyond its borders."""
    size = size_of(choice.shape)
    bars = returned(_shared(choice, y_bar), (size + 1,), choice.places)
    return np.reshape(bars[:size], choice.shape), bars[size]


def push_structure(choice: Choice, window: Window, structure_dot: Any) -> Any:
    """The tangent of the results, from that of what is added to the elements in the window."""
    return returned(
        choice.shares * structure_dot[window.footprint][choice.members], choice.shape, choice.results
    )


def pull_structure(choice: Choice, window: Window, y_bar: Any) -> Any:
    """The cotangent of what is added to the elements in the window."""
    members = np.flatnonzero(window.footprint)
    shape = window.footprint.shape
    return returned(_shared(choice, y_bar), shape, members[choice.members])


def _shared(choice: Choice, y_bar: Any) -> Any:
    return choice.shares * np.reshape(y_bar, (size_of(shape_of(y_bar)),))[choice.results]
