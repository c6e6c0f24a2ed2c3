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

from chainrules.ad.traced.trace import CONSTANT, RUNNING, UNUSED_BY_RULES, Trace
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.values.plain_values import FLOATS
from chainrules.ad.values.structures import holds
from chainrules_core import ChainRulesError, SparseArray, primal_of

# Their derivatives do not depend on the values of their arguments; of items, the index is copied anyway.
_OF_NO_VALUES = frozenset({operator.add, operator.sub, operator.getitem, np.add, np.subtract})
_CLASSES = frozenset(map(type, _OF_NO_VALUES))  # others may not be hashable

# Classes of values that nobody can write into, or that are no arrays.
OF_NO_ARRAYS = FLOATS | {int, complex, bool, str, type(None), slice, types.FunctionType}

# From so many arrays on, those that nobody else holds are forgotten.
_MANY = 10_000

_BOOL = np.dtype(bool)

# Threads write into arrays that the differentiations of others were given. It may be taken twice: values that
# are forgotten may have finalizers, which write.
_LOCK = threading.RLock()


class MutatedInputError(ChainRulesError, RuntimeError):
    """An array changed after the call of a function, and before the call of its pullback."""


class WrittenArray:
    """An array that the program has written into.

    Attributes
    ----------
    owner
        The array.
    in_rules
        The arrays in its memory that rules were given before.
    copies
        By their numbers (`id`), values that were copied since it was written into last, and their copies.
    """

    __slots__ = ("copies", "in_rules", "owner")

    def __init__(self, owner: Any, in_rules: list[Any]) -> None:
        self.owner, self.in_rules = owner, in_rules
        self.copies: dict[int, tuple[Any, Any]] = {}

    def copy_of(self, x: Any) -> Any:
        """A copy of a value in the memory of the array; of one value one, until it is written into."""
        if id(x) not in self.copies:
            self.copies[id(x)] = x, x.copy()
            UNUSED_BY_RULES.discard(id(self.owner))
        return self.copies[id(x)][1]


class RuleInputs:
    """The plain arrays that rules of one differentiation were given, or that the program has written into.

    Each differentiation has one, from its beginning to its end; most hold nothing.
    """

    given: dict[int, Any] | None = None
    """By their numbers (`id`), arrays that rules were given."""

    owners: set[int] | None = None
    """The numbers of the arrays that some of these are views of."""

    written: dict[int, WrittenArray] | None = None
    """By their numbers, arrays that the program has written into."""

    def for_rule(self, x: Any) -> Any:
        """A value for a rule that may keep it: `x`, or a copy if it is a mask or was written into."""
        elements = x
        if x.__class__ is not np.ndarray:
            elements = written_array(x)
            if elements is None:
                return x
        elif x.dtype is _BOOL:
            return x.copy(order="K")  # programs write into a mask again and again: it is small
        if self.written is not None:
            written = self.written.get(id(_owner(elements)))
            if written is not None:
                return written.copy_of(x)
        given = self.given
        if given is None:
            self.owners, given = set(), {}
            self.given = given
        given[id(elements)] = elements
        if elements.base is not None and self.owners is not None:
            self.owners.add(id(_owner(elements)))
        if len(given) % _MANY == 0:
            _forget_unheld(given)
        return x

    def written_into(self, owner: Any, trace: Trace) -> WrittenArray:
        """An array that the program writes into."""
        if self.written is not None and id(owner) in self.written:
            return self.written[id(owner)]
        with _LOCK:
            if self.written is None:
                self.written = {}
            if id(owner) not in self.written:
                self.written[id(owner)] = WrittenArray(owner, self._in_rules(owner, trace))
            return self.written[id(owner)]

    def include(self, numbers: set[int]) -> bool:
        """Whether a rule was given an array with one of these numbers, or the program wrote into it."""
        return any(met and not numbers.isdisjoint(met) for met in (self.given, self.written, self.owners))

    def _in_rules(self, owner: Any, trace: Trace) -> list[Any]:
        """The arrays in the memory of another that rules may keep."""
        arrays: list[Any] = []

        def take(x: Any) -> bool:
            if isinstance(x, TracedValue):
                arrays.append(primal_of(x))
            return False

        holds(tuple(trace.given), take)
        if self.given is not None:
            _forget_unheld(self.given)
            arrays += self.given.values()
        return [x for x in arrays if isinstance(x, np.ndarray) and _owner(x) is owner]


