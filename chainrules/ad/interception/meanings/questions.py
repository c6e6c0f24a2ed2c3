"""Questions that a program asks about a value: they are answered for the value that is carried."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.syntax.hooks import hook
from chainrules.ad.traced.formatted_text import FormattedText
from chainrules.ad.traced.masked_arrays import TracedMasked
from chainrules.ad.traced.traced_classes import TRACED
from chainrules_core import primal_of


@hook("is instance")
def is_instance(x: Any, cls: Any, /) -> bool:
    """As `isinstance`."""
    if x.__class__ in TRACED:
        return isinstance(primal_of(x), cls) or (isinstance(x, cls) and _is_among(type(x).__mro__, cls))
    if x.__class__ is TracedMasked:
        return isinstance(x.masked, cls) or (isinstance(x, cls) and _is_among(type(x).__mro__, cls))
    return isinstance(x, cls)


def _is_among(classes: tuple[type, ...], cls: Any) -> bool:
    """Whether a class, or one of several, is among `classes`.

    What stands for all that has some methods, such as `collections.abc.Iterable`, is not: a traced value has
    the methods of arrays, and may carry a number.
    """
    parts = cls if cls.__class__ is tuple else getattr(cls, "__args__", None)
    return cls in classes if parts is None else any(_is_among(classes, part) for part in parts)


# Never forgotten. By class: what gives the very flag of Python's or NumPy's that an instance stands for.
_VERY_FLAGS: dict[type, Callable[[Any], Any]] = {}


def flags_by(cls: type, very_flag: Callable[[Any], Any]) -> None:
    """Let the instances of a class be asked by ``is`` for what they stand for."""
    _VERY_FLAGS[cls] = very_flag


@hook("is")
def is_same(x: Any, y: Any, /) -> bool:
    """As ``x is y``, of the very flags that values stand for."""
    if type(x) in _VERY_FLAGS:
        x = _VERY_FLAGS[type(x)](x)
    if type(y) in _VERY_FLAGS:
        y = _VERY_FLAGS[type(y)](y)
    return x is y


def class_of(*args: Any, **kwargs: Any) -> Any:
    """As `type`."""
    if len(args) == 1 and args[0].__class__ in TRACED:
        return type(primal_of(args[0]))
    if len(args) == 1 and args[0].__class__ is TracedMasked:
        return type(args[0].masked)
    if len(args) == 1 and args[0].__class__ is FormattedText:
        return str
    return type(*args, **kwargs)
