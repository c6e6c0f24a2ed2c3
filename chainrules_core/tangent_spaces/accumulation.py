"""`add_inplace`: the sum of two tangents, written into the first where that is possible.

The returned value is the sum; writing into `x` only saves memory. There is always a way that does not
write, and it is taken when in doubt.
"""

import numbers
from typing import Any

import numpy as np
from plum import Function

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.arrays.sparse_arrays import coordinates
from chainrules_core.debug_mode import debug_mode
from chainrules_core.exceptions import BadInplaceError, DimensionMismatchError
from chainrules_core.tangent_spaces.projection.plain_arrays import is_masked
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.arithmetic import unthunk_fully
from chainrules_core.tangents.thunks import AbstractThunk, InplaceableThunk

_ndarray = np.ndarray
_plain_numbers = frozenset({float, complex, np.float64, np.float32, np.complex128, np.complex64})


def add_inplace(x: Any, y: Any) -> Any:
    """``x + y``, in the memory of `x` where `x` can be written into; Julia's ``add!!``.

    Use it as ``x = add_inplace(x, y)``, on an `x` that nobody else holds.

    Parameters
    ----------
    x, y
        Tangents of the same primal: numbers, arrays of equal shapes, tangent types, thunks. An
        `InplaceableThunk` `y` adds itself to an `x` that `is_inplaceable_destination`.

    Returns
    -------
    Any
        The sum; the object `x` itself if it was written into.

    Raises
    ------
    DimensionMismatchError
        If the shapes differ: sums of tangents do not broadcast.
    TypeError
        For raw tuples, lists, dicts and strings, whose ``+`` is not addition.
    BadInplaceError
        In debug mode, if the `add` of an `InplaceableThunk` returns another object than the one it was given.
    """
    if type(x) is _ndarray and type(y) is _ndarray:
        return _add_to_ndarray(x, y)
    if type(x) in _plain_numbers and type(y) in _plain_numbers:
        return x + y
    if isinstance(y, AbstractThunk):
        if isinstance(y, InplaceableThunk) and _can_be_written_into(x) and y.can_be_added_to(x):
            return _add_thunk(x, y)
        return add_inplace(x, unthunk_fully(y))
    if isinstance(x, AbstractTangent) or isinstance(y, AbstractTangent):
        return x + y
    _refuse_concatenation(x, y)
    _refuse_broadcasting(x, y)
    return _add_natural(x, y)


@Function
def is_inplaceable_destination(x: object) -> bool:
    """Whether `add_inplace` may write into `x`, as far as `x` can tell.

    True of writeable arrays of floats and complex numbers in which no two elements share memory. False of
    everything else: arrays of integers and objects, broadcast views, subclasses of `np.ndarray`, numbers.
    Also of SciPy's sparse arrays: a sum has a sparsity pattern of its own, which needs memory of its own.

    A class that can be written into says so with ``@is_inplaceable_destination.dispatch``, and defines
    ``__iadd__`` for its own instances.
    """
    raise NotImplementedError  # the methods follow


@is_inplaceable_destination.dispatch
def is_inplaceable_object(x: object) -> bool:
    """Whatever does not say otherwise: no."""
    return False


@is_inplaceable_destination.dispatch
def is_inplaceable_ndarray(x: np.ndarray) -> bool:
    """Of arrays; subclasses may keep more than their elements (a mask, a file), so in doubt not."""
    return type(x) is _ndarray and _is_writeable_number_array(x)


def _can_be_written_into(x: Any) -> Any:
    # A plain array needs no dispatch.
    return _is_writeable_number_array(x) if type(x) is _ndarray else is_inplaceable_destination(x)


def _is_writeable_number_array(x: Any) -> bool:
    if x.dtype.kind not in "fc":
        return False
    flags = x.flags
    return flags.carray or (flags.writeable and (flags.forc or _elements_apart(x)))


def _elements_apart(x: Any) -> bool:
    """Whether no two elements of an array overlap; `False` in doubt, since the exact answer is NP-complete.

    https://numpy.org/doc/stable/reference/generated/numpy.shares_memory.html
    """
    extent = x.itemsize
    for stride, length in sorted((abs(s), n) for s, n in zip(x.strides, x.shape, strict=True)):
        if length > 1 and stride < extent:
            return False
        extent += stride * (length - 1)
    return True


