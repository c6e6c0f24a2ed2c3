"""What can be reached by the class of an object, and whether its attributes are plain ones."""

import abc
import copyreg
import enum
import functools
import types
import typing
from typing import Any

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.recording.places import is_users_class
from chainrules.ad.syntax.origins import Origin, origin_of, origin_of_class

# Classes above the user's own that read and keep nothing.
_HARMLESS = frozenset({object, abc.ABC, typing.Generic, typing.Protocol})

# What a class may hold that is bound to an instance.
_METHODS = (types.FunctionType, type, Derived, functools._lru_cache_wrapper)

_HIDING = ("__getattr__", "__getattribute__", "__del__", "__new__", "__class_getitem__")
# The attributes that such classes have for themselves, or by their slots.
_OF_SLOTS = types.MemberDescriptorType | types.GetSetDescriptorType
# What Python itself puts into a class; nothing computes with it.
_OF_PYTHON = frozenset(
    [
        "__module__",
        "__slots__",
        "__qualname__",
        "__doc__",
        "__dict__",
        "__weakref__",
        "__annotations__",
        "__firstlineno__",
        "__static_attributes__",
        "__dataclass_fields__",
        "__dataclass_params__",
        "__match_args__",
        "__orig_bases__",
        "__parameters__",
        "__hash__",
        "__abstractmethods__",
        "_abc_impl",
        "__annotate_func__",
        "__annotations_cache__",
    ]
)


def members_of(cls: type) -> tuple[list[Any], str | None]:  # noqa: C901, PLR0912 - each kind of member
    """The objects that a class of the user's holds, and those above it.

    Returns
    -------
    held
        Functions, and whatever else is an attribute of it.
    reason
        Why its attributes cannot be believed, if they cannot.
    """
    held: list[Any] = []
    if isinstance(cls, enum.EnumMeta):
        return _members_of_enum(cls), None
    if type(cls) not in (type, abc.ABCMeta):
        return held, "which has a metaclass"
    for base in cls.__mro__:
        if base in _HARMLESS or (base.__module__ == "builtins" and issubclass(base, BaseException)):
            continue
        if base is tuple and is_named_tuple(cls):
            continue
        if not is_users_class(base):
            return held, f"which is derived from {base.__qualname__}"
        for name, member in vars(base).items():
            if isinstance(member, _OF_SLOTS) or (is_named_tuple(base) and _is_made_by_python(member)):
                continue
            if name in _HIDING:
                return held, f"which has `{name}`"
            if name in _OF_PYTHON:
                continue
            if isinstance(member, staticmethod | classmethod):
                held.append(member.__func__)
            elif isinstance(member, functools.cached_property):
                held.append(member.func)
            elif isinstance(member, property):
                held += [f for f in (member.fget, member.fset, member.fdel) if f is not None]
            elif hasattr(type(member), "__get__") and not isinstance(member, _METHODS):
                return held, f"whose attribute `{name}` is a descriptor"
            else:
                held.append(member)
    return held, None


def _members_of_enum(cls: Any) -> list[Any]:
    """Its members, and the functions of its own: its class keeps anybody from changing the members."""
    own = [member for base in cls.__mro__ if is_users_class(base) for member in vars(base).values()]
    methods = [x.__func__ if isinstance(x, staticmethod | classmethod) else x for x in own]
    getters = [x.fget for x in own if isinstance(x, property) and x.fget is not None]
    return [*cls.__members__.values(), *getters, *(x for x in methods if isinstance(x, types.FunctionType))]


def is_named_tuple(cls: type) -> bool:
    """Whether a class is one that `collections.namedtuple` made, or of one."""
    return issubclass(cls, tuple) and hasattr(cls, "_fields") and is_users_class(cls)


def _is_made_by_python(member: Any) -> bool:
    """Whether a member of such a class reads a field, or is a function that comes with it."""
    f = member.__func__ if isinstance(member, staticmethod | classmethod) else member
    module = f.__globals__["__name__"] if isinstance(f, types.FunctionType) else type(f).__module__
    return module in ("collections", "typing", "_collections") or module.startswith("namedtuple_")


def attributes_of(cls: type) -> dict[str, Any]:
    """What a class holds by name, with what Python would put into it where an instance is copied first."""
    copyreg._slotnames(cls)  # type: ignore[attr-defined]  # which `object.__reduce_ex__` calls
    return dict(vars(cls))


def slots_of(cls: type) -> list[str]:
    """The names of the attributes that instances of a class keep in slots, and not in a dict."""
    held = [(name, x) for base in cls.__mro__ for name, x in vars(base).items()]
    return [name for name, x in held if isinstance(x, types.MemberDescriptorType)]


def is_changeable(x: Any) -> bool:
    """Whether attributes can be given to a function or a class of somebody else's, which is not ours."""
    if isinstance(x, type):
        return bool(x.__flags__ & _HEAP_TYPE) and origin_of_class(x) is not Origin.ENGINE
    return origin_of(x) is not Origin.ENGINE


_HEAP_TYPE = 1 << 9  # by CPython's `object.h`
