"""What a class has under a name, as it stands there: no ``__get__`` is called."""

import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.syntax.hooks import registered
from chainrules.ad.syntax.origins import Origin, origin_of_class


def member_of(cls: type, name: str, otherwise: Any = None) -> Any:
    """The member that the instances of a class have; not that of the metaclass."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return otherwise


def is_bound_first(member: Any) -> bool:
    """Whether a member is no function, and gives one when it is bound, as that of `singledispatchmethod`."""
    is_descriptor_in_python = type(member_of(type(member), "__get__")) is types.FunctionType
    return is_descriptor_in_python or isinstance(member, property | staticmethod | classmethod)


def method_of(cls: type, name: str) -> Any:
    """The method that Python calls by itself, as a function of the instance; `None` if there is none."""
    member = cls.__dict__.get(name)  # quicker where it is found
    if type(member) is types.FunctionType:
        return member
    member = member_of(cls, name)
    if type(member) is types.FunctionType or not is_bound_first(member):
        return member

    def bound_first(x: Any, *args: Any, **kwargs: Any) -> Any:
        return registered("call")(member.__get__(x, type(x)))(*args, **kwargs)

    return bound_first


def accessors(cls: type, accessor: Callable[[type, str, Any], Any]) -> dict[str, Any] | None:
    """What reads or sets members in the place of Python, by their names; `None` if nothing does.

    Parameters
    ----------
    cls
        The class of the instances.
    accessor
        Is given the class that a member stands in, its name, and the member; answers `None` for one that
        Python handles by itself.
    """
    found: dict[str, Any] = {}
    if origin_of_class(cls) is not Origin.ENGINE and not issubclass(cls, type | types.ModuleType):
        for base in cls.__mro__:
            for name, member in vars(base).items():
                found.setdefault(name, (base, member))
    found = {name: accessor(base, name, member) for name, (base, member) in found.items()}
    return {name: access for name, access in found.items() if access is not None} or None


def is_property(member: Any, name: str) -> bool:
    """Whether a member is a property, perhaps of a subclass with the same ``__get__``, or the like."""
    return isinstance(member, property) and getattr(type(member), name) is getattr(property, name)


def member_reader(cls: type, name: str) -> Callable[[type, str, Any], Any]:
    """What finds a member of a class: `getattr`, which is quicker, unless the metaclass has it too."""
    return member_of if hasattr(type(cls), name) else getattr
