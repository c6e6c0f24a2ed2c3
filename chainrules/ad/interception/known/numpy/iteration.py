"""`np.nditer` over one traced array, and `np.broadcast`: the places are NumPy's, and the items are traced."""

from typing import Any, Self

import numpy as np

from chainrules.ad.interception.choosing.plain_writes import written_into
from chainrules.ad.interception.choosing.ruled_calls import array_if_traced
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of

_WRITING = frozenset({"readwrite", "writeonly"})

# The flags that do not change what an item is.
_FLAGS = frozenset({"c_index", "f_index", "multi_index", "zerosize_ok", "refs_ok", "common_dtype"})


class TracedIteration:
    """Goes through a traced array as `np.nditer` would: in the order of memory, with the same attributes.

    Parameters
    ----------
    x
        A traced array.
    flags, op_flags
        As of `np.nditer`. Items are views of the array if they may be written, and numbers otherwise.
    order
        As of `np.nditer`.
    """

    def __init__(self, x: Any, flags: Any = (), op_flags: Any = ("readonly",), order: str = "K") -> None:
        primal = primal_of(x)
        positions = np.empty_like(primal, dtype=int)  # in the same order of memory
        positions[...] = np.arange(primal.size).reshape(primal.shape)
        self._x, self._shape = x, primal.shape
        self._places = np.nditer(positions, list(flags), [["readonly"]], order=order)  # type: ignore[call-overload]  # flags of the program
        self._has_views = "readonly" not in np.ravel(op_flags)

    def _index(self, place: Any) -> tuple[Any, ...]:
        return tuple(map(int, np.unravel_index(int(place), self._shape)))

    def _item(self, place: Any) -> Any:
        index = self._index(place)
        return self._x[(*index, ...) if self._has_views else index] if self._shape else self._x

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return self._item(next(self._places))

    def __getitem__(self, number: int) -> Any:
        return self._item(self._places[number])

    def __setitem__(self, number: int, value: Any) -> None:
        self._x[(*self._index(self._places[number]), ...)] = value

    value = property(lambda self: self._item(self._places.value), doc="The item.")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._places, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._places.close()


def _flat(flags: Any) -> Any:
    """The flags of operands, given as one list for all or as one for each."""
    for flag in flags:
        if flag.__class__ is str:
            yield flag
        else:
            yield from flag


def _nditer(op: Any, flags: Any = (), op_flags: Any = ("readonly",), **kwargs: Any) -> Any:
    is_one = op.__class__ in TRACED
    if not is_one and not (isinstance(op, list | tuple) and any(x.__class__ in TRACED for x in op)):
        given = {} if op_flags == ("readonly",) else {"op_flags": op_flags}
        if _WRITING.intersection(_flat(op_flags)):
            written_into(tuple(op) if isinstance(op, list) else op)
        return np.nditer(op, flags, **given, **kwargs)
    if not is_one or not _FLAGS.issuperset(flags) or not kwargs.keys() <= {"order"}:
        raise TypeError(
            "np.nditer(...) over traced arrays goes through one array, item by item. Write "
            "`for a, b in zip(x.flat, y.flat)` for several, and `np.ndindex(x.shape)` for their places."
        )
    return TracedIteration(op, flags, op_flags, **kwargs)


fact(np.nditer, stands_for_it=_nditer)


class TracedBroadcast:
    """Goes through arrays that are broadcast against each other as `np.broadcast` would, some of them traced.

    Parameters
    ----------
    *arrays
        Arrays and numbers.
    """

    def __init__(self, *arrays: Any) -> None:
        self._places = np.broadcast(*map(primal_of, arrays))
        self._arrays = np.broadcast_arrays(*arrays)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> tuple[Any, ...]:
        place = self._places.index
        next(self._places)
        index = tuple(map(int, np.unravel_index(place, self._places.shape)))
        return tuple(x[index] for x in self._arrays)

    iters = property(lambda self: tuple(x.flat for x in self._arrays), doc="An iterator for each array.")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._places, name)


def _broadcast(*arrays: Any) -> Any:
    if not any(map(is_traced, arrays)):
        return np.broadcast(*arrays)
    return TracedBroadcast(*map(array_if_traced, arrays))


fact(np.broadcast, stands_for_it=_broadcast)
