"""Attributes that are computed: properties and the like of a class are entered when they are read."""

import functools
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.members import accessors, is_property, member_reader
from chainrules.ad.syntax.classes_of_values import remember_readable
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.syntax.origins import Origin, origin_of_class
from chainrules.ad.traced.formatted_text import FormattedText
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.memory import remember
from chainrules_core import primal_of

_Getter = Callable[[Any, str], Any]

# By class: what reads its computed attributes, by name; `None` if none of them is computed in Python.
# What has no derivative is that of the value that a traced one carries.
_PLAIN = ("is_integer", "strides")
_ALWAYS_KNOWN: dict[type, dict[str, _Getter] | None] = {
    cls: {
        "__class__": lambda x, name: attribute(primal_of(x), name),
        **dict.fromkeys(_PLAIN, lambda x, name: getattr(primal_of(x), name)),
    }
    for cls in TRACED
}
_ALWAYS_KNOWN[FormattedText] = {"__class__": lambda _, __: str}
_ALWAYS_KNOWN[super] = {"__getattribute__": lambda x, name: _of_super(x, name)}  # noqa: PLW0108 - defined below
_getters = dict(_ALWAYS_KNOWN)


def read_by(cls: type, getters: dict[str, _Getter]) -> None:
    """Let some attributes of the instances of a class be read in a way of their own."""
    _ALWAYS_KNOWN[cls] = _getters[cls] = getters


# The names under which a class has a way for all attributes, and for those that are not found.
_ALL = "__getattribute__"
_ANY = "__getattr__"


@hook("attribute")
def attribute(x: Any, name: str, classes: dict[type, None] | None = None) -> Any:
    """``x.name``; a class for which this needs no function in Python is added to `classes`."""
    cls = type(x)
    try:
        getters = _getters[cls]
    except KeyError:
        getters = _getters_of(cls)
    if getters is None:
        getter = None
    else:
        getter = getters.get(_ALL) or getters.get(name)
        if _ANY in getters:
            read: Any = cls.__getattribute__
            try:
                return read(x, name) if getter is None else getter(x, name)
            except AttributeError:
                return getters[_ANY](x, name)
    if getter is not None:
        return getter(x, name)
    if classes is not None and cls not in classes:
        remember_readable(name, cls)
    return getattr(x, name)


def _getters_of(cls: type) -> dict[str, _Getter] | None:
    """The readers of the computed attributes of a class, by name; they are remembered."""
    found = accessors(cls, lambda _, name, member: _getter(name, member, member_reader(cls, name)))
    remember(_getters, cls, found, _ALWAYS_KNOWN)
    return found


def _getter(name: str, member: Any, read_member: Callable[..., Any]) -> _Getter | None:
    if is_property(member, "__get__") and type(member.fget) is types.FunctionType:
        read: Any = member.fget
        # The class may have another property by now.
        return lambda x, _: choose(read)(x) if read_member(type(x), name, None) is member else _anew(x, name)
    if type(member) is functools.cached_property and type(member.func) is types.FunctionType:
        return lambda x, _: (
            _cached(x, member) if read_member(type(x), name, None) is member else _anew(x, name)
        )
    if name in {_ALL, _ANY} and type(member) is types.FunctionType:
        return lambda x, wanted: choose(getattr(type(x), name))(x, wanted)
    return None if isinstance(member, functools.cached_property) else _getter_of_descriptor(member)


def _anew(x: Any, name: str) -> Any:
    _getters.pop(type(x), None)  # another thread may be here too
    return attribute(x, name)


def _of_super(x: Any, name: str) -> Any:
    """An attribute of ``super()``: that of the next class."""
    owner, instance = x.__self_class__, x.__self__
    if instance is not owner:
        for base in owner.__mro__[owner.__mro__.index(x.__thisclass__) + 1 :]:
            if name in vars(base):
                member: Any = vars(base)[name]
                if is_property(member, "__get__") and type(member.fget) is types.FunctionType:
                    return choose(member.fget)(instance)
                break
    return getattr(x, name)


def _getter_of_descriptor(member: Any) -> _Getter | None:
    """The reader of an attribute by a descriptor of the user's that has its ``__get__`` in Python."""
    get = getattr(type(member), "__get__", None)
    if type(get) is not types.FunctionType or origin_of_class(type(member)) is Origin.ENGINE:
        return None
    if hasattr(type(member), "__set__"):
        return lambda x, _: choose(get)(member, x, type(x))

    def read(x: Any, name: str) -> Any:
        attributes = getattr(x, "__dict__", {})
        return attributes[name] if name in attributes else choose(get)(member, x, type(x))

    return read


def _cached(x: Any, member: Any) -> Any:
    attributes = x.__dict__
    name = member.attrname
    if name not in attributes:
        attributes[name] = choose(member.func)(x)
    return attributes[name]


def usual_attribute(x: Any, name: str, /) -> Any:
    """As `object.__getattribute__`: as for a class that has no way of its own for all attributes."""
    cls = type(x)
    if cls not in _getters:
        _getters_of(cls)
    getters = _getters.get(cls)
    getter = None if getters is None or name in {_ALL, _ANY} else getters.get(name)
    return object.__getattribute__(x, name) if getter is None else getter(x, name)


def has_attribute(x: Any, name: str, /) -> bool:
    """As `hasattr`."""
    if x.__class__ in TRACED:
        return hasattr(primal_of(x), name)
    try:
        attribute(x, name)
    except AttributeError:
        return False
    return True
