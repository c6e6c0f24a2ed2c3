"""Elements by their position, with a leading axis for the items: read, and written into."""

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.ad.recording.batching.items import Call, Items, NoBatchedFormError, aligned, items_in
from chainrules.operations.writing import written


@dataclass(slots=True, eq=False)
class _Index:
    """An index of the batched array.

    Attributes
    ----------
    entries
        It itself.
    ndim
        The number of axes that it picks from one item.
    arrays
        The number of axes of index arrays, which come first, and `moved`, where they belong.
    """

    entries: tuple[Any, ...]
    ndim: int
    arrays: int = 0
    moved: int = 0


def getitem(call: Call) -> Any:
    """``x[index]``."""
    x, index = call.args
    return _read(x, index, call.size)


def _read(x: Any, index: Any, size: int) -> Any:
    found = _index_of(x, index, size)
    if isinstance(x, Items):
        y = x.value[found.entries]
    else:  # the items stand where the index arrays do
        return np.moveaxis(x[found.entries], found.moved, 0)
    if found.moved:
        axes = range(1, 1 + found.arrays)
        y = np.moveaxis(y, list(axes), [found.moved + axis for axis in axes])
    return y


def setitem(call: Call) -> Any:
    """``x[index] = value``, into an array that holds all items."""
    x, index, value = call.args
    found = _written_at(x, index, value, call.size)
    return operator.setitem(x.value, found.entries, aligned(value, found.ndim))


def at(call: Call) -> Any:
    """``ufunc.at(x, index, value)``."""
    x, index, value = call.args
    found = _written_at(x, index, value, call.size)
    return call.f(x.value, found.entries, aligned(value, found.ndim))


def written_into(call: Call) -> Any:
    """``written(x, value, index)``, a copy with other elements."""
    x, value, index = call.args
    found = _written_at(Items(None, _plain(x)), index, value, call.size)
    return written(_repeated(x, call.size), aligned(value, found.ndim), found.entries)


def _repeated(x: Any, size: int) -> Any:
    return x.value if isinstance(x, Items) else np.broadcast_to(x, (size, *np.shape(x)))


def _plain(x: Any) -> Any:
    return x.plain if isinstance(x, Items) else x


def take(call: Call) -> Any:
    """``np.take(x, indices, axis)``."""
    if len(call.args) != 2 or set(call.kwargs) - {"axis"}:
        raise NoBatchedFormError
    (x, i), axis = call.args, call.kwargs.get("axis")
    plain = _plain(x)
    if axis is None:
        x = Items(x.shaped(-1), np.ravel(plain)) if isinstance(x, Items) else np.ravel(x)
        axis = 0
    index = i if isinstance(i, Items) else np.asarray(i)
    return _read(x, (*(slice(None),) * (axis % max(np.ndim(plain), 1)), index), call.size)


def _written_at(x: Any, index: Any, value: Any, size: int) -> _Index:
    found = _index_of(x, index, size)
    ndim = value.ndim if isinstance(value, Items) else np.ndim(value)
    if not isinstance(x, Items) or found.moved or ndim > found.ndim:
        raise NoBatchedFormError
    return found


def _index_of(x: Any, index: Any, size: int) -> _Index:
    """The index of the whole batch that is the given one of each item."""
    ndim = x.ndim if isinstance(x, Items) else np.ndim(x)
    entries = _expanded(index, ndim)
    arrays = [i for i, entry in enumerate(entries) if isinstance(entry, Items | np.ndarray)]
    if not arrays:
        picked = sum(not _is_number(entry) for entry in entries)
        return _Index((slice(None), *entries), picked)
    advanced = [i for i, entry in enumerate(entries) if i in arrays or _is_number(entry)]
    axes = max(entry.ndim for entry in (entries[i] for i in arrays))
    is_together = advanced[-1] - advanced[0] == len(advanced) - 1
    place = advanced[0] if is_together else 0
    picked = len(entries) - len(advanced) + axes
    if not any(True for _ in items_in(tuple(entries))) and is_together:
        return _Index((slice(None), *entries), picked)
    wide = [entry.aligned(axes) if isinstance(entry, Items) else entry for entry in entries]
    if not isinstance(x, Items):
        return _Index(tuple(wide), picked, axes, place)
    return _Index((np.arange(size).reshape(size, *(1,) * axes), *wide), picked, axes, place)


def _expanded(index: Any, ndim: int) -> list[Any]:
    """An index with one entry for each axis, without an ellipsis; masks as positions."""
    entries: list[Any] = []
    for entry in index if isinstance(index, tuple) else (index,):
        if isinstance(entry, list):
            entry = np.asarray(entry, None if entry else int)  # noqa: PLW2901 - as NumPy reads it
        kind = getattr(entry.plain if isinstance(entry, Items) else entry, "dtype", np.dtype(int)).kind
        if isinstance(entry, bool | np.bool_) or (kind == "b" and isinstance(entry, Items)):
            raise NoBatchedFormError
        if isinstance(entry, slice) and any(True for _ in items_in(entry)):
            raise NoBatchedFormError
        if kind == "b":
            if entry.ndim == 0:
                raise NoBatchedFormError
            entries += np.nonzero(entry)
        else:
            entries.append(entry)
    missing = ndim - sum(entry is not None and entry is not Ellipsis for entry in entries)
    rest = [slice(None)] * missing
    i = next((i for i, entry in enumerate(entries) if entry is Ellipsis), None)
    return entries + rest if i is None else entries[:i] + rest + entries[i + 1 :]


def _is_number(entry: Any) -> bool:
    return isinstance(entry, int | np.integer)
