"""Methods that Python calls by itself, entered where the class of a value defines them in Python."""

import collections
import functools
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.looking_up import key_for, set_by_value
from chainrules.ad.interception.choosing.members import member_of, method_of
from chainrules.ad.interception.choosing.ordinary_classes import (
    ORDINARY,
    SPECIAL,
    is_ordinary,
    special_method,
)
from chainrules.ad.interception.choosing.ruled_calls import unless_ruled_by_others
from chainrules.ad.interception.choosing.texts import filled_in
from chainrules.ad.interception.meanings.lists_beside_arrays import with_array
from chainrules.ad.syntax.classes_of_values import INDEXED
from chainrules.ad.syntax.classes_of_values import PLAIN as NUMBERS_AND_TEXT
from chainrules.ad.syntax.hooks import hook, registered
from chainrules.ad.syntax.operators import BINARY
from chainrules.ad.traced.trace import CONSTANT
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.views import TracedView
from chainrules.ad.values.plain_values import FLOATS, FREQUENT, SEQUENCES, has_operators

# --- Operators ----------------------------------------------------------------------------------------------


def _not_implemented(x: Any, y: Any) -> Any:
    return NotImplemented


# Arithmetic of these with each other is done in C.
_ARRAY = np.ndarray
_LISTS = frozenset(SEQUENCES)
_COMPUTING = NUMBERS_AND_TEXT | {_ARRAY}
_JOINING = _COMPUTING | _LISTS


def _binary(name: str) -> None:
    compute = getattr(operator, name)
    own, reflected = f"__{name.rstrip('_')}__", f"__r{name.rstrip('_')}__"
    # Called as functions: by way of the operator it takes a tenth longer.
    of_traced = member_of(TracedValue, own) or _not_implemented
    reflected_of_traced = member_of(TracedValue, reflected) or (lambda y, x: compute(x, y))
    plain_operands = FREQUENT if member_of(TracedValue, own) else frozenset()
    by_methods = functools.partial(_by_methods, compute, own, reflected)

    @hook(name)
    def call(x: Any, y: Any) -> Any:
        cls, other = type(x), type(y)
        if cls is TracedValue or cls is TracedView:
            if other in plain_operands:  # as the method does, in 0.95 of the time
                return x._trace.call(compute, (x._value, y), (CONSTANT, x._record, CONSTANT))
            answer = of_traced(x, y)
            return unless_ruled_by_others(by_methods, compute, x, y) if answer is NotImplemented else answer
        if cls in _COMPUTING and other in _COMPUTING:
            return compute(x, y)
        if (other is TracedValue or other is TracedView) and cls in FREQUENT:
            return reflected_of_traced(y, x)
        if cls in _JOINING and other in _JOINING:
            return with_array(compute, x, y) if cls is _ARRAY or other is _ARRAY else compute(x, y)
        if (cls in ORDINARY or (cls not in SPECIAL and is_ordinary(cls))) and (
            other in ORDINARY or (other not in SPECIAL and is_ordinary(other))
        ):
            if (other is TracedValue or other is TracedView) and has_operators(cls):
                return reflected_of_traced(y, x)  # its own method may refuse what is no number
            return compute(x, y)
        return unless_ruled_by_others(by_methods, compute, x, y)


_JOINED = (list, tuple, str, bytes, bytearray, collections.deque)


def _by_methods(compute: Callable[[Any, Any], Any], own: str, reflected: str, x: Any, y: Any) -> Any:
    """An operator, by the method that Python would call first if that is one in Python."""
    cls, other = type(x), type(y)
    first, second = (cls, own, x, y), (other, reflected, y, x)
    # https://docs.python.org/3/reference/datamodel.html#object.__radd__
    if (
        other is not cls
        and issubclass(other, cls)
        and member_of(other, reflected) is not member_of(cls, reflected)
    ):
        first, second = second, first
    elif isinstance(x, _JOINED) and type(member_of(cls, own)) is types.WrapperDescriptorType:
        first, second = second, first  # Python joins and repeats if nobody computes
    attempts = [first] if other is cls else [first, second]
    for owner, name, left, right in attempts:
        method = method_of(owner, name)
        if method is None:
            continue
        answer = choose(method)(left, right)
        if answer is not NotImplemented:
            return answer
    return compute(x, y)  # which says what is wrong