def rule_inputs(trace: Trace, f: Any, values: tuple[Any, ...], records: tuple[Any, ...]) -> tuple[Any, ...]:
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
            own = rule_input(x, trace)
            if own is not x:
                values = (*values[:place], own, *values[place + 1 :])
    return values


def rule_keywords(trace: Trace, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The same for the arguments by keyword, which are all constants."""
    return {name: rule_input(x, trace) for name, x in kwargs.items()}


def rule_input(x: Any, trace: Trace) -> Any:
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
        parts = [part if part.__class__ in OF_NO_ARRAYS else rule_input(part, trace) for part in x]
        return x if all(map(operator.is_, parts, x)) else cls(parts)
    if cls is dict:
        values = {key: rule_input(part, trace) for key, part in x.items()}
        return x if all(map(operator.is_, values.values(), x.values())) else values
    if cls is not np.ndarray and hasattr(cls, "map_arrays"):
        return x.map_arrays(functools.partial(rule_input, trace=trace))
    inputs = trace.rule_inputs
    return x if inputs is None else inputs.for_rule(x)


def written_array(x: Any) -> Any:
    """The array whose memory a write into `x` changes, or `None`.

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
        inputs = trace.rule_inputs
        if inputs is None:  # another thread has ended it
            continue
        written = inputs.written_into(owner, trace)
        written.copies = {}
        is_unused = is_unused and not written.in_rules
        if written.in_rules and any(np.may_share_memory(_part(x, index), y) for y in written.in_rules):
            raise _written_too_late(x)
    if is_unused:
        UNUSED_BY_RULES.add(id(x))


def is_known(x: Any) -> bool:
    """Whether a differentiation that runs may have to know of a write into an array: a rule was given it."""
    numbers = {id(x), id(_owner(x))}
    return any(
        inputs.include(numbers) for trace in tuple(RUNNING) if (inputs := trace.rule_inputs) is not None
    )


def _written_too_late(x: Any) -> MutatedInputError:
    return MutatedInputError(
        f"An array of shape {x.shape} is written into, after the program has computed with it and a "
        "traced value: the derivative needs what it held. Write into a copy, `a = a.copy()`, or make "
        "the array inside the function that is differentiated."
    )


def _owner(x: Any) -> Any:
    """The object that has the memory of `x`; it need not be an array."""
    while (base := _base(x)) is not None:
        x = base
    return x


def _base(x: Any) -> Any:
    # Views of `stride_tricks` hold their array by an object of another class, those of buffers a memory view.
    base = x.obj if x.__class__ is memoryview else getattr(x, "base", None)
    return None if base is x else base  # Cython's arrays answer as the views of themselves do


def _part(x: Any, index: Any) -> Any:
    """The elements of `x` at an index as a view of it; all of `x`, if they are none."""
    places = tuple(_as_slice(i) for i in (index if index.__class__ is tuple else (index,)))
    return x if None in places or not places else x[places]


def _as_slice(index: Any) -> Any:
    if index.__class__ is slice or index is Ellipsis:
        return index
    return slice(index, index + 1 or None) if index.__class__ is int else None


def _forget_unheld(arrays: dict[int, Any]) -> None:
    """Forget the arrays that nobody else holds: no rule keeps them."""
    with _LOCK:
        for key in list(arrays):  # one by one, since another thread may add some
            reference = weakref.ref(arrays.pop(key))
            x = reference()
            if x is not None:
                arrays[key] = x
