"""Plain arrays from outside that rules keep, and that the program writes into.

Rules keep their arguments without copying them. Arrays that the differentiated program makes are safe: they
are copied when they are written into. Nobody can do that to an array that the program did not make, such as
a buffer that is an attribute or a global variable. So an array that the program has written into is copied
when a rule is given it, and to write into one that a rule was given before is an error. A mask is always
copied.
"""

import array
import functools
import operator
import threading
import types
import weakref
from typing import Any

import numpy as np

from chainrules.ad.traced.trace import CONSTANT, NOTED, RUNNING, Trace
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.values.plain_values import FLOATS
from chainrules.ad.values.structures import holds
from chainrules.ad.watching.mutation import MutatedInputError
from chainrules_core import SparseArray, primal_of

# Their derivatives do not depend on the values of their arguments; of items, the index is copied anyway.
_OF_NO_VALUES = frozenset({operator.add, operator.sub, operator.getitem, np.add, np.subtract})
_CLASSES = frozenset(map(type, _OF_NO_VALUES))  # others may not be hashable

# Classes of values that nobody can write into, or that are no arrays.
OF_NO_ARRAYS = FLOATS | {int, complex, bool, str, type(None), slice, types.FunctionType}

# From so many arrays on, those that nobody else holds are forgotten.
_MANY = 10_000

_NO_ARRAYS: dict[int, Any] = {}

_BOOL = np.dtype(bool)

# Threads write into arrays that the differentiations of others were given. It may be taken twice: values that
# are forgotten may have finalizers, which write.
_LOCK = threading.RLock()


class Written:
    """An array that the program has written into.

    Attributes
    ----------
    owner
        The array.
    kept
        The arrays in its memory that rules were given before.
    copies
        By their numbers (`id`), values that were copied since it was written into last, and their copies.
    """

    __slots__ = ("copies", "kept", "owner")

    def __init__(self, owner: Any, kept: list[Any]) -> None:
        self.owner, self.kept = owner, kept
        self.copies: dict[int, tuple[Any, Any]] = {}

    def copy_of(self, x: Any) -> Any:
        """A copy of a value in the memory of the array; of one value one, until it is written into."""
        if id(x) not in self.copies:
            self.copies[id(x)] = x, x.copy()
            NOTED.discard(id(self.owner))
        return self.copies[id(x)][1]


