"""The form of each function with a leading axis for the items: one line for each family of functions.

A function that has no line here runs item by item.
"""

import builtins
import functools
import inspect
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chainrules.ad.recording.batching import indices, products
from chainrules.ad.recording.batching.items import (
    PYTHON_NUMBERS,
    Call,
    Items,
    NoBatchedFormError,
    call_of,
    items_in,
    only_first,
)
from chainrules.operations.casting import astype
from chainrules.operations.triangular_systems import solve_lower
from chainrules_core import unwrap_primitive

Form = Callable[[Call], Any]


# --- Element by element -------------------------------------------------------------------------------------


def elementwise(call: Call) -> Any:
    """Operands are aligned, so that axes meet as in each item."""
    options = {name: x for name, x in call.kwargs.items() if name not in {"out", "where"}}
    operands = [*call.args, *(call.kwargs[name] for name in ("out", "where") if name in call.kwargs)]
    if next(items_in(options), None) is not None or any(isinstance(x, tuple | list) for x in operands):
        raise NoBatchedFormError
    ndim = max(np.ndim(x.plain if isinstance(x, Items) else x) for x in operands)
    dtype = _dtype_beside_python_numbers(call.args)
    args = [_operand(x, ndim, dtype) for x in call.args]
    return call_of(call.f, args, {name: _operand(x, ndim, None) for name, x in call.kwargs.items()})


def _operand(x: Any, ndim: int, dtype: Any) -> Any:
    if not isinstance(x, Items):
        return x
    y = x.aligned(ndim)
    is_changed = dtype is not None and type(x.plain) in PYTHON_NUMBERS and y.dtype != dtype
    return y.astype(dtype) if is_changed else y


def _dtype_beside_python_numbers(args: tuple[Any, ...]) -> Any:
    """The dtype that numbers of Python's take beside arrays, which an array of them would not."""
    plains = [x.plain if isinstance(x, Items) else x for x in args]
    if not any(type(x.plain) in PYTHON_NUMBERS for x in args if isinstance(x, Items)):
        return None
    kinds = [
        getattr(x, "dtype", x)
        for x in plains
        if isinstance(x, np.ndarray | np.generic | int | float | complex)
    ]
    return np.result_type(*kinds) if any(isinstance(x, np.dtype) for x in kinds) else None


def power(call: Call) -> Any:
    """``x ** y``: of numbers as `np.power`, since arrays have shorter ways, with other results at infinity."""
    of_numbers = np.ndim(call.plain) == 0
    f = np.power if of_numbers and call.f is operator.pow else call.f
    return elementwise(Call(f, call.args, call.kwargs, call.plain, call.size))


def first_alone(call: Call) -> Any:
    """Whatever does the same with each element of the first argument."""
    return call_of(call.f, (only_first(call).value, *call.args[1:]), call.kwargs)


# --- Along axes ---------------------------------------------------------------------------------------------


@functools.cache
def _parameters(f: Any) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(f).parameters


_OF_UFUNCS = {"reduce": ("array", "axis"), "accumulate": ("array", "axis")}


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


def _behind_items(axis: Any) -> Any:
    """Axes of an item as axes of the array of all; those that are counted from the end are the same."""
    if isinstance(axis, tuple | list):
        return tuple(map(_behind_items, axis))
    axis = operator.index(axis)
    return axis + 1 if axis >= 0 else axis


def over_axes(call: Call) -> Any:
    """Sums and the like, over all axes of an item where no axis is named."""
    x = only_first(call)
    if call.kwargs.get("out") is not None:
        raise NoBatchedFormError
    place, default = _place_of_axis(call.f)
    axis = call.args[place] if place < len(call.args) else call.kwargs.get("axis", default)
    value = x.value
    if axis is None and x.ndim > 1 and np.ndim(call.plain) == 0:  # all elements in one go, as of one item
        value, every = x.shaped(-1), (1,)
    else:
        every = tuple(range(1, x.ndim + 1))
    args, kwargs = _with_axis(call, lambda axis: every if axis is None else _behind_items(axis))
    return call.f(value, *args[1:], **kwargs)


