"""The signature of a call: the structure of the arguments, and of each number and array its kind."""

import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.syntax.origins import Origin, is_class_looked_into, origin_of_class
from chainrules.ad.values.plain_values import WRITEABLE
from chainrules_core import describe_callee

_BY_KIND = (float, complex)
_BY_VALUE = (int, bool, str, bytes, type(None), type(Ellipsis))


class UnknownArgumentError(TypeError):
    """An argument is of a kind that is not recorded."""


def check_function(f: Any) -> None:
    """Refuse what never returns a result of the kind that is recorded."""
    if not callable(f):
        raise TypeError(f"compiled needs a function, not an instance of {type(f).__name__}.")
    inner = inspect.unwrap(f)
    if (
        inspect.iscoroutinefunction(inner)
        or inspect.isgeneratorfunction(inner)
        or inspect.isasyncgenfunction(inner)
    ):
        raise TypeError(
            f"compiled: {describe_callee(f)} is a generator or a coroutine, which cannot be recorded. "
            "Compile the functions that it calls."
        )


def leaves_of(x: Any, leaves: list[Any]) -> Any:
    """What has to be the same for a program to be run again, hashable; the numbers go into `leaves`.

    Parameters
    ----------
    x
        Arguments: built-in containers, arrays, numbers, flags and text.
    leaves
        Is extended by the arrays, floats and complex numbers, from left to right.

    Raises
    ------
    UnknownArgumentError
        If there is anything else among them.
    """
    cls = type(x)
    if cls is np.ndarray:
        if x.dtype.kind not in "fcbiu" or not x.dtype.isnative:
            raise UnknownArgumentError(f"an argument is an array of {x.dtype}")
        leaves.append(x)
        return cls, x.dtype.str, x.shape, x.strides, x.flags.num & WRITEABLE
    if is_leaf(x):
        leaves.append(x)
        return cls
    if cls is tuple or cls is list or is_named_tuple(cls):
        return cls, *[leaves_of(part, leaves) for part in x]
    if cls is dict:
        return cls, *[(_value(key), leaves_of(part, leaves)) for key, part in x.items()]
    if hasattr(x, "_slot"):  # while it is recorded
        leaves.append(x)
        return leaves_of(x._plain, [])
    if cls is types.MethodType:  # a new one at each look
        return cls, id(x.__self__), id(x.__func__)
    return (cls, id(x)) if is_by_identity(x) else _value(x)


def is_by_identity(x: Any) -> bool:
    """Whether an argument is one that a program is recorded for, with its attributes as they are.

    These are functions, classes, and instances of the user's classes and of those of installed packages. Who
    keeps what is recorded for one has to keep it, too, since its number may be used again.
    """
    return isinstance(x, _FUNCTIONS) or (
        not isinstance(x, int | float | complex | tuple | list | dict | np.ndarray)
        and (origin_of_class(type(x)) is Origin.USER or is_class_looked_into(type(x)))
    )


_FUNCTIONS = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    functools.partial,
    type,
    np.ufunc,
    Derived,
)


def is_named_tuple(cls: type) -> bool:
    """Whether a class is a user's own for tuples with named parts, whose instances are made of these."""
    is_users = issubclass(cls, tuple) and hasattr(cls, "_fields") and origin_of_class(cls) is Origin.USER
    return is_users and cls.__new__.__module__.startswith("namedtuple_")


def objects_in(x: Any) -> Iterator[Any]:
    """The arguments that are known by their identity."""
    if isinstance(x, tuple | list | dict):
        if is_named_tuple(type(x)):
            yield type(x)
        for part in x.values() if isinstance(x, dict) else x:
            yield from objects_in(part)
    elif is_by_identity(x):
        yield x


def is_leaf(x: Any) -> bool:
    """Whether a number is one that varies between calls, by its class."""
    cls = type(x)
    return cls in _BY_KIND or (issubclass(cls, np.inexact) and cls.__module__ == "numpy")


def _value(x: Any) -> Any:
    cls = type(x)
    if cls in _BY_VALUE or (cls.__module__ == "numpy" and issubclass(cls, np.integer | np.bool_)):
        return cls, x
    if cls is tuple:
        return cls, *map(_value, x)
    raise UnknownArgumentError(f"an argument is an instance of {cls.__qualname__}")


def with_leaves(x: Any, leaves: Iterator[Any]) -> Any:
    """Arguments with other numbers and arrays in them; the containers are new."""
    cls = type(x)
    if cls is np.ndarray or cls in _BY_KIND or issubclass(cls, np.inexact):
        return next(leaves)
    if cls is tuple or cls is list:
        return cls([with_leaves(part, leaves) for part in x])
    if is_named_tuple(cls):
        return cls(*[with_leaves(part, leaves) for part in x])
    if cls is dict:
        return {key: with_leaves(part, leaves) for key, part in x.items()}
    return x


def repeated(leaves: list[Any]) -> tuple[int, ...]:
    """For each array the place where it stands first, since programs ask ``x is y`` and write into arrays."""
    first: dict[int, int] = {}
    return tuple(first.setdefault(id(x), i) for i, x in enumerate(leaves))


def described(x: Any) -> str:
    """The kind of an argument: ``float64[3, 4]``, ``float``; whole numbers, flags and text are as they are.

    Parameters
    ----------
    x
        A number, an array, a flag, text, or a built-in container of these.
    """
    if isinstance(x, np.ndarray):
        return f"{x.dtype}[{', '.join(map(str, x.shape))}]"
    if isinstance(x, float | complex | np.inexact):
        return type(x).__name__
    if isinstance(x, dict):
        return "{" + ", ".join(f"{key!r}: {described(part)}" for key, part in x.items()) + "}"
    if isinstance(x, tuple):
        return f"({', '.join(map(described, x))}{',' if len(x) == 1 else ''})"
    return f"[{', '.join(map(described, x))}]" if isinstance(x, list) else _short(x)


def _short(x: Any) -> str:
    written = repr(x)
    return written if len(written) <= 40 else f"<{type(x).__name__}>"
