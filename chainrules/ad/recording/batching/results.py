"""Results for all items: those of groups are joined, and those of one item looked at."""

from typing import Any

import numpy as np

from chainrules.ad.recording.batching.items import Items, with_items
from chainrules.ad.recording.regular import is_named_tuple, rebuilt
from chainrules_core.speed import value_for_dispatch


def whole(y: Any, size: int) -> Any:
    """A part of a result with the axis of items first; what is no number has none."""
    if isinstance(y, Items):
        return y.value
    is_number = isinstance(y, np.ndarray | np.number | np.bool_ | bool | int | float | complex)
    return np.broadcast_to(y, (size, *np.shape(y))) if is_number else y


def joined(parts: list[Any], sizes: list[int], order: Any) -> Any:
    """The results of groups of items as one, in the order of the items."""
    first = parts[0]
    cls = type(first)
    if any(type(part) is not cls for part in parts) and any(
        type(part) in (tuple, list, dict) or is_named_tuple(type(part)) for part in parts
    ):
        raise ValueError("vectorized: the results of some items are other containers than those of others.")
    if cls in (tuple, list, dict) or is_named_tuple(cls):
        keys = list(first) if cls is dict else range(len(first))
        if any(list(part if cls is dict else range(len(part))) != list(keys) for part in parts):
            raise ValueError("vectorized: the results of some items have other parts than those of others.")
        whole_parts = [joined([part[key] for part in parts], sizes, order) for key in keys]
        return dict(zip(keys, whole_parts, strict=True)) if cls is dict else rebuilt(cls, whole_parts)
    values = [whole(part, size) for part, size in zip(parts, sizes, strict=True)]
    if not all(hasattr(x, "ndim") for x in values):
        if any(hasattr(part, "ndim") or part != first for part in parts):
            raise ValueError("vectorized: the results of some items are other ones than those of others.")
        return first
    shapes = {np.shape(x)[1:] for x in values}
    if len(shapes) > 1:
        raise ValueError(f"vectorized: the results of items have different shapes: {sorted(shapes)}.")
    return Items(np.concatenate(values)[order], value_for_dispatch(values[0])[0])


def row(y: Any, i: int) -> Any:
    """The plain result of one item."""
    return arrays(with_items(y, lambda items: value_for_dispatch(items.value)[i]))


def arrays(x: Any) -> Any:
    """A result with plain arrays in the place of numbers."""
    if isinstance(x, tuple | list):
        return [arrays(part) for part in x]
    if type(x) is dict:
        return {key: arrays(part) for key, part in x.items()}
    x = value_for_dispatch(x)
    return np.asarray(x) if isinstance(x, np.ndarray | np.generic | bool | int | float | complex) else x