def norm(call: Call) -> Any:
    """``np.linalg.norm``: which norm it is depends on the number of axes."""
    x = only_first(call)
    bound = inspect.signature(np.linalg.norm).bind(*call.args, **call.kwargs)
    bound.apply_defaults()
    order, axis, keepdims = (bound.arguments[name] for name in ("ord", "axis", "keepdims"))
    if axis is not None:
        return np.linalg.norm(x.value, order, _behind_items(axis), keepdims)
    if x.ndim in (1, 2):
        return np.linalg.norm(x.value, order, (1, 2) if x.ndim == 2 else 1, keepdims)
    if keepdims or order is not None:
        raise NoBatchedFormError
    return np.linalg.norm(x.shaped(-1), None, 1)


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
    args, kwargs = _with_axis(call, lambda axis: 1 if axis is None else _behind_items(axis))
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
    return call.f(*wide, _behind_items(axis))


# --- Shapes -------------------------------------------------------------------------------------------------


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
    """Functions with two axes, or lists of axes, behind the array: `np.swapaxes`, `np.moveaxis`, `np.diagonal`."""
    x = only_first(call)
    if call.f in (np.trace, np.diagonal):
        offset, first, second = (*call.args[1:], *(0, 0, 1)[len(call.args) - 1 :])[:3]
        given = {"offset": offset, "axis1": first, "axis2": second, **call.kwargs}
        axes = {name: _behind_items(given.pop(name)) for name in ("axis1", "axis2")}
        return call.f(x.value, **given, **axes)
    if len(call.args) != 3:
        raise NoBatchedFormError
    return call.f(x.value, *map(_behind_items, call.args[1:]))


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
        return np.stack(values, _behind_items(axis))
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
    return np.concatenate(values, _behind_items(axis))


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


# --- Matrices -----------------------------------------------------------------------------------------------


def of_matrices(call: Call) -> Any:
    """Functions of the last two axes, which take further ones before these."""
    x = only_first(call)
    if x.ndim < 2:
        raise NoBatchedFormError
    return call.f(x.value, *call.args[1:], **call.kwargs)


def of_stacks(call: Call) -> Any:
    """Functions of several stacks of matrices, whose further axes broadcast."""
    ndim = max(np.ndim(x.plain if isinstance(x, Items) else x) for x in call.args[:2])
    return call.f(*(_operand(x, ndim, None) for x in call.args), **call.kwargs)


def solve(call: Call) -> Any:
    """``np.linalg.solve(A, b)``, where a vector is one column."""
    a, b = call.args
    b_ndim = b.ndim if isinstance(b, Items) else np.ndim(b)
    ndim = max(a.ndim if isinstance(a, Items) else np.ndim(a), b_ndim)
    if b_ndim == 1:
        column = Items(b.shaped(-1, 1), b.plain[:, None]) if isinstance(b, Items) else np.reshape(b, (-1, 1))
        return np.linalg.solve(_operand(a, ndim, None), _operand(column, ndim, None))[..., 0]
    return np.linalg.solve(_operand(a, ndim, None), _operand(b, ndim, None))


# --- The table ----------------------------------------------------------------------------------------------

_TABLE: list[tuple[Form, Any, str]] = [
    (elementwise, np, "where clip isclose nan_to_num sinc real imag angle i0 round around fix"),
    (elementwise, operator, "add sub mul truediv floordiv mod neg pos abs and_ or_ xor invert lshift rshift"),
    (elementwise, operator, "eq ne lt le gt ge"),
    (elementwise, builtins, "abs"),
    (elementwise, np.ndarray, "clip round"),
    (power, operator, "pow"),
    (first_alone, np, "interp digitize iscomplex isreal copy asarray ascontiguousarray"),
    (first_alone, np.ndarray, "astype copy"),
    (over_axes, np, "sum prod max min amax amin mean std var any all count_nonzero median ptp flip"),
    (over_axes, np, "nansum nanprod nanmax nanmin nanmean nanstd nanvar"),
    (along_axis, np, "cumsum cumprod nancumsum nancumprod sort argsort argmax argmin nanargmax nanargmin"),
    (along_axis, np, "diff roll repeat partition argpartition trapezoid split array_split"),
    (along_axis, np.fft, "fft ifft rfft irfft hfft ihfft"),
    (take_along_axis, np, "take_along_axis put_along_axis"),
    (reshaped, np, "reshape ravel squeeze expand_dims atleast_1d"),
    (reshaped, np.ndarray, "flatten ravel"),
    (transposed, np, "transpose"),
    (axes_moved, np, "swapaxes moveaxis trace diagonal"),
    (diag, np, "diag"),
    (broadcast, np, "broadcast_to"),
    (joined, np, "concatenate stack hstack vstack"),
    (made_an_array, np, "array"),
    (filled, np, "zeros_like ones_like empty_like full_like"),
    (of_matrices, np, "tril triu"),
    (of_matrices, np.linalg, "inv det slogdet cholesky eigh eigvalsh svd svdvals qr pinv matrix_power"),
    (of_matrices, np.linalg, "matrix_transpose"),
    (norm, np.linalg, "norm"),
    (solve, np.linalg, "solve"),
    (products.matmul, np, "matmul"),
    (products.matmul, operator, "matmul"),
    (products.dot, np, "dot"),
    (products.inner, np, "inner"),
    (products.vdot, np, "vdot"),
    (products.outer, np, "outer"),
    (products.tensordot, np, "tensordot"),
    (products.einsum, np, "einsum"),
    (indices.getitem, operator, "getitem"),
    (indices.setitem, operator, "setitem"),
    (indices.take, np, "take"),
]
_FORMS: dict[Any, Form] = {
    getattr(module, name): form
    for form, module, names in _TABLE
    for name in names.split()
    if hasattr(module, name)
}
_OF_OURS: dict[Any, Form] = {
    indices.scatter: indices.scattered,
    indices.written: indices.written_into,
    solve_lower: of_stacks,
    astype: first_alone,
}
_FORMS |= _OF_OURS
_OF_METHODS: dict[str, Form] = {"reduce": over_axes, "accumulate": along_axis, "at": indices.at}

