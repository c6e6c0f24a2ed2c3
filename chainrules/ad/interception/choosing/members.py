"""What a class has under a name, as it stands there: no ``__get__`` is called."""

from collections.abc import Callable
from typing import Any


def member_of(cls: type, name: str, otherwise: Any = None) -> Any:
    """The member that the instances of a class have; not that of the metaclass."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return otherwise


def is_property(member: Any, name: str) -> bool:
    """Whether a member is a property, perhaps of a subclass with the same ``__get__``, or the like."""
    return isinstance(member, property) and getattr(type(member), name) is getattr(property, name)


def member_reader(cls: type, name: str) -> Callable[[type, str, Any], Any]:
    """What finds a member of a class: `getattr`, which is quicker, unless the metaclass has it too."""
    return member_of if hasattr(type(cls), name) else getattr
