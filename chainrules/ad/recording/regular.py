"""Functions whose results have a class, dtype and shape that follow from those of the arguments.

Of every other function the result is compared with the recorded one. And functions that write into an
argument.
"""

import math
import operator
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from chainrules.ad.values.facts import fact_of

_OF_NUMPY = """
    sum mean prod max min amax amin std var cumsum cumprod dot matmul outer inner vdot tensordot clip reshape
    ravel transpose swapaxes moveaxis expand_dims squeeze broadcast_to concatenate stack vstack hstack
    zeros_like ones_like empty_like full_like copy diag diagonal trace tril triu flip fliplr flipud roll kron
    argmax argmin argsort sort any all real imag conjugate take take_along_axis ndim size shape einsum where
"""
_OF_LINALG = "inv solve det slogdet cholesky norm eigh eigvalsh"
_OF_OPERATOR = """
    add sub mul truediv floordiv mod pow matmul neg pos abs and_ or_ xor invert lshift rshift eq ne lt le gt
    ge
"""

_REGULAR: set[Any] = {getattr(np, name) for name in _OF_NUMPY.split()}
_REGULAR |= {
    getattr(np.ndarray, name) for name in _OF_NUMPY.split() if callable(getattr(np.ndarray, name, None))
}
_REGULAR |= {np.array, np.asarray, np.asanyarray, np.ascontiguousarray}
_REGULAR |= {np.ndarray.astype, np.ndarray.flatten, np.add.reduce, np.maximum.reduce, np.minimum.reduce}
_REGULAR |= {getattr(np.linalg, name) for name in _OF_LINALG.split()}
# They may be given a shape or an order of axes as an array.
_BY_ORDER = "reshape transpose moveaxis expand_dims squeeze broadcast_to flip zeros_like ones_like full_like"
_REARRANGING = {getattr(np, name) for name in _BY_ORDER.split()}
_REARRANGING |= {np.ndarray.reshape, np.ndarray.transpose, np.ndarray.squeeze}
# Of these the strides of a result follow from its shape and from the strides of the first argument.
_KEEPING_ORDER = """
    reshape broadcast_to expand_dims squeeze zeros_like ones_like full_like empty_like diag diagonal tril triu
    take take_along_axis roll tile repeat pad split array_split delete insert cumsum cumprod zeros ones full
"""
_IN_ORDER = {getattr(np, name) for name in _KEEPING_ORDER.split()}
_IN_ORDER |= {np.ndarray.reshape, np.ndarray.squeeze, np.ndarray.diagonal, np.ndarray.take, np.ndarray.repeat}
# Of these the results are floats, whatever they are given.
_OF_MATH = """
    sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log log1p log2 log10 sqrt atan2
    hypot erf erfc gamma lgamma
"""
_REGULAR |= {getattr(math, name) for name in _OF_MATH.split()}
_OPERATORS: set[Any] = {getattr(operator, name) for name in _OF_OPERATOR.split()}

_UFUNCS: set[Any] = {f for f in vars(np).values() if isinstance(f, np.ufunc)}

WRITING: set[Any] = {np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis}
METHODS_THAT_WRITE = frozenset(
    {"fill", "sort", "partition", "put", "itemset", "resize", "setfield", "byteswap", "setflags"}
)

# Questions about the class, dtype, shape and memory of an array, which the signature answers.
QUESTIONS: set[Any] = {
    np.shape,
    np.ndim,
    np.size,
    np.result_type,
    np.iscomplexobj,
    np.isrealobj,
    np.can_cast,
    np.common_type,
    np.may_share_memory,
    np.shares_memory,
}


def is_named_tuple(cls: type) -> bool:
    """Whether a class is one of NumPy's or SciPy's for several results with names, such as `EighResult`."""
    return hasattr(cls, "_fields") and issubclass(cls, tuple) and cls.__module__.startswith(_WITH_RESULTS)


def rebuilt(cls: Any, parts: Iterable[Any]) -> Any:
    """A tuple or list of a class, of other parts."""
    return cls(parts) if cls is tuple or cls is list else cls(*parts)


_WITH_RESULTS = ("numpy.", "scipy.")


def has_regular_result(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether the kind of a result follows from the kinds of the arguments.

    Parameters
    ----------
    f
        The function.
    args, kwargs
        What it is given: dtypes, axes and the like are constants.
    """
    if isinstance(f, np.ufunc):
        return True
    if f is operator.getitem:
        return not any(map(_has_no_regular_size, args[1] if isinstance(args[1], tuple) else (args[1],)))
    try:
        if f in _OPERATORS:
            # Of Python's numbers the class of a power depends on the values.
            return f is not operator.pow or (
                hasattr(args[0], "dtype") and (hasattr(args[1], "dtype") or not hasattr(args[1], "_tape"))
            )
        if f is np.where and len(args) == 1:
            return False  # as many places as there are
        return f in _REGULAR and not _has_options_by_values(f, args, kwargs)
    except TypeError:
        return False


def may_lie_otherwise(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a result of the same shape may have other strides at another call, or be a view at one alone.

    Parameters
    ----------
    f, args, kwargs
        As above.
    """
    if f is operator.getitem:
        parts = args[1] if isinstance(args[1], tuple) else (args[1],)
        return any(type(i) is slice and hasattr(i.step, "_tape") for i in parts)
    if isinstance(f, np.ufunc) or (isinstance(f, Hashable) and f in _IN_ORDER):
        return False
    return _has_options_by_values(f, args, kwargs)


def _has_options_by_values(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether an option such as an axis, a shape or an order of axes is recorded."""
    if _depends_on_values((*args[1:], *kwargs.values())):
        return True
    is_by_array = isinstance(f, Hashable) and f in _REARRANGING
    return is_by_array and any(hasattr(x, "_tape") for x in (*args[1:], *kwargs.values()))


def is_regular(f: Any) -> bool:
    """Whether a function is one that writes nowhere."""
    return isinstance(f, np.ufunc) or f in _OPERATORS or f in _REGULAR


def calls_nobody(f: Any) -> bool:
    """Whether a function of NumPy's or Python's calls no user's code, if it is given numbers and arrays.

    Ufuncs that `numpy.frompyfunc` makes do.
    """
    return f in _UFUNCS or f in _OPERATORS or f in _REGULAR or f is operator.getitem


def _depends_on_values(options: Any) -> bool:
    """Whether an option such as an axis or a shape is recorded: it may be another one at another call."""
    return any(
        _depends_on_values(x)
        if type(x) in (tuple, list)
        else hasattr(x, "_tape") and (_is_whole(x) if isinstance(x, np.ndarray) else not _is_number(x))
        for x in options
    )


def _is_whole(x: Any) -> bool:
    """Whether an array is one whole number."""
    return x.ndim == 0 and x.dtype.kind in "iu"


def _is_number(x: Any) -> bool:
    return isinstance(x, np.inexact | float)


def _has_no_regular_size(i: Any) -> bool:
    """Whether an index is a mask or a slice, and recorded: it picks more or less at another call."""
    if type(i) is slice:
        return any(hasattr(x, "_tape") for x in (i.start, i.stop, i.step))
    return hasattr(i, "_tape") and (isinstance(i, bool) or getattr(i, "dtype", None) == np.bool_)


def writes_into(f: Any) -> bool:
    """Whether a function of NumPy writes into its first argument."""
    return f in WRITING or fact_of(f).writes is not None
