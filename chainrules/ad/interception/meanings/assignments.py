"""What becomes of assignments to attributes and items: methods of the user's are entered."""

import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.calls.rule_inputs import before_writing, written_array
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.looking_up import key_for
from chainrules.ad.interception.choosing.members import accessors, is_property, member_reader, method_of
from chainrules.ad.interception.choosing.ordinary_classes import is_ordinary
from chainrules.ad.interception.choosing.plain_writes import written_into
from chainrules.ad.interception.choosing.ruled_calls import unless_ruled_by_others
from chainrules.ad.interception.meanings.properties import attribute
from chainrules.ad.interception.meanings.special_methods import getitem, iterable
from chainrules.ad.syntax.hooks import hook, registered
from chainrules.ad.syntax.operators import BINARY
from chainrules.ad.syntax.origins import Origin, origin_of_class
from chainrules.ad.traced.trace import UNUSED_BY_RULES, raise_refused
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.memory import remember
from chainrules.ad.values.plain_values import FLOATS, FREQUENT
from chainrules_core import SparseArray

_NUMBERS = FREQUENT | TRACED
_NO_ARRAYS = _NUMBERS - {np.ndarray}
_WITH_ITEMS = {np.ndarray, list} | TRACED

# --- Items --------------------------------------------------------------------------------------------------


@hook("set item")
def set_item(value: Any, x: Any, index: Any) -> None:  # noqa: C901 - a call less for each assignment
    """``x[index] = value``."""
    cls = type(x)
    if cls is np.ndarray:
        if id(x) not in UNUSED_BY_RULES:
            before_writing(x, index)
    elif cls is dict:
        if index.__class__ in TRACED:
            index = key_for(x, index)
    elif cls not in _NUMBERS and cls is not list:
        if not is_ordinary(cls):
            if isinstance(x, np.ndarray):
                before_writing(x, index)
            method = method_of(cls, "__setitem__")
            if method.__class__ is types.FunctionType:
                choose(method)(x, index, value)
                return
        elements = written_array(x)
        if elements is not None:
            before_writing(elements, index if elements is x else ...)
    try:
        x[index] = value
    except ValueError as error:
        raise_refused(error)
        raise


# --- Attributes ---------------------------------------------------------------------------------------------

_Setter = Callable[[Any, str, Any], None]

# By class: what sets its attributes that are set by a function in Python; `None` if none is.
_setters: dict[type, dict[str, _Setter] | None] = dict.fromkeys(TRACED)

# The name under which a class has a way for all of its attributes.
_ANY = "__setattr__"


@hook("set attribute")
def set_attribute(value: Any, x: Any, name: str, classes: dict[type, None] | None = None) -> None:
    """``x.name = value``; a class for which this needs no function in Python is added to `classes`."""
    cls = type(x)
    try:
        setters = _setters[cls]
    except KeyError:
        setters = _setters_of(cls)
    setter = None if setters is None else setters.get(_ANY) or setters.get(name)
    if setter is None:
        setattr(x, name, value)
        if classes is not None and cls not in TRACED:
            remember(classes, cls, None)
    else:
        setter(x, name, value)


def set_as_usual(x: Any, name: str, value: Any, /) -> None:
    """As `object.__setattr__`, which methods of that name call in the end: properties are asked alone."""
    cls = type(x)
    setters = _setters[cls] if cls in _setters else _setters_of(cls)
    setter = None if setters is None or name == _ANY else setters.get(name)
    if setter is None:
        object.__setattr__(x, name, value)
    else:
        setter(x, name, value)


def _setters_of(cls: type) -> dict[str, _Setter] | None:
    def setter(base: type, name: str, member: Any) -> _Setter | None:
        if base is np.ndarray:
            return _write_by_attribute if name in _WRITING_ATTRIBUTES else None
        return _setter(cls, name, member)

    found = accessors(cls, setter)
    remember(_setters, cls, found, TRACED)
    return found


# What is assigned to them changes the elements of an array, or how its memory is read.
_WRITING_ATTRIBUTES = frozenset({"data", "dtype", "flat", "imag", "real", "shape", "strides"})