def _add_to_ndarray(x: Any, y: Any) -> Any:
    """The sum of two plain arrays, or of one and a number if it has no axes."""
    if x.shape != y.shape:
        raise _dimension_mismatch(x.shape, y.shape)
    # Assigning complex numbers to real ones, or floats to integers, is no addition.
    if _is_writeable_number_array(x) and (x.dtype == y.dtype or np.can_cast(y.dtype, x.dtype, "same_kind")):
        return np.add(x, y, x)
    return x + y


def _add_natural(x: Any, y: Any) -> Any:
    if type(x) is _ndarray and is_inplaceable_destination(x):
        return add_to_array(x, y)
    if type(x) is type(y) and is_inplaceable_destination(x):
        x += y
        return x
    return _new_sum(x, y)


@Function
def add_to_array(x: np.ndarray, y: object) -> Any:
    """``x + y`` in the memory of `x`, or not; extended by the kinds of `y` that make it possible."""
    raise NotImplementedError  # the methods follow


@add_to_array.dispatch
def add_object_to_array(x: np.ndarray, y: object) -> Any:
    """Sparse arrays by their entries; arrays that may be traced or lazy, not in place."""
    if not hasattr(y, "tocoo"):
        return _new_sum(x, y)
    entries = y.tocoo()
    if not np.can_cast(entries.dtype, x.dtype, "same_kind"):
        return _new_sum(x, y)
    # The stored entries of a sparse array; several may have the same position.
    np.add.at(x, coordinates(entries), entries.data)
    return x


@add_to_array.dispatch
def add_elements_to_array(x: np.ndarray, y: np.ndarray | numbers.Number) -> Any:
    """Arrays of other classes, and to an array without axes a number."""
    return _new_sum(x, y) if is_masked(y) else _add_to_ndarray(x, np.asarray(y))


def _new_sum(x: Any, y: Any) -> Any:
    total = x + y
    # The sum of a dense and one of SciPy's older sparse matrices, whose products mean something else.
    return total.view(_ndarray) if isinstance(total, np.matrix) else total


def _add_thunk(x: Any, y: InplaceableThunk) -> Any:
    total = y.add(x)
    if debug_mode() and total is not x:
        raise BadInplaceError(_account_of_bad_inplace(x, y, total), y, x, total)
    return total


def _account_of_bad_inplace(x: Any, y: InplaceableThunk, total: Any) -> str:
    account = (
        f"The `add` of {y!r} has to write into the object that it is given and return that object.\n"
        f"It was given:    {x!r}\nand it returned: {total!r}"
    )
    if not _are_equal_arrays(x, total):
        return account
    return f"{account}\nThe two are equal, but they are not the same object."


def _are_equal_arrays(x: Any, y: Any) -> bool:
    try:
        return bool(np.array_equal(x, y))
    except (TypeError, ValueError):
        return False


def _refuse_concatenation(x: Any, y: Any) -> None:
    for tangent in (x, y):
        # SciPy's `dok_array` is a dict, and an array all the same.
        is_container = isinstance(tangent, tuple | list | dict | str | bytes)
        if is_container and not isinstance(tangent, AbstractArray):
            kind = type(tangent).__qualname__
            raise TypeError(
                f"add_inplace({x!r}, {y!r}): a raw {kind} is no tangent, its `+` is not addition; "
                f"write Tangent[{kind}](...)."
            )


def _refuse_broadcasting(x: Any, y: Any) -> None:
    x_shape, y_shape = _shape(x), _shape(y)
    if x_shape is not None and y_shape is not None and x_shape != y_shape:
        raise _dimension_mismatch(x_shape, y_shape)


def _shape(x: Any) -> tuple[int, ...] | None:
    shape = () if isinstance(x, numbers.Number) else getattr(x, "shape", None)
    return None if shape is None else tuple(shape)


def _dimension_mismatch(x_shape: Any, y_shape: Any) -> DimensionMismatchError:
    return DimensionMismatchError(
        f"add_inplace: tangents of shapes {x_shape} and {y_shape} cannot be added: tangents of one "
        f"primal have one shape. Sum over the axes that the primal computation broadcast."
    )
