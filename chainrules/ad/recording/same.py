"""Whether a value is what it was: of numbers and text an equal one, of everything else the same object."""

import dataclasses
import inspect
import re
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np


@dataclasses.dataclass
class _Making:
    made: list[Any] = dataclasses.field(default_factory=list)


_SCALARS = frozenset({int, float, complex, str, bytes, bool})
_UNCHANGING = frozenset(
    {
        type(None),
        range,
        np.ufunc,
        type(Ellipsis),
        type(NotImplemented),
        type(np.sum),
        types.MethodDescriptorType,
        types.WrapperDescriptorType,
        types.GenericAlias,
        types.UnionType,
        inspect.Signature,
        re.Pattern,
        type(sys.float_info),
        type(sys.version_info),
        # What stands for the default of a field that is made anew: the same for all.
        *map(type, vars(_Making)["__init__"].__defaults__),
    }
)
ABSENT, _FAILED = object(), object()


def is_scalar(cls: type) -> bool:
    """Whether the instances of a class are numbers or text; those of classes above may have attributes."""
    return cls in _SCALARS or (cls.__module__ == "numpy" and issubclass(cls, np.number | np.bool_))


def is_unchanging(x: Any) -> bool:
    """Whether a value can never change."""
    cls = type(x)
    is_annotation = cls.__module__ == "typing" and not isinstance(x, type)  # a protocol has attributes
    return is_annotation or is_scalar(cls) or cls in _UNCHANGING or isinstance(x, np.dtype)


def content_of(cell: Any) -> Any:
    """What a cell holds; a mark where it holds nothing yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return ABSENT


def vars_of(x: Any) -> Any:
    """The attributes of an instance; `None` if it has no dict of them."""
    try:
        return object.__getattribute__(x, "__dict__")
    except AttributeError:
        return None


def is_same(now: Any, then: Any) -> bool:
    """Whether a name holds the same object, or an equal number or text."""
    if now is then:
        return True
    cls = type(now)
    if cls is not type(then) or not is_scalar(cls):
        return False
    # Zeros have signs, and NaN is not equal to itself.
    return repr(now) == repr(then) if isinstance(now, float | complex | np.inexact) else bool(now == then)


def answer(f: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What a function says now; a mark where it fails."""
    try:
        return f(*args)
    except Exception:  # noqa: BLE001 - whatever it is, the function did not fail before
        return _FAILED


def has_same_items(now: Any, then: Any) -> bool:
    """Whether a container holds the same as its copy, in the same order."""
    if len(now) != len(then):
        return False
    if type(then) is list:
        return all(map(is_same, now, then))
    # In their order, which a program may go by.
    for (key, value), (key_then, value_then) in zip(now.items(), then.items(), strict=True):
        if value is not value_then and not is_same(value, value_then):
            return False
        if key is not key_then and not is_same(key, key_then):
            return False
    return True