def _write_by_attribute(x: Any, name: str, value: Any) -> None:
    before_writing(x)
    setattr(x, name, value)


def _setter(cls: type, name: str, member: Any) -> _Setter | None:
    if name == _ANY and type(member) is types.FunctionType:
        return lambda x, name, value: choose(type(x).__setattr__)(x, name, value)
    if is_property(member, "__set__"):
        if type(member.fset) is types.FunctionType:
            read_member = member_reader(cls, name)
            return lambda x, _, value: (
                choose(member.fset)(x, value)
                if read_member(type(x), name, None) is member
                else _anew(x, name, value)
            )
        return None
    method = getattr(type(member), "__set__", None)
    if method.__class__ is types.FunctionType and origin_of_class(type(member)) is not Origin.ENGINE:
        return lambda x, _, value: choose(method)(member, x, value)
    return None


def _anew(x: Any, name: str, value: Any) -> None:
    _setters.pop(type(x), None)  # another thread may be here too
    set_attribute(value, x, name)


# --- Augmented assignments ----------------------------------------------------------------------------------


def _augmented(name: str) -> Callable[[Any, Any], Any]:
    compute = getattr(operator, f"i{name.rstrip('_')}")
    method_name = f"__i{name.rstrip('_')}__"
    otherwise = registered(name)
    is_scaling = name in {"mul", "truediv"}  # which sparse arrays do in place

    @hook(f"i{name}")
    def update(x: Any, y: Any) -> Any:
        cls, other = type(x), type(y)
        if cls is np.ndarray or (cls not in _NUMBERS and isinstance(x, np.ndarray)):
            if id(x) not in UNUSED_BY_RULES:
                before_writing(x)
        elif is_scaling and cls not in _NUMBERS and isinstance(x, SparseArray):
            written_into(x)
        if (cls in _NUMBERS or is_ordinary(cls)) and (other in _NUMBERS or is_ordinary(other)):
            return compute(x, y)
        method = method_of(cls, method_name)
        if method is None:
            return otherwise(x, y)
        if method.__class__ is not types.FunctionType:
            return compute(x, iterable(y) if cls is list else y)
        answer = unless_ruled_by_others(choose(method), compute, x, y)
        return otherwise(x, y) if answer is NotImplemented else answer

    return update


def _augmented_parts(name: str, update: Callable[[Any, Any], Any]) -> None:
    compute = getattr(operator, f"i{name.rstrip('_')}")

    @hook(f"i{name} item")
    def update_item(x: Any, index: Any, y: Any) -> None:
        cls = type(x)
        if cls is np.ndarray and id(x) not in UNUSED_BY_RULES:
            before_writing(x, index)
        if cls in _WITH_ITEMS:
            z = x[index]
            # Of an array in a list differentiations are told that it is written into; of a row they were.
            is_computed = type(z) in _NO_ARRAYS or (type(z) is np.ndarray and cls is not list)
            z = compute(z, y) if is_computed and type(y) in _NUMBERS else update(z, y)
            try:
                x[index] = z
            except ValueError as error:
                raise_refused(error)
                raise
        else:
            set_item(update(getitem(x, index), y), x, index)

    @hook(f"i{name} attribute")
    def update_attribute(
        x: Any, of: str, y: Any, readable: set[type] | None = None, assignable: set[type] | None = None
    ) -> None:
        z = attribute(x, of, readable)
        z = compute(z, y) if type(z) in FLOATS and type(y) in _NUMBERS else update(z, y)
        set_attribute(z, x, of, assignable)


for _name in BINARY.values():
    _augmented_parts(_name, _augmented(_name))


# --- Truth --------------------------------------------------------------------------------------------------


@hook("truth")
def truth(x: Any) -> Any:
    """The value whose truth stands for that of `x`."""
    cls = type(x)
    if cls is bool or cls in _NUMBERS or is_ordinary(cls):
        return x
    for name in ("__bool__", "__len__"):
        method = method_of(cls, name)
        if method is not None:
            return choose(method)(x) if method.__class__ is types.FunctionType else x
    return x
