"""Arrays that are being filled, element by element or row by row: the writes wait until somebody looks.

So a loop that fills an array, or reads ``y[i - 1]`` to write ``y[i]``, takes a time that grows with the
length, and not with the square of it.
"""

import operator
from typing import Any

import numpy as np

from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.views import TracedView, snapshot, value_and_record, view
from chainrules.ad.values.plain_values import ARRAYS, FLOATS
from chainrules.operations.writing import written
from chainrules_core import primal_of
from chainrules_core.speed import value_for_dispatch

# Which axes of an array an index picks one place of, for each axis; all of the others is meant.
Pattern = tuple[bool, ...]


class Writes:
    """The writes that wait: all at indices of one pattern, so that two are at one place, or do not meet.

    Attributes
    ----------
    base
        The array before them, and its shape and dtype.
    values
        What is written, by the numbers in the index.
    """

    __slots__ = ("base", "dtype", "pattern", "shape", "values")

    def __init__(self, base: TracedValue, pattern: Pattern) -> None:
        primal = primal_of(base)
        self.base, self.pattern, self.shape, self.dtype = base, pattern, primal.shape, primal.dtype
        self.values: dict[tuple[int, ...], Any] = {}


def _of_base(name: str) -> Any:
    def of_base(self: Any) -> Any:
        return getattr(self._own_record.base, name)

    return property(of_base, doc="As of the array before it was written into.")


class FilledArray(TracedValue):
    """A traced array for which writes are waiting. When its value is read, it becomes an ordinary one again.

    Its class changes, and not what it refers to, so that names, containers and views that hold it need not be
    told. An array that is not being filled pays nothing for it.
    """

    __slots__ = ()

    shape, ndim, size, dtype = map(_of_base, ("shape", "ndim", "size", "dtype"))

    def __len__(self) -> int:
        return len(self._own_record.base)

    @property
    def _value(self) -> Any:
        write_waiting(self)
        return self._own_value

    @property
    def _record(self) -> Any:
        write_waiting(self)
        return self._own_record

    def __getitem__(self, index: Any) -> Any:
        writes = self._own_record
        if index.__class__ is int and writes.pattern == _ELEMENT:  # as below, and quicker
            v = writes.values.get((index,))
            if v is not None:
                return v
        place = _place(writes.shape, index)
        if place is not None and place[0] == writes.pattern:
            v = writes.values.get(place[1])
            if v is None:
                v = writes.base[index]
            return v if all(writes.pattern) else _row(self, index, v)
        return TracedValue.__getitem__(self, index)


def fill(x: TracedValue, index: Any, v: Any) -> bool:
    """Let ``x[index] = v`` wait, if it is one of those that can; otherwise the answer is `False`."""
    if x.__class__ is FilledArray:
        writes = x._own_record
        shape, dtype = writes.shape, writes.dtype
    else:
        primal = primal_of(x)
        if not isinstance(primal, np.ndarray):
            return False
        shape, dtype = primal.shape, primal.dtype
    place = _place(shape, index)
    if place is None:
        return False
    pattern, key = place
    if v.__class__ is TracedView and _is_the_row(v, x, index, shape):
        return True
    v = _value_to_keep(shape, dtype, pattern, v)
    if v is None:
        return False
    is_filled = x.__class__ is FilledArray  # only now: a value that is a view of `x` may have settled it
    if is_filled and x._own_record.pattern != pattern:
        write_waiting(x)
        is_filled = False
    if not is_filled:
        writes = Writes(snapshot(x), pattern)
        x.__class__ = FilledArray
        x._own_record = writes
    x._own_record.values[key] = v
    x._own_value = object()  # views that were taken before have to be taken again
    return True


def _is_the_row(v: TracedView, x: TracedValue, index: Any, shape: tuple[int, ...]) -> bool:
    """Whether a value stands where it is written to, as after the addition of ``x[i] += y``."""
    if v._root is not x or len(v._recipes) != 1:
        return False
    f, args, *_ = v._recipes[0]
    return f is operator.getitem and _place(shape, args[1]) == _place(shape, index)


def write_waiting(x: TracedValue) -> None:
    """Write what waits into a filled array, all of it by one operation."""
    writes = x._own_record
    base = writes.base
    y = base._trace.apply(written, (base, *_stacked(writes)))
    x.__class__ = TracedValue
    value, record = value_and_record(y, base._trace)
    x._own_value = value
    x._own_record = record


def _stacked(writes: Writes) -> tuple[Any, Any]:
    """The values that were written, as one array, and the index of it."""
    pattern = writes.pattern
    axes = np.flatnonzero(pattern)
    numbers = iter(np.array(list(writes.values)).T)
    index = tuple(next(numbers) if picked else slice(None) for picked in pattern)
    # NumPy puts the axis of several integers in the place of the first, if they stand side by side.
    are_neighbours = axes[-1] - axes[0] == len(axes) - 1
    values = list(writes.values.values())
    return np.stack(values, axis=int(axes[0]) if are_neighbours else 0), index


def _place(shape: tuple[int, ...], index: Any) -> tuple[Pattern, tuple[int, ...]] | None:
    """The pattern of an index, and its numbers from 0; `None` if it is none of integers and full slices."""
    if index.__class__ is int and len(shape) == 1:  # as below, and quicker
        (n,) = shape
        return (_ELEMENT, (index % n,)) if -n <= index < n else None
    parts = index if index.__class__ is tuple else (index,)
    if len(parts) > len(shape):
        return None
    pattern, numbers = [], []
    for part, n in zip(parts, shape, strict=False):  # an index may have fewer parts
        if part.__class__ is slice and part == _ALL:
            pattern.append(False)
            continue
        if part.__class__ is not int and not isinstance(part, np.integer):
            return None
        if not -n <= part < n:
            return None  # an error, which is NumPy's
        pattern.append(True)
        numbers.append(int(part) % n)
    pattern += [False] * (len(shape) - len(parts))
    return (tuple(pattern), tuple(numbers)) if numbers else None


_ALL = slice(None)

_ELEMENT = (True,)

_DOUBLE = np.dtype(float)

_REAL_NUMBERS = (int, float, np.integer, np.floating)


def _value_to_keep(shape: tuple[int, ...], dtype: np.dtype[Any], pattern: Pattern, v: Any) -> Any:
    """The value to keep for an element or row of an array; `None` if NumPy would convert or broadcast it."""
    is_traced = isinstance(v, TracedValue)
    if all(pattern):
        if not is_traced:
            is_number = isinstance(v, _REAL_NUMBERS) and value_for_dispatch(v) is v
            return dtype.type(v) if is_number else None
        return v if dtype == _DOUBLE and primal_of(v).__class__ in FLOATS else None
    v_primal = primal_of(v)
    row_shape = tuple([n for n, picked in zip(shape, pattern, strict=True) if not picked])
    if v_primal.__class__ not in ARRAYS or v_primal.shape != row_shape or v_primal.dtype != dtype:
        return None
    return snapshot(v) if is_traced else v.copy()


def _row(x: FilledArray, index: Any, v: Any) -> Any:
    """A view of a row that waits to be written."""
    if not isinstance(v, TracedValue) or v._trace is not x._trace:
        return TracedValue.__getitem__(x, index)
    return view(x, (operator.getitem, (None, index), None, 0, ()), v._value, v._record)
