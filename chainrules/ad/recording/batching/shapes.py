"""Functions that move elements, and make arrays of arrays, with a leading axis for the items."""

import math
from typing import Any

import numpy as np

from chainrules.ad.recording.batching.along import behind_items
from chainrules.ad.recording.batching.items import Call, Items, NoBatchedFormError, items_in, only_first


def reshaped(call: Call) -> Any:
    """Whatever keeps the elements in their order: the shape is that of the recorded result."""
    x = only_first(call)
    order = call.kwargs.get("order", "C")
    is_flattened = call.f in (np.ravel, np.ndarray.flatten, np.ndarray.ravel)
    if is_flattened and len(call.args) > 1:
        order = call.args[1]
    if order != "C" and x.ndim > 1:
        raise NoBatchedFormError
    if call.f is np.reshape and "copy" in call.kwargs:
        raise NoBatchedFormError
    y = x.shaped(*np.shape(call.plain))
    return np.copy(y) if call.f is np.ndarray.flatten else y


def transposed(call: Call) -> Any:
    """``np.transpose``, whose axes may be one argument or several."""
    x, *axes = call.args
    axes = [*axes, *call.kwargs.values()]
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple | list)):
        axes = [] if axes[0] is None else list(axes[0])
    if next(items_in(axes), None) is not None:
        raise NoBatchedFormError
    axes = axes or list(range(x.ndim))[::-1]
    return np.transpose(x.value, (0, *(axis % x.ndim + 1 for axis in axes)))


def axes_moved(call: Call) -> Any:
    """Functions with two axes, or lists of axes, behind the array."""
    x = only_first(call)
    if call.f in (np.trace, np.diagonal):
        offset, first, second = (*call.args[1:], *(0, 0, 1)[len(call.args) - 1 :])[:3]
        given = {"offset": offset, "axis1": first, "axis2": second, **call.kwargs}
        axes = {name: behind_items(given.pop(name)) for name in ("axis1", "axis2")}
        return call.f(x.value, **given, **axes)
    if len(call.args) != 3:
        raise NoBatchedFormError
    return call.f(x.value, *map(behind_items, call.args[1:]))


def diag(call: Call) -> Any:
    """``np.diag``: the diagonal of a matrix, or a matrix of a diagonal."""
    x = only_first(call)
    if len(call.args) > 1 or call.kwargs:
        raise NoBatchedFormError
    if x.ndim == 2:
        return np.copy(np.diagonal(x.value, 0, 1, 2))
    is_on_it = np.eye(x.value.shape[-1], dtype=bool)
    return np.where(is_on_it, x.value[:, :, None], x.value.dtype.type(0))


def broadcast(call: Call) -> Any:
    """``np.broadcast_to``."""
    x = only_first(call)
    return np.broadcast_to(x.aligned(np.ndim(call.plain)), (call.size, *np.shape(call.plain)))


def joined(call: Call) -> Any:
    """``np.concatenate`` and its relatives: arrays that are the same for all items are repeated."""
    parts, *rest = call.args
    if not isinstance(parts, tuple | list) or set(call.kwargs) - {"axis"}:
        raise NoBatchedFormError
    axis = rest[0] if rest else call.kwargs.get("axis", 0)
    values, ndims = zip(*(_whole(part, call.size) for part in parts), strict=True)
    if call.f is np.stack:
        return np.stack(values, behind_items(axis))
    if call.f is np.hstack:
        axis = 0 if max(ndims) <= 1 else 1
        values = tuple(v if n else np.reshape(v, (call.size, 1)) for v, n in zip(values, ndims, strict=True))
    elif call.f is np.vstack:
        values = tuple(
            v if n > 1 else np.reshape(v, (call.size, 1, -1 if v.size else v.shape[-1]))
            for v, n in zip(values, ndims, strict=True)
        )
    if axis is None:
        values = tuple(np.reshape(v, (call.size, math.prod(v.shape[1:]))) for v in values)
        axis = 0
    return np.concatenate(values, behind_items(axis))


def _whole(x: Any, size: int) -> tuple[Any, int]:
    """An array for all items, and the number of axes of one."""
    if isinstance(x, Items):
        return x.value, x.ndim
    x = np.asarray(x) if isinstance(x, int | float | complex | list) else x
    return np.broadcast_to(x, (size, *np.shape(x))), np.ndim(x)


def made_an_array(call: Call) -> Any:
    """``np.array`` of numbers and arrays in nested lists, and of one array."""
    if len(call.args) > 2 or set(call.kwargs) - {"dtype", "copy"}:
        raise NoBatchedFormError

    def array_of(x: Any) -> Any:
        parts = x if isinstance(x, tuple | list) else None
        return _whole(x, call.size)[0] if parts is None else np.stack([array_of(part) for part in parts], 1)

    y, dtype = array_of(call.args[0]), np.asarray(call.plain).dtype
    y = y if y.dtype == dtype else y.astype(dtype)
    return np.copy(y) if isinstance(call.args[0], Items) and call.f is np.array else y


def filled(call: Call) -> Any:
    """``np.zeros_like`` and the like: of the array the class matters, and of the result the shape."""
    x = call.args[0]
    if not isinstance(x, Items) or next(items_in((*call.args[1:], dict(call.kwargs))), None) is not None:
        raise NoBatchedFormError
    value = call.args[1:2] if call.f is np.full_like else ()
    shape = (call.size, *np.shape(call.plain))
    return call.f(x.value, *value, dtype=np.asarray(call.plain).dtype, shape=shape)