for _name in BINARY.values():
    _binary(_name)

_remainder = registered("mod")


@hook("mod")
def remainder_or_text(x: Any, y: Any) -> Any:
    """``x % y``; text is made of the values that are carried."""
    return filled_in(x, y) if isinstance(x, str) else _remainder(x, y)


def _comparison(name: str, reflected: str) -> None:
    compute = getattr(operator, name)
    compared = functools.partial(_compared, compute, f"__{name}__", f"__{reflected}__")

    @hook(name)
    def call(x: Any, y: Any) -> Any:
        cls, other = type(x), type(y)
        if (cls in ORDINARY or (cls not in SPECIAL and is_ordinary(cls))) and (
            other in ORDINARY or (other not in SPECIAL and is_ordinary(other))
        ):
            if other is not cls and (cls is _ARRAY or other is _ARRAY) and (cls in _LISTS or other in _LISTS):
                return with_array(compute, x, y)
            return compute(x, y)
        return unless_ruled_by_others(compared, compute, x, y)


def _compared(compute: Callable[[Any, Any], Any], own: str, reflected: str, x: Any, y: Any) -> Any:
    cls, other = type(x), type(y)
    attempts = [(cls, own, x, y), (other, reflected, y, x)]
    if other is not cls and issubclass(other, cls):
        attempts.reverse()
    for owner, name, left, right in attempts:
        answer = choose(method_of(owner, name))(left, right)
        if answer is not NotImplemented:
            return answer
    return compute(x, y)


for _name, _other_way in (("lt", "gt"), ("le", "ge"), ("gt", "lt"), ("ge", "le"), ("eq", "eq"), ("ne", "ne")):
    _comparison(_name, _other_way)


def _unary(name: str, compute: Callable[[Any], Any], method: str) -> Callable[[Any], Any]:
    def call(x: Any) -> Any:
        cls = type(x)
        if cls in ORDINARY or (cls not in SPECIAL and is_ordinary(cls)):
            return compute(x)
        function = special_method(cls, method)
        return unless_ruled_by_others(compute if function is None else choose(function), compute, x)

    return call


for _name in ("neg", "pos", "invert"):
    hook(_name)(_unary(_name, getattr(operator, _name), f"__{_name}__"))


# --- Items, membership --------------------------------------------------------------------------------------

hook("slice")(slice)

_getitem, _item_of_traced = operator.getitem, TracedValue.__getitem__


@hook("getitem")
def getitem(x: Any, index: Any) -> Any:
    """``x[index]``; a traced number is looked up in a dict by its value."""
    cls = type(x)
    if cls is TracedValue and index.__class__ is int:  # as the method does, in 0.95 of the time
        y = x._trace.call(operator.getitem, (x._value, index), (CONSTANT, x._record, CONSTANT))
        return y if y.__class__ is cls and y._value.__class__ in FLOATS else x._trace.item(x, index, y)
    if cls is TracedValue or cls is TracedView:
        return _item_of_traced(x, index)
    if cls in INDEXED:
        return x[index]
    if cls in ORDINARY or (cls not in SPECIAL and is_ordinary(cls)):
        if index.__class__ in TRACED and isinstance(x, dict):
            return x[key_for(x, index)]
        return x[index]
    method = special_method(cls, "__getitem__")
    return unless_ruled_by_others(_getitem if method is None else choose(method), _getitem, x, index)


