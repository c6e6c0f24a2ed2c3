"""Iterables in rules: the tangents of their items, and their cotangent, made of the cotangents of the items.

The tangent of an array is an array; of a tuple or list, a structural tangent. Any other iterable, an iterator
or the values of a dict, is read once, and has the cotangent of the tuple of its items. The items of a range
or the keys of a dict are constants.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from chainrules_core import (
    NO_TANGENT,
    AbstractArray,
    AbstractZero,
    NoTangent,
    NoTangentProjector,
    ProjectTo,
    Tangent,
    ZeroTangent,
    primal_of,
    unthunk,
)
from chainrules_core.speed import is_cotangent_of

CONSTANTS = (range, str, bytes, dict)


def held(xs: Any) -> Any:
    """An iterable that can be read several times: of an iterator, which is read, the tuple of its items."""
    return tuple(xs) if isinstance(xs, Iterator) else xs


def item_tangents(xs_dot: Any, n: int) -> list[Any]:
    """The tangents of the `n` items of an iterable with the tangent `xs_dot`."""
    if isinstance(xs_dot, AbstractZero):
        return [xs_dot] * n
    return [xs_dot[place] for place in range(n)]


def iterable_cotangent(xs: Any, items: Sequence[Any], item_bars: Sequence[Any]) -> Any:
    """The cotangent of an iterable, from the cotangents of its items.

    Parameters
    ----------
    xs
        The iterable; an iterator may be exhausted.
    items
        Its items.
    item_bars
        The cotangent of each.

    Returns
    -------
    Any
        An array for an array; for everything else a structural tangent, or a zero if it holds only zeros.
    """
    kind = type(primal_of(xs))
    if issubclass(kind, CONSTANTS):
        return NO_TANGENT
    if isinstance(primal_of(xs), AbstractArray):
        rows = [zeros_if_zero(item, x_bar) for item, x_bar in zip(items, item_bars, strict=True)]
        return ProjectTo(xs)(np.stack(rows)) if rows else np.zeros_like(xs)
    item_bars = [
        x_bar
        if is_cotangent_of(item, x_bar)
        else item_cotangent(item, x_bar)  # most are, and there may be many
        for item, x_bar in zip(items, item_bars, strict=True)
    ]
    if all(isinstance(x_bar, AbstractZero) for x_bar in item_bars):
        only_constants = all(isinstance(x_bar, NoTangent) for x_bar in item_bars)
        return NO_TANGENT if only_constants else ZeroTangent()
    return tuple_tangent(kind if issubclass(kind, tuple | list) else tuple, item_bars)


def item_cotangent(item: Any, x_bar: Any) -> Any:
    """The cotangent of one item in its tangent space."""
    return no_cotangent(item) if isinstance(x_bar, AbstractZero) else ProjectTo(item)(x_bar)


def tuple_tangent(kind: type, item_dots: Sequence[Any]) -> Any:
    """The structural tangent of a tuple, NamedTuple or list."""
    tangent_class: Any = Tangent[kind]
    names = getattr(kind, "_fields", None)
    if names is None:
        return tangent_class(*item_dots)
    return tangent_class(**dict(zip(names, item_dots, strict=True)))


def dict_tangent(kind: type, dots: dict[Any, Any]) -> Any:
    """The structural tangent of a dict."""
    tangent_class: Any = Tangent[kind]
    return tangent_class(dots)


def no_cotangent(x: Any) -> AbstractZero:
    """The cotangent of an argument that nothing depends on: `NoTangent` where nothing ever could."""
    is_empty = isinstance(x, tuple | list | dict) and not x
    return NO_TANGENT if is_empty or isinstance(ProjectTo(x), NoTangentProjector) else ZeroTangent()


def zeros_if_zero(x: Any, x_bar: Any) -> Any:
    """A cotangent of `x` that has its shape."""
    x_bar = unthunk(x_bar)
    return np.zeros_like(x) if isinstance(x_bar, AbstractZero) else x_bar
