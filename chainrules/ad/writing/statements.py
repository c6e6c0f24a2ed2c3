"""What becomes of ``x[index] = v`` and ``x += v`` for a traced array `x`."""

import operator
from typing import Any

import numpy as np

from chainrules.ad.calls.calling import apply
from chainrules.ad.traced.filled_arrays import fill
from chainrules.ad.traced.masked_arrays import TracedMasked, refusal
from chainrules.ad.traced.operators import own_index
from chainrules.ad.traced.traced_value import TracedObject, TracedValue
from chainrules.ad.traced.tracing import innermost_trace
from chainrules.ad.traced.views import FlatView, TracedView, plain_array, snapshot, value_and_record
from chainrules.ad.values.kinds_of_arrays import check_kind, values_of
from chainrules.ad.values.plain_values import ARRAY_LIKE, FREQUENT
from chainrules.operations.writing import written
from chainrules_core import primal_of
from chainrules_core.speed import value_for_dispatch


def write(x: TracedValue, index: Any, v: Any) -> None:
    """``x[index] = v``: everybody who holds `x`, its root or a view of it sees the new elements.

    Raises
    ------
    TypeError
        If `v` is a masked array, or traced by a differentiation that began after `x` was made: its
        derivative by that one would be seen outside.
    ValueError
        If `x` is read-only, as NumPy's views that repeat elements are, or the shapes do not fit.
    """
    if v.__class__ is TracedMasked:
        raise TypeError(refusal("an array that it is written into"))
    if isinstance(v, ARRAY_LIKE):
        v = apply(np.array, (v,)) if innermost_trace((v,)) else np.array(v)
    if isinstance(x, FlatView) and np.ndim(primal_of(v)):
        v = _items_for(x, index, v)
    trace = v._trace if v.__class__ is TracedValue else innermost_trace((v,))
    if trace is None and v.__class__ not in FREQUENT:
        v = values_of(v)
    if trace is None or trace.is_constant:
        v = _plain(v)
        if x._trace.is_constant:
            _write_plainly(x, index, v)
            return
        if v.__class__ not in FREQUENT:
            check_kind(v)
    elif x._trace.is_constant:
        _write_first(x, index, v, trace)
        return
    elif trace.number > x._trace.number:
        raise _lost_outside()
    _write_traced(x, index, v)


def _items_for(x: TracedValue, index: Any, v: Any) -> Any:
    """The items for the places of ``x.flat[index]``: from the first again, where the value has too few."""
    places = np.empty(primal_of(x).shape, np.bool_)[own_index(index)]
    if not np.ndim(places):
        return v
    return np.resize(v, places.shape) if np.size(primal_of(v)) else x[index]  # NumPy then writes nothing


def _write_first(x: TracedValue, index: Any, v: Any, trace: Any) -> None:
    """Write a traced value into an array that depends on nothing, and still does if that is an error."""
    root = x._root if isinstance(x, TracedView) else x
    constants = root._trace
    root._own_trace = trace
    try:
        _write_traced(x, index, v)
    except BaseException:
        root._own_trace = constants
        raise


def _write_traced(x: TracedValue, index: Any, v: Any) -> None:
    if isinstance(x, TracedView):
        _write_through(x, index, v)
    elif not fill(x, index, v):
        _refuse_other_than_arrays(x)
        index = own_index(index)
        _replace(x, x._trace.apply(written, (snapshot(x), _without_leading_axes(x, index, v), index)))


def _lost_outside() -> TypeError:
    return TypeError(
        "A traced value was written into an array from outside the function that is differentiated, "
        "where its derivative would be lost. Make the array inside, or return what should be written."
    )


def _refuse_other_than_arrays(x: TracedValue) -> None:
    if not isinstance(primal_of(x), np.ndarray):
        name = type(primal_of(x)).__name__
        raise TypeError(
            f"A traced {name} was written into, and only NumPy's arrays can be. Make another {name} of what "
            "it should hold."
        )