@hook("in")
def contains(item: Any, x: Any) -> Any:
    """``item in x``, by value."""
    cls = type(x)
    if cls in ORDINARY or (cls not in SPECIAL and is_ordinary(cls)):
        if item.__class__ in TRACED and isinstance(x, dict | set | frozenset):
            return key_for(x, item) in x
        return item in x
    method = special_method(cls, "__contains__")
    compute = operator.contains
    return bool(unless_ruled_by_others(compute if method is None else choose(method), compute, x, item))


@hook("not in")
def lacks(item: Any, x: Any) -> bool:
    """``item not in x``, by value."""
    return not contains(item, x)


@hook("set of")
def set_of(items: list[Any]) -> set[Any]:
    """As ``{*items}``, by value: equal traced numbers are one."""
    return set(items) if TRACED.isdisjoint(map(type, items)) else set_by_value(set, items)


# --- Loops and blocks ---------------------------------------------------------------------------------------


@hook("iter")
def iterable(x: Any) -> Any:
    """The iterable for the place of `x` in a loop."""
    cls = type(x)
    if cls in ORDINARY or (cls not in SPECIAL and is_ordinary(cls)):
        return x
    method = special_method(cls, "__iter__")
    if method is not None:
        return _iterator(choose(method)(x))
    return _items(x) if special_method(cls, "__getitem__") is not None and not hasattr(cls, "__iter__") else x


@hook("unpack")
def unpacked(x: Any) -> Any:
    """The iterable behind a star in a list, a tuple or a call: Python asks it how long it is, too."""
    found, cls = iterable(x), type(x)
    is_sized = found is not x and (hasattr(cls, "__len__") or hasattr(cls, "__length_hint__"))
    return _Sized(found, x) if is_sized else found


class _Sized:
    """An iterable, and the object whose own methods say about how many items it has."""

    __slots__ = ("_iterable", "_x")

    def __init__(self, iterable: Any, x: Any) -> None:
        self._iterable, self._x = iterable, x

    def __iter__(self) -> Any:
        return iter(self._iterable)

    def __length_hint__(self) -> Any:
        x, cls = self._x, type(self._x)
        if hasattr(cls, "__len__"):
            try:
                return choose(len)(x)
            except TypeError:  # Python asks on
                pass
        return choose(cls.__length_hint__)(x) if hasattr(cls, "__length_hint__") else NotImplemented


def _iterator(x: Any) -> Any:
    method = None if is_ordinary(type(x)) else special_method(type(x), "__next__")
    return x if method is None else _Iterator(x)


class _Iterator:
    """An iterator whose own method is entered for each item."""

    __slots__ = ("_is_new", "_iterator")

    def __init__(self, iterator: Any) -> None:
        self._iterator, self._is_new = iterator, True

    def __iter__(self) -> Any:
        if self._is_new:  # its own method was entered a moment ago
            self._is_new = False
            return self
        # Python asks an iterator once more, as in ``first, *others = iterator``; it may begin again.
        return iter(iterable(self._iterator))

    def __next__(self) -> Any:
        return choose(type(self._iterator).__next__)(self._iterator)


def _items(x: Any) -> Iterator[Any]:
    """The items of an object that has nothing but ``__getitem__``, until there is no more."""
    index = 0
    while True:
        try:
            item = getitem(x, index)
        except IndexError:
            return
        yield item
        index += 1


class _Block:
    """A context manager whose own methods are entered."""

    __slots__ = ("_manager",)

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def __enter__(self) -> Any:
        return choose(method_of(type(self._manager), "__enter__"))(self._manager)

    def __exit__(self, *error: object) -> Any:
        return choose(method_of(type(self._manager), "__exit__"))(self._manager, *error)


@hook("with")
def block(x: Any) -> Any:
    """The context manager for the place of `x`."""
    cls = type(x)
    if cls in ORDINARY or (cls not in SPECIAL and is_ordinary(cls)):
        return x
    names = "__enter__", "__exit__"
    is_manager = all(hasattr(cls, name) for name in names)
    return _Block(x) if is_manager and any(special_method(cls, name) for name in names) else x
