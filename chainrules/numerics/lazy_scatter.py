"""The adjoint of indexing for lazy arrays: a cotangent is put into blocks of zeros when they are computed.

Basic indices are assigned to; one array of integers along an axis is served chunk by chunk. Where the length
of a result depends on values, as of ``x[x > 0]``, nobody knows how long its cotangent should be.
"""

from typing import Any, NoReturn

import numpy as np

from chainrules.values.lazy_arrays import dask_array
from chainrules_core import is_lazy


def scattered_lazily(y: Any, like: Any, index: Any) -> Any:
    """As `chainrules.operations.scatter.scatter`, for a lazy array `like` or a lazy cotangent `y`.

    Raises
    ------
    TypeError
        If the index is a mask, or holds several arrays of integers.
    """
    if not is_lazy(like):  # it is small, as it is in memory
        like = dask_array().zeros(like.shape, dtype=like.dtype, chunks=-1)
    parts = _all_parts(index, like.ndim)
    arrays = [
        place for place, part in enumerate(parts) if isinstance(part, np.ndarray | list) or is_lazy(part)
    ]
    if arrays:
        return _scattered_along(y, like, parts, arrays)
    zeros = dask_array().zeros_like(like, dtype=_dtype_of(y))
    zeros[tuple(part for part in parts if part is not None)] = _without_new_axes(y, parts)
    return zeros


def _is_mask(part: Any) -> bool:
    """Whether it is a vector of truth values in memory, so that the places are known."""
    return isinstance(part, np.ndarray) and part.dtype.kind == "b" and part.ndim == 1


def _all_parts(index: Any, ndim: int) -> list[Any]:
    """One part of the index for each axis, and `None` for new ones."""
    parts = list(index) if isinstance(index, tuple) else [index]
    missing = ndim - sum(part is not None and part is not Ellipsis for part in parts)
    place = next((place for place, part in enumerate(parts) if part is Ellipsis), len(parts))
    return [*parts[:place], *[slice(None)] * missing, *parts[place + 1 :]]


def _without_new_axes(y: Any, parts: list[Any]) -> Any:
    if not any(part is None for part in parts):
        return y
    kept = [part for part in parts if part is None or isinstance(part, slice)]  # integers take axes away
    return np.squeeze(y, tuple(axis for axis, part in enumerate(kept) if part is None))


def _scattered_along(y: Any, like: Any, parts: list[Any], arrays: list[int]) -> Any:
    (axis, *others) = arrays
    if others or any(part != slice(None) for place, part in enumerate(parts) if place != axis):
        _refuse()
    indices = parts[axis]
    if _is_mask(indices):
        indices = np.flatnonzero(indices)
    if is_lazy(indices) or np.asarray(indices).dtype.kind not in "iu" or np.ndim(indices) != 1:
        _refuse()
    length = like.shape[axis]
    indices = np.asarray(indices) % length
    rows = np.moveaxis(dask_array().asarray(y), axis, 0)
    blocks, start = [], 0
    for size in like.chunks[axis]:
        (here,) = np.nonzero((indices >= start) & (indices < start + size))
        blocks.append(_block(rows, here, indices[here] - start, size))
        start += size
    return np.moveaxis(np.concatenate(blocks), 0, axis)


def _block(rows: Any, here: Any, places: Any, size: int) -> Any:
    """A chunk along the first axis, of this size, with some of the `rows` added in their places."""
    if not len(here):
        return dask_array().zeros_like(rows, shape=(size, *rows.shape[1:]), chunks=(size, *rows.chunks[1:]))
    picked = rows[here].rechunk({0: -1})
    return picked.map_blocks(_added, places, size, dtype=rows.dtype, chunks=((size,), *picked.chunks[1:]))


def _added(rows: Any, places: Any, size: int) -> Any:
    block = np.zeros((size, *rows.shape[1:]), rows.dtype)
    np.add.at(block, places, rows)
    return block


def _dtype_of(y: Any) -> Any:
    return y.dtype if hasattr(y, "dtype") else np.result_type(y)


def _refuse() -> NoReturn:
    raise TypeError(
        "The elements of a lazy array that a mask, or several arrays of integers, pick have no derivative "
        "here: how many they are, or in which chunks they lie, is known once they are computed. Write "
        "`np.where(mask, x, 0)` in the place of `x[mask]`, and one array of integers at a time."
    )
