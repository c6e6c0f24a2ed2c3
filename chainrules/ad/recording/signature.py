"""The signature of a call: the structure of the arguments, and of each number and array its kind."""

import dataclasses
import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.recording.members import slots_of
from chainrules.ad.syntax.origins import Origin, is_class_looked_into, origin_of_class
from chainrules.ad.values.memory import remembered
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


def signature_of(args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]) -> Any:
    """The signature of a call, hashable; the numbers and arrays go into `leaves`."""
    structure = leaves_of((args, kwargs), leaves)
    return structure, repeated(leaves), repeated([*containers_in((*args, *kwargs.values()))])


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
        if not _is_of_numbers(x):
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
    if is_record(x):
        return cls, leaves_of(vars(x), leaves)
    if hasattr(x, "_slot"):  # while it is recorded
        leaves.append(x)
        return leaves_of(x._plain, [])
    if cls is types.MethodType:  # a new one at each look
        return cls, id(x.__self__), id(x.__func__)
    return (cls, id(x)) if is_by_identity(x) else _value(x)


def _is_of_numbers(x: np.ndarray[Any, Any]) -> bool:
    """Whether programs are recorded for an array of this dtype."""
    return x.dtype.kind in "fcbiu" and x.dtype.isnative


def is_by_identity(x: Any) -> bool:
    """Whether an argument is one that a program is recorded for, with its attributes as they are.

    These are functions, classes, and instances of the user's classes and of those of installed packages. Who
    keeps what is recorded for one has to keep it, too, since its number may be used again.
    """
    return isinstance(x, _FUNCTIONS) or (
        not isinstance(x, int | float | complex | tuple | list | dict | np.ndarray)
        and not is_record(x)
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


def is_record(x: Any) -> bool:
    """Whether a value is an instance of a user's dataclass that holds its fields and nothing else.

    It is a container then, if a field holds numbers, arrays, text, functions and containers of these.
    """
    names = _fields_of(type(x))
    if names is None:
        return False
    held = vars(x)
    return held.keys() == names and all(map(_is_of_field, held.values()))


@remembered
def _fields_of(cls: type) -> frozenset[str] | None:
    is_made = "__dataclass_fields__" in vars(cls) and origin_of_class(cls) is Origin.USER
    if not is_made or not cls.__dictoffset__ or slots_of(cls):
        return None
    return frozenset(field.name for field in dataclasses.fields(cls))


def _is_of_field(x: Any) -> bool:
    cls = type(x)
    if cls is tuple or cls is list or is_named_tuple(cls):
        return all(map(_is_of_field, x))
    if cls is dict:
        return all(map(_is_of_field, x.values()))
    if cls is np.ndarray:
        return _is_of_numbers(x)
    return cls in _BY_VALUE or is_leaf(x) or hasattr(x, "_slot") or is_record(x) or isinstance(x, _FUNCTIONS)


def with_fields(cls: type, fields: dict[str, Any]) -> Any:
    """An instance of a dataclass with these fields, which no code of its own has made."""
    made: Any = object.__new__(cls)
    vars(made).update(fields)
    return made


def objects_in(x: Any) -> Iterator[Any]:
    """The arguments that are known by their identity."""
    if isinstance(x, tuple | list | dict):
        if is_named_tuple(type(x)):
            yield type(x)
        for part in x.values() if isinstance(x, dict) else x:
            yield from objects_in(part)
    elif is_record(x):
        yield type(x)
        yield from objects_in(vars(x))
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


def with_leaves(x: Any, leaves: Iterator[Any], made: dict[int, Any] | None = None) -> Any:
    """Arguments with other numbers and arrays in them; the containers are new.

    Parameters
    ----------
    x, leaves
        The arguments, and what to put into them, from left to right.
    made
        The new containers so far, by the numbers of the former: one that is there twice stays one.
    """
    cls, made = type(x), {} if made is None else made
    if cls is np.ndarray or cls in _BY_KIND or issubclass(cls, np.inexact):
        return next(leaves)
    if cls is tuple:
        return tuple([with_leaves(part, leaves, made) for part in x])
    if is_named_tuple(cls):
        return cls(*[with_leaves(part, leaves, made) for part in x])
    new: Any = x
    if cls is list:
        new = [with_leaves(part, leaves, made) for part in x]
    elif cls is dict:
        new = {key: with_leaves(part, leaves, made) for key, part in x.items()}
    elif is_record(x):
        new = with_fields(cls, with_leaves(vars(x), leaves, made))
    return made.setdefault(id(x), new)


def containers_in(x: Any) -> Iterator[Any]:
    """The containers among arguments that a program may write into, or ask for whether they are the same."""
    if isinstance(x, list | dict) or is_record(x):
        yield x
    if isinstance(x, tuple | list | dict) or is_record(x):
        held = x if isinstance(x, tuple | list | dict) else vars(x)
        for part in held.values() if isinstance(held, dict) else held:
            yield from containers_in(part)


def repeated(leaves: list[Any]) -> tuple[int, ...]:
    """For each of some objects the place where it stands first: programs ask ``x is y``, and write there."""
    first: dict[int, int] = {}
    return tuple(first.setdefault(id(x), i) for i, x in enumerate(leaves))


def described(x: Any, of_others: Any = None) -> str:
    """The kind of an argument: ``float64[3, 4]``, ``float``; whole numbers, flags and text are as they are.

    Parameters
    ----------
    x
        A number, an array, a flag, text, or a built-in container of these.
    of_others
        A function that describes anything else.
    """
    if isinstance(x, np.ndarray):
        return f"{x.dtype}[{', '.join(map(str, x.shape))}]"
    if isinstance(x, float | complex | np.inexact):
        return type(x).__name__
    if isinstance(x, dict):
        return "{" + ", ".join(f"{key!r}: {described(part, of_others)}" for key, part in x.items()) + "}"
    if isinstance(x, tuple):
        return f"({', '.join(described(part, of_others) for part in x)}{',' if len(x) == 1 else ''})"
    if isinstance(x, list):
        return f"[{', '.join(described(part, of_others) for part in x)}]"
    return str((of_others or _short)(x))


def described_record(x: Any) -> str:
    """A dataclass by its fields, and anything else in short, for `described`, which saved programs have."""
    if not is_record(x):
        return _short(x)
    parts = [f"{name}: {described(part, described_record)}" for name, part in vars(x).items()]
    return f"{type(x).__name__}({', '.join(parts)})"


def _short(x: Any) -> str:
    written = repr(x)
    return written if len(written) <= 40 else f"<{type(x).__name__}>"
