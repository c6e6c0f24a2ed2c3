"""What can be reached by the class of an object, and whether its attributes are plain ones."""

import abc
import types
import typing
from typing import Any

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.recording.places import is_users_class
from chainrules.ad.syntax.origins import Origin, origin_of, origin_of_class

# Classes above the user's own that read and keep nothing.
_HARMLESS = frozenset({object, abc.ABC, typing.Generic, typing.Protocol})

# What a class may hold that is bound to an instance.
_METHODS = types.FunctionType | type | Derived

_HIDING = ("__getattr__", "__getattribute__", "__slots__", "__del__", "__new__", "__class_getitem__")
# What Python itself puts into a class; nothing computes with it.
_OF_PYTHON = frozenset(
    [
        "__module__",
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


def members_of(cls: type) -> tuple[list[Any], str | None]:  # noqa: C901 - one for each kind of member
    """The objects that a class of the user's holds, and those above it.

    Returns
    -------
    held
        Functions, and whatever else is an attribute of it.
    reason
        Why its attributes cannot be believed, if they cannot.
    """
    held: list[Any] = []
    if type(cls) not in (type, abc.ABCMeta):
        return held, "which has a metaclass"
    for base in cls.__mro__:
        if base in _HARMLESS or (base.__module__ == "builtins" and issubclass(base, BaseException)):
            continue
        if not is_users_class(base):
            return held, f"which is derived from {base.__qualname__}"
        for name, member in vars(base).items():
            if name in _HIDING:
                return held, f"which has `{name}`"
            if name in _OF_PYTHON:
                continue
            if isinstance(member, staticmethod | classmethod):
                held.append(member.__func__)
            elif isinstance(member, property):
                held += [f for f in (member.fget, member.fset, member.fdel) if f is not None]
            elif hasattr(type(member), "__get__") and not isinstance(member, _METHODS):
                return held, f"whose attribute `{name}` is a descriptor"
            else:
                held.append(member)
    return held, None


def is_changeable(x: Any) -> bool:
    """Whether attributes can be given to a function or a class of somebody else's, which is not ours."""
    if isinstance(x, type):
        return bool(x.__flags__ & _HEAP_TYPE) and origin_of_class(x) is not Origin.ENGINE
    return origin_of(x) is not Origin.ENGINE


_HEAP_TYPE = 1 << 9  # by CPython's `object.h`
