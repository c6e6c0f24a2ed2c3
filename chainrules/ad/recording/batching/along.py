"""Functions along axes, with a leading axis for the items."""

import functools
import inspect
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chainrules.ad.recording.batching.items import Call, Items, NoBatchedFormError, only_first


# Never forgotten: of the functions in the table of forms.
@functools.cache
def _parameters(f: Any) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(f).parameters


def _place_of_axis(f: Any) -> tuple[int, Any]:
    """The position of the axis among the arguments, and its default."""
    if isinstance(getattr(f, "__self__", None), np.ufunc):
        return 1, 0
    parameters = _parameters(f)
    return list(parameters).index("axis"), parameters["axis"].default


def _with_axis(call: Call, change: Callable[[Any], Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with another axis."""
    place, axis = _place_of_axis(call.f)
    args, kwargs = list(call.args), dict(call.kwargs)
    if place < len(args):
        args[place] = change(args[place])
    else:
        kwargs["axis"] = change(kwargs.get("axis", axis))
    return tuple(args), kwargs


def behind_items(axis: Any) -> Any:
    """Axes of an item as axes of the array of all; those that are counted from the end are the same."""
    if isinstance(axis, tuple | list):
        return tuple(map(behind_items, axis))
    axis = operator.index(axis)
    return axis + 1 if axis >= 0 else axis


def over_axes(call: Call) -> Any:
    """Sums and the like, over all axes of an item where no axis is named."""
    x = only_first(call)
    if call.kwargs.get("out") is not None:
        raise NoBatchedFormError
    place, default = _place_of_axis(call.f)
    axis = call.args[place] if place < len(call.args) else call.kwargs.get("axis", default)
    value, every = x.value, tuple(range(1, x.ndim + 1))
    if axis is None and x.ndim > 1 and np.ndim(call.plain) == 0:  # all elements in one go, as of one item
        value, every = x.shaped(-1), (1,)
    args, kwargs = _with_axis(call, lambda axis: every if axis is None else behind_items(axis))
    return call.f(value, *args[1:], **kwargs)


def along_axis(call: Call) -> Any:
    """Sorts, running sums and the like, of all elements where the axis is `None`."""
    x = only_first(call)
    if x.ndim == 0 or call.kwargs.get("out") is not None:
        raise NoBatchedFormError
    place, default = _place_of_axis(call.f)
    axis = call.args[place] if place < len(call.args) else call.kwargs.get("axis", default)
    if axis is None and call.kwargs.get("keepdims"):
        raise NoBatchedFormError
    value = x.shaped(-1) if axis is None else x.value
    args, kwargs = _with_axis(call, lambda axis: 1 if axis is None else behind_items(axis))
    y = call.f(value, *args[1:], **kwargs)
    return np.reshape(y, (call.size, *np.shape(call.plain))) if call.f is np.roll else y


def take_along_axis(call: Call) -> Any:
    """``np.take_along_axis``, and `np.put_along_axis`, of arrays with the same number of axes."""
    names = (
        ("arr", "indices", "axis") if call.f is np.take_along_axis else ("arr", "indices", "values", "axis")
    )
    given = dict(zip(names, call.args, strict=False)) | dict(call.kwargs)
    axis = given.pop("axis", -1)
    if axis is None:
        raise NoBatchedFormError
    arrays = list(given.values())
    ndim = np.ndim(arrays[0].plain if isinstance(arrays[0], Items) else arrays[0])
    values = [x.aligned(ndim) if isinstance(x, Items) else np.asarray(x) for x in arrays]
    wide = [
        x if x.ndim == ndim + 1 else np.broadcast_to(x, (call.size, *(1,) * (ndim - x.ndim), *x.shape))
        for x in values
    ]
    return call.f(*wide, behind_items(axis))