def update(x: TracedValue, y: Any) -> TracedValue:
    """``x[...] = y`` for the result of ``x + y`` and the like, which has to have the shape of `x`.

    Returns
    -------
    TracedValue
        `x`.

    Raises
    ------
    TypeError
        If numbers would lose what they are, such as complex ones in a real array.
    ValueError
        If the result is larger than `x`.
    """
    if isinstance(x, TracedObject):
        return _update_object(x, y)
    plain, result = primal_of(x), primal_of(y)
    shape, dtype = np.shape(plain), plain.dtype
    y_shape = np.shape(result)
    if y_shape != shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {shape} doesn't match the broadcast shape "
            f"{y_shape}: `x += y` keeps the shape of `x`. Write `x = x + y`."
        )
    y_dtype = np.result_type(result)
    if not np.can_cast(y_dtype, dtype, "same_kind"):
        raise TypeError(
            f"Cannot write {y_dtype} into an array of {dtype}, as `x += y` does. Write `x = x + y`."
        )
    if (
        x.__class__ is TracedValue
        and y.__class__ is TracedValue
        and (y._trace is x._trace or x._trace.is_constant)
        and y_dtype == dtype
        and shape  # NumPy makes numbers of arrays without axes, and a number would not be written into
        and _are_laid_out_alike(plain, result)
    ):
        x._own_trace = y._trace
        _replace(x, y)
    else:
        write(x, ..., y)
    return x


def _are_laid_out_alike(x: Any, y: Any) -> bool:
    """Whether two arrays of one shape have the same order in memory, which ``x.ravel("K")`` shows."""
    if not x.__class__ is y.__class__ is np.ndarray or x.strides == y.strides:
        return True
    return bool(x.flags.c_contiguous and y.flags.c_contiguous)  # axes of length 1 may have any strides


def _update_object(x: TracedObject, y: Any) -> TracedObject:
    if y._trace is not x._trace:
        raise _lost_outside()
    _replace(x, y)
    return x


def _plain(v: Any) -> Any:
    return plain_array(v) if isinstance(v, TracedValue) else v


def _write_plainly(x: TracedValue, index: Any, v: Any) -> None:
    """Write a plain value into an array that depends on nothing, in its memory if nobody else keeps it."""
    root = x._root if isinstance(x, TracedView) else x
    value = root._value
    flags = value.flags
    is_stand_in = v.__class__ not in FREQUENT and value_for_dispatch(v) is not v
    if is_stand_in and value_for_dispatch(value) is value and (flags.c_contiguous or flags.f_contiguous):
        order: Any = "C" if flags.c_contiguous else "F"
        root._own_value = np.full_like(v, value, value.dtype, order, shape=value.shape)  # of the class of `v`
    elif not value.flags.writeable:
        root._own_value = value.copy(order="K")
    if isinstance(x, TracedView) and not np.may_share_memory(x._value, root._value):
        root._value[np.unravel_index(x._positions()[index], root._value.shape)] = v
        x._take_again()
    else:
        x._value[index] = v


def _replace(x: TracedValue, y: Any) -> None:
    """Let `x` be the array `y`."""
    value, record = value_and_record(y, x._trace)
    x._own_value = value
    x._own_record = record


def _write_through(x: TracedView, index: Any, v: Any) -> None:
    """Write into the root of a view."""
    root = x._root
    if isinstance(root, TracedObject):
        raise TypeError(
            f"An array of a traced {type(primal_of(root)).__name__} was written into, and that would not see "
            "it. Write into a copy, and make another object of the copy."
        )
    if index is Ellipsis and len(x._recipes) == 1 and x._recipes[0][0] is operator.getitem:
        # All of ``root[place]``, as by ``root[place] += v``: rows are written into one after the other.
        _, (_, place), *_ = x._recipes[0]
        write(root, place, _without_leading_axes(x, index, v))
        return
    if not x._is_writeable:
        raise ValueError(
            "assignment destination is read-only: it is a view that NumPy does not write through"
        )
    part = x._part
    picked = np.asarray(x._positions()[own_index(index)])
    places = np.unravel_index(picked, primal_of(root).shape)
    v = _without_leading_axes(x, index, v)
    if part:
        other = root[places].imag if part == "real" else root[places].real
        v = v + 1j * other if part == "real" else other + 1j * v
    write(root, places, v)


def _without_leading_axes(x: TracedValue, index: Any, v: Any) -> Any:
    """A value without axes of length 1 in front that the place does not have: NumPy ignores them."""
    n_dim = np.ndim(primal_of(v))
    if n_dim <= 1 or index is Ellipsis:
        n_place = np.ndim(primal_of(x))
    else:
        n_place = np.ndim(np.empty(primal_of(x).shape, np.bool_)[index])
    if n_dim <= n_place:
        return v
    extra = n_dim - n_place
    shape = np.shape(primal_of(v))
    return np.reshape(v, shape[extra:]) if set(shape[:extra]) == {1} else v