def keep(trace: Trace, f: Any, values: tuple[Any, ...], records: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values for a rule that may keep them: in the place of an array that was written into, a copy.

    Parameters
    ----------
    trace
        The differentiation, which remembers the arrays that depend on nothing.
    f, values, records
        As for `Trace.call`.
    """
    if f.__class__ in _CLASSES and f in _OF_NO_VALUES:
        return values
    for place, x in enumerate(values):
        if records[place + 1] is CONSTANT and x.__class__ not in OF_NO_ARRAYS:
            own = kept(x, trace)
            if own is not x:
                values = (*values[:place], own, *values[place + 1 :])
    return values


def keep_keywords(trace: Trace, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The same for the arguments by keyword, which are all constants."""
    return {name: kept(x, trace) for name, x in kwargs.items()}


def kept(x: Any, trace: Trace) -> Any:
    """A value for a rule that may keep it; of containers and structured arrays, each array is looked at.

    Parameters
    ----------
    x
        The value. What another object holds is not looked at.
    trace
        The differentiation.
    """
    cls = x.__class__
    if cls in OF_NO_ARRAYS:
        return x
    if cls is list or cls is tuple:
        parts = [part if part.__class__ in OF_NO_ARRAYS else kept(part, trace) for part in x]
        return x if all(map(operator.is_, parts, x)) else cls(parts)
    if cls is dict:
        values = {key: kept(part, trace) for key, part in x.items()}
        return x if all(map(operator.is_, values.values(), x.values())) else values
    if cls is not np.ndarray and hasattr(cls, "map_arrays"):
        return x.map_arrays(functools.partial(kept, trace=trace))
    return _kept_array(x, trace)


def _kept_array(x: Any, trace: Trace) -> Any:
    if x.__class__ is np.ndarray and x.dtype is _BOOL:
        return x.copy()  # a mask, which programs write into again and again: an eighth of the numbers' size
    elements = written_array(x)
    if elements is None or trace.has_ended:
        return x
    written = trace.written and trace.written.get(id(_owner(elements)))
    if written:
        return written.copy_of(x)
    if trace.kept is None:
        trace.kept_parts, trace.kept = set(), {}  # in this order: other threads look at the second first
    arrays = trace.kept
    arrays[id(elements)] = elements
    if elements.base is not None and (parts := trace.kept_parts) is not None:
        parts.add(id(_owner(elements)))
    if len(arrays) % _MANY == 0:
        _forget_unheld(arrays)
    return x


def written_array(x: Any) -> Any:
    """The array that is written into where `x` is: `x`, the elements of a sparse array, or `None`.

    Records, iterators and memory views stand for the array that they are of.
    """
    cls = x.__class__
    if cls is np.ndarray:
        return x
    if cls is np.flatiter or cls is np.void:
        x = x.base
    elif cls is memoryview or cls is array.array:
        x = np.asarray(x)
    elif isinstance(x, SparseArray):
        x = getattr(x, "data", None)
    return x if isinstance(x, np.ndarray) else None


def before_writing(x: Any, index: Any = ...) -> None:
    """Note that the program is about to write into a plain array.

    Parameters
    ----------
    x, index
        The array, and the index of the elements.

    Raises
    ------
    MutatedInputError
        If a rule was given these elements, by a differentiation that runs.
    """
    if not x.flags.writeable:
        return  # NumPy refuses
    owner = _owner(x)
    is_unused = x is owner
    for trace in tuple(RUNNING):
        written = (trace.written or _NO_ARRAYS).get(id(owner)) or _begin_writing(owner, trace)
        written.copies = {}
        is_unused = is_unused and not written.kept
        if written.kept and any(np.may_share_memory(_part(x, index), y) for y in written.kept):
            raise _written_too_late(x)
    if is_unused:
        NOTED.add(id(x))


def _begin_writing(owner: Any, trace: Trace) -> Written:
    """Note the first time that an array is written into."""
    with _LOCK:
        if trace.written is None:
            trace.written = {}
        arrays = trace.written  # of a differentiation that another thread may end meanwhile
        written = arrays.get(id(owner))
        if written is None:
            written = arrays[id(owner)] = Written(owner, _kept_of(owner, trace))
        return written


def is_noted(x: Any) -> bool:
    """Whether a differentiation that runs may have to know of a write into an array: a rule was given it."""
    numbers = {id(x), id(_owner(x))}
    return any(
        not numbers.isdisjoint(noted)
        for trace in RUNNING
        for noted in (trace.kept, trace.written, trace.kept_parts)
        if noted
    )


def _written_too_late(x: Any) -> MutatedInputError:
    return MutatedInputError(
        f"An array of shape {x.shape} is written into, after the program has computed with it and a "
        "traced value: the derivative needs what it held. Write into a copy, `a = a.copy()`, or make "
        "the array inside the function that is differentiated."
    )


def _kept_of(owner: Any, trace: Trace) -> list[Any]:
    """The arrays in the memory of another that rules may have kept."""
    arrays: list[Any] = []

    def take(x: Any) -> bool:
        if isinstance(x, TracedValue):
            arrays.append(primal_of(x))
        return False

    holds(tuple(trace.given), take)
    kept_arrays = trace.kept
    if kept_arrays is not None:
        _forget_unheld(kept_arrays)
        arrays += list(kept_arrays.values())
    return [x for x in arrays if isinstance(x, np.ndarray) and _owner(x) is owner]


def _owner(x: Any) -> Any:
    """The object that has the memory of `x`; it need not be an array."""
    while (base := _base(x)) is not None:
        x = base
    return x


def _base(x: Any) -> Any:
    # Views of `stride_tricks` hold their array by an object of another class, those of buffers a memory view.
    return x.obj if x.__class__ is memoryview else getattr(x, "base", None)


def _part(x: Any, index: Any) -> Any:
    """The elements of `x` at an index as a view of it; all of `x`, if they are none."""
    places = tuple(_as_slice(i) for i in (index if index.__class__ is tuple else (index,)))
    return x if None in places or not places else x[places]


def _as_slice(index: Any) -> Any:
    if index.__class__ is slice or index is Ellipsis:
        return index
    return slice(index, index + 1 or None) if index.__class__ is int else None


def _forget_unheld(kept: dict[int, Any]) -> None:
    """Forget the arrays that nobody else holds: no rule kept them."""
    with _LOCK:
        for key in list(kept):  # one by one, since another thread may add some
            reference = weakref.ref(kept.pop(key))
            x = reference()
            if x is not None:
                kept[key] = x
