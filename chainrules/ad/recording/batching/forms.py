"""The form of each function with a leading axis for the items: one line for each family of functions.

A function that has no line here runs item by item.
"""

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.batching import along, elements, indices, matrices, products, shapes
from chainrules.ad.recording.batching.items import Call, NoBatchedFormError
from chainrules.operations.casting import astype
from chainrules.operations.triangular_systems import solve_lower
from chainrules.operations.writing import written
from chainrules_core import unwrap_primitive

Form = Callable[[Call], Any]

_TABLE: list[tuple[Form, Any, str]] = [
    (elements.elementwise, np, "where clip isclose nan_to_num sinc real imag angle i0 round around fix"),
    (
        elements.elementwise,
        operator,
        "add sub mul truediv floordiv mod neg pos abs and_ or_ xor invert lshift rshift",
    ),
    (elements.elementwise, operator, "eq ne lt le gt ge"),
    (elements.elementwise, builtins, "abs"),
    (elements.elementwise, np.ndarray, "clip round"),
    (elements.power, operator, "pow"),
    (elements.power, np, "power"),
    (elements.first_alone, np, "interp digitize iscomplex isreal copy asarray ascontiguousarray"),
    (elements.first_alone, np.ndarray, "astype copy"),
    (along.over_axes, np, "sum prod max min amax amin mean std var any all count_nonzero median ptp flip"),
    (along.over_axes, np, "nansum nanprod nanmax nanmin nanmean nanstd nanvar"),
    (
        along.along_axis,
        np,
        "cumsum cumprod nancumsum nancumprod sort argsort argmax argmin nanargmax nanargmin",
    ),
    (along.along_axis, np, "diff roll repeat partition argpartition trapezoid split array_split"),
    (along.along_axis, np.fft, "fft ifft rfft irfft hfft ihfft"),
    (along.take_along_axis, np, "take_along_axis put_along_axis"),
    (shapes.reshaped, np, "reshape ravel squeeze expand_dims atleast_1d"),
    (shapes.reshaped, np.ndarray, "flatten ravel"),
    (shapes.transposed, np, "transpose"),
    (shapes.axes_moved, np, "swapaxes moveaxis trace diagonal"),
    (shapes.diag, np, "diag"),
    (shapes.broadcast, np, "broadcast_to"),
    (shapes.joined, np, "concatenate stack hstack vstack"),
    (shapes.made_an_array, np, "array"),
    (shapes.filled, np, "zeros_like ones_like empty_like full_like"),
    (matrices.of_matrices, np, "tril triu"),
    (
        matrices.of_matrices,
        np.linalg,
        "inv det slogdet cholesky eigh eigvalsh svd svdvals qr pinv matrix_power",
    ),
    (matrices.of_matrices, np.linalg, "matrix_transpose"),
    (matrices.norm, np.linalg, "norm"),
    (matrices.solve, np.linalg, "solve"),
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
    written: indices.written_into,
    solve_lower: matrices.of_stacks,
    astype: elements.first_alone,
}
_FORMS |= _OF_OURS
_OF_METHODS: dict[str, Form] = {"reduce": along.over_axes, "accumulate": along.along_axis, "at": indices.at}

# Not looked up in the module, which takes time to import.
_OF_SPECIAL = frozenset({"logsumexp", "softmax", "log_softmax"})

# The function that does what a method of arrays, or a function of Python's numbers, does; none writes.
_METHODS = """
    all any argmax argmin argsort conj conjugate cumprod cumsum diagonal dot max mean min prod repeat
    reshape squeeze std sum swapaxes take trace transpose var searchsorted nonzero
"""
_OF_MATH = """
    cbrt copysign cos cosh degrees exp exp2 expm1 fabs fmod hypot log log10 log1p log2 radians sin sinh sqrt
    tan tanh acos:arccos acosh:arccosh asin:arcsin asinh:arcsinh atan:arctan atan2:arctan2 atanh:arctanh
    pow:power
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
    if f in _FORMS:
        return _FORMS[f]
    if isinstance(f, np.ufunc) and f.signature is None:
        return elements.elementwise
    name = getattr(f, "__name__", "")
    if isinstance(getattr(f, "__self__", None), np.ufunc) and name in _OF_METHODS:
        return _OF_METHODS[name]
    if name in _OF_SPECIAL and str(f.__module__).startswith("scipy.special."):
        return along.over_axes
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
