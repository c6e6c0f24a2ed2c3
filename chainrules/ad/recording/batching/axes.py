"""`in_axes` and `out_axes`: which axis of each array is that of the items."""

import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.ad.recording.regular import is_named_tuple, rebuilt
from chainrules_core.speed import value_for_dispatch

Axes = Any
"""A number, `None`, or a container of these in the place of one of arrays."""


def with_axes(
    f: Callable[..., Any], in_axes: Axes, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], tuple[Axes, ...]]:
    """The positional arguments and the axes of each, with the defaults that have an entry of `in_axes`.

    Raises
    ------
    ValueError
        If there are not as many entries as arguments.
    """
    if not isinstance(in_axes, tuple | list):
        return args, (in_axes,) * len(args)
    given = args
    if len(in_axes) > len(args):
        given += _defaults(f, len(args), len(in_axes), kwargs)
    if len(in_axes) != len(given):
        raise ValueError(f"vectorized: `in_axes` has {len(in_axes)} entries for {len(args)} arguments.")
    while len(given) > len(args) and in_axes[len(given) - 1] is None:
        given = given[:-1]  # the function reads it by itself
    return given, tuple(in_axes[: len(given)])


def _defaults(f: Callable[..., Any], start: int, stop: int, kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The defaults of the parameters at these places, as many of them as there are."""
    try:
        parameters = list(inspect.signature(f).parameters.values())[start:stop]
    except (TypeError, ValueError):
        return ()
    given = [p.name for p in parameters if p.name in kwargs]
    if given:
        raise ValueError(
            f"vectorized: `{given[0]}` has an entry of `in_axes`, and is given by its name, which means the "
            "axis 0. Write it at its place."
        )
    of_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    are_there = itertools.takewhile(lambda p: p.kind in of_place and p.default is not p.empty, parameters)
    return tuple(p.default for p in are_there)


def leaves_with_axes(x: Any, axes: Axes, name: str) -> Iterator[tuple[Any, int | None]]:
    """The leaves of an argument from left to right, each with its axis of items.

    Parameters
    ----------
    x
        Lists, tuples and dicts of arrays and other values.
    axes
        A number or `None` for all leaves, or a container like `x`.
    name
        Where it stands, for errors.

    Raises
    ------
    TypeError, ValueError
        If the containers differ, or a leaf has no such axis.
    """
    if type(x) in (tuple, list, dict):
        keys = list(x) if type(x) is dict else range(len(x))
        if isinstance(axes, tuple | list | dict):
            if isinstance(axes, dict) != (type(x) is dict) or set(keys) != set(_keys(axes)):
                raise ValueError(f"vectorized: `in_axes` of {name} is no container like it.")
            for key in keys:
                yield from leaves_with_axes(x[key], axes[key], f"{name}[{key!r}]")
        else:
            for key in keys:
                yield from leaves_with_axes(x[key], axes, f"{name}[{key!r}]")
    elif axes is None or x is None:
        yield x, None
    else:
        yield x, _axis_in(x, axes, name)


def _keys(axes: Any) -> Any:
    return list(axes) if isinstance(axes, dict) else range(len(axes))


def _axis_in(x: Any, axis: Any, name: str) -> int:
    if isinstance(axis, bool) or not isinstance(axis, int | np.integer):
        raise TypeError(f"vectorized: `in_axes` has {axis!r} for {name}; write a number of an axis, or None.")
    plain = value_for_dispatch(x)
    if type(plain) is not np.ndarray:
        raise TypeError(
            f"vectorized: {name} is a {type(plain).__name__}, and has no axis of items. Pass an array, or "
            "write None for it in `in_axes`."
        )
    if not -plain.ndim <= axis < plain.ndim:
        raise ValueError(f"vectorized: {name} has {plain.ndim} axes, and no axis {axis}.")
    return int(axis) % plain.ndim


def with_leaves(x: Any, leaves: Iterator[Any]) -> Any:
    """An argument with other leaves."""
    cls = type(x)
    if cls is tuple or cls is list:
        return cls([with_leaves(part, leaves) for part in x])
    return {key: with_leaves(part, leaves) for key, part in x.items()} if cls is dict else next(leaves)


def number_of_items(leaves: list[tuple[Any, int | None]]) -> int:
    """The size of the axis of items, which is the same in all arrays.

    Raises
    ------
    ValueError
        If it is not, or no array has such an axis.
    """
    sizes = {int(np.shape(value_for_dispatch(x))[axis]) for x, axis in leaves if axis is not None}
    if not sizes:
        raise ValueError("vectorized: no argument has an axis of items: `in_axes` is None for all of them.")
    if len(sizes) > 1:
        raise ValueError(f"vectorized: the axes of items have different sizes: {sorted(sizes)}.")
    return sizes.pop()


def moved_out(y: Any, axes: Axes, place: Callable[[Any, Any], Any]) -> Any:
    """A result with the axis of items in another place.

    Parameters
    ----------
    y
        Containers of leaves.
    axes
        A number or `None` for all leaves, or a container like `y`.
    place
        What makes the result of a leaf and its axis.

    Raises
    ------
    ValueError
        If the containers differ.
    """
    cls = type(y)
    if cls in (tuple, list, dict) or is_named_tuple(cls):
        keys = list(y) if cls is dict else range(len(y))
        if isinstance(axes, tuple | list | dict):
            if isinstance(axes, dict) != (cls is dict) or set(keys) != set(_keys(axes)):
                raise ValueError("vectorized: `out_axes` is no container like the result.")
            parts = [moved_out(y[key], axes[key], place) for key in keys]
        else:
            parts = [moved_out(y[key], axes, place) for key in keys]
        return dict(zip(keys, parts, strict=True)) if cls is dict else rebuilt(cls, parts)
    return place(y, axes)
