"""The values of one recorded operation for all items, along a leading axis."""

import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.ad.recording.regular import is_named_tuple, rebuilt
from chainrules_core import primitive

PYTHON_NUMBERS = (bool, int, float, complex)


class NoBatchedFormError(Exception):
    """An operation has no form with a leading axis for such arguments: it runs item by item."""


@dataclass(slots=True, eq=False)
class Items:
    """The values that a recorded value has for all items.

    Attributes
    ----------
    value
        An array with a leading axis; of a tuple or list of arrays the arrays.
    plain
        The value for the item that was recorded.
    """

    value: Any
    plain: Any

    @property
    def ndim(self) -> int:
        """The number of axes of an item."""
        return np.ndim(self.plain)

    def aligned(self, ndim: int) -> Any:
        """The array, with axes after the leading one as if each item had `ndim` axes."""
        missing = ndim - self.ndim
        return self.shaped(*(1,) * missing, *np.shape(self.plain)) if missing > 0 else self.value

    def shaped(self, *shape: int) -> Any:
        """The array, with each item in another shape; one that holds all its elements if it says `-1`."""
        if -1 in shape:
            known = int(np.prod([n for n in shape if n != -1], dtype=int))
            shape = tuple(np.size(self.plain) // max(known, 1) if n == -1 else n for n in shape)
        shape = (self.value.shape[0], *shape)
        return self.value if self.value.shape == shape else np.reshape(self.value, shape)

    def row(self, i: int) -> Any:
        """The value for one item; a number of Python's where the program has one."""
        x = self.value[i]
        return x.item() if type(self.plain) in PYTHON_NUMBERS and isinstance(x, np.generic) else x


@dataclass(slots=True, eq=False)
class Call:
    """One operation for all items.

    Attributes
    ----------
    f
        What is called.
    args, kwargs
        With `Items` where the value is another one for each item.
    plain
        The result for the item that was recorded.
    size
        The number of items.
    """

    f: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    plain: Any
    size: int

    def by_rows(self) -> list[Any]:
        """The results for one item after the other."""
        return [call_of(self.f, row_of(self.args, i), row_of(dict(self.kwargs), i)) for i in range(self.size)]


def call_of(f: Any, args: Any, kwargs: Any) -> Any:
    """The result of a call: a method is one of whatever stands for the array, and rules serve functions."""
    if isinstance(f, types.MethodDescriptorType):
        return getattr(args[0], f.__name__)(*args[1:], **kwargs)
    return (primitive(f) if isinstance(f, types.FunctionType) else f)(*args, **kwargs)


def row_of(x: Any, i: int) -> Any:
    """An argument for one item."""
    return with_items(x, lambda items: items.row(i))


def with_items(x: Any, change: Callable[[Items], Any]) -> Any:
    """An argument with something else in the place of the `Items` in it."""
    cls = type(x)
    if cls is Items:
        return change(x)
    if cls is tuple or cls is list or is_named_tuple(cls):
        return rebuilt(cls, [with_items(part, change) for part in x])
    if cls is dict:
        return {key: with_items(part, change) for key, part in x.items()}
    return slice(*(with_items(part, change) for part in (x.start, x.stop, x.step))) if cls is slice else x


def items_in(x: Any) -> Iterator[Items]:
    """The `Items` in an argument."""
    cls = type(x)
    if cls is Items:
        yield x
    elif cls in (tuple, list, dict, slice) or is_named_tuple(cls):
        parts = x.values() if cls is dict else (x.start, x.stop, x.step) if cls is slice else x
        for part in parts:
            yield from items_in(part)


def aligned(x: Any, ndim: int) -> Any:
    """An operand with axes as if each item had `ndim` of them; what is the same for all is as it is."""
    return x.aligned(ndim) if isinstance(x, Items) else x


def only_first(call: Call) -> Items:
    """The first argument, if it alone is another one for each item.

    Raises
    ------
    NoBatchedFormError
        If it is not.
    """
    x = call.args[0] if call.args else None
    if not isinstance(x, Items) or next(items_in((*call.args[1:], dict(call.kwargs))), None) is not None:
        raise NoBatchedFormError
    return x


def stacked_rows(rows: list[Any], plain: Any) -> Any:
    """The results for one item after the other along a leading axis; tuples and lists part by part."""
    if isinstance(plain, tuple | list):
        return [stacked_rows([row[i] for row in rows], part) for i, part in enumerate(plain)]
    return np.stack(rows) if rows else np.zeros((0, *np.shape(plain)), np.result_type(plain))


def is_of_kind(y: Any, plain: Any, size: int) -> bool:
    """Whether a result has the dtype and the shape of the recorded one, and the leading axis before it."""
    if isinstance(plain, tuple | list):
        return len(y) == len(plain) and all(is_of_kind(*pair, size) for pair in zip(y, plain, strict=True))
    dtype = np.asarray(plain).dtype
    return bool(y.shape == (size, *np.shape(plain)) and y.dtype == dtype)