# Not looked up in the module, which takes time to import.
_OF_SPECIAL = frozenset({"logsumexp", "softmax", "log_softmax"})

# The function that does what a method of arrays or a function of Python's numbers does, which writes nowhere.
_METHODS = """
    all any argmax argmin argsort conj conjugate cumprod cumsum diagonal dot max mean min prod repeat
    reshape squeeze std sum swapaxes take trace transpose var searchsorted nonzero
"""
_OF_MATH = """
    cbrt copysign cos cosh degrees exp exp2 expm1 fabs fmod hypot log log10 log1p log2 radians sin sinh sqrt tan
    tanh acos:arccos acosh:arccosh asin:arcsin asinh:arcsinh atan:arctan atan2:arctan2 atanh:arctanh pow:power
"""
_SAME: dict[Any, Any] = {
    getattr(cls, name): getattr(np, name)
    for cls in (np.ndarray, np.generic)
    for name in _METHODS.split()
    if hasattr(cls, name)
}
_SAME |= {
    getattr(math, name): getattr(np, other or name)
    for name, _, other in (pair.partition(":") for pair in _OF_MATH.split())
}
# Of primitives the functions themselves are recorded.
_SAME |= {unwrap_primitive(f): f for f in _OF_OURS}


def batched(call: Call) -> Any:
    """The result for all items, by the form of the function.

    Raises
    ------
    NoBatchedFormError
        If there is none for such arguments.
    """
    form = form_of(call.f)
    f = standing_for(call.f)
    return form(call if f is call.f else Call(f, call.args, call.kwargs, call.plain, call.size))


def form_of(f: Any) -> Form:
    """The form of a function."""
    f = standing_for(f)
    try:
        known = _FORMS.get(f)
    except TypeError:
        known = None
    if known is not None:
        return known
    if isinstance(f, np.ufunc) and f.signature is None:
        return elementwise
    name = getattr(f, "__name__", "")
    if isinstance(getattr(f, "__self__", None), np.ufunc) and name in _OF_METHODS:
        return _OF_METHODS[name]
    if name in _OF_SPECIAL and str(f.__module__).startswith("scipy.special."):
        return over_axes
    return _none


def standing_for(f: Any) -> Any:
    """The function of NumPy's that does what a method of arrays does, and is asked by other values too."""
    try:
        return _SAME.get(f, f)
    except TypeError:
        return f


def _none(call: Call) -> Any:
    raise NoBatchedFormError


def alike(x: Any, plain: Any, items: Any, size: int) -> Any:
    """A new array for all items, into which something else will be written for each.

    Parameters
    ----------
    x
        The array that is the same for all.
    plain
        The same as it was recorded.
    items
        Any array of values for all items: the result is of its class.
    size
        The number of items.
    """
    shape = (size, *np.shape(plain))
    return np.full_like(items, x, dtype=np.asarray(plain).dtype, shape=shape)
