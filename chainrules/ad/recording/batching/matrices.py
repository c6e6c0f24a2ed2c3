"""Functions of matrices, with a leading axis for the items."""

import inspect
from typing import Any

import numpy as np

from chainrules.ad.recording.batching.along import behind_items
from chainrules.ad.recording.batching.items import Call, Items, NoBatchedFormError, aligned, only_first


def norm(call: Call) -> Any:
    """``np.linalg.norm``: which norm it is depends on the number of axes."""
    x = only_first(call)
    bound = inspect.signature(np.linalg.norm).bind(*call.args, **call.kwargs)
    bound.apply_defaults()
    order, axis, keepdims = (bound.arguments[name] for name in ("ord", "axis", "keepdims"))
    if axis is not None:
        return np.linalg.norm(x.value, order, behind_items(axis), keepdims)
    if x.ndim in (1, 2):
        return np.linalg.norm(x.value, order, (1, 2) if x.ndim == 2 else 1, keepdims)
    if keepdims or order is not None:
        raise NoBatchedFormError
    return np.linalg.norm(x.shaped(-1), None, 1)


def of_matrices(call: Call) -> Any:
    """Functions of the last two axes, which take further ones before these."""
    x = only_first(call)
    if x.ndim < 2:
        raise NoBatchedFormError
    return call.f(x.value, *call.args[1:], **call.kwargs)


def of_stacks(call: Call) -> Any:
    """Functions of several stacks of matrices, whose further axes broadcast."""
    ndim = max(np.ndim(x.plain if isinstance(x, Items) else x) for x in call.args[:2])
    return call.f(*(aligned(x, ndim) for x in call.args), **call.kwargs)


def solve(call: Call) -> Any:
    """``np.linalg.solve(A, b)``, where a vector is one column."""
    a, b = call.args
    b_ndim = b.ndim if isinstance(b, Items) else np.ndim(b)
    ndim = max(a.ndim if isinstance(a, Items) else np.ndim(a), b_ndim)
    if b_ndim == 1:
        column = Items(b.shaped(-1, 1), b.plain[:, None]) if isinstance(b, Items) else np.reshape(b, (-1, 1))
        return np.linalg.solve(aligned(a, ndim), aligned(column, ndim))[..., 0]
    return np.linalg.solve(aligned(a, ndim), aligned(b, ndim))
