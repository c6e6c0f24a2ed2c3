"""The signature of a call: the structure of the arguments, and of each number and array its kind."""

from collections.abc import Iterator
from typing import Any

import numpy as np

_BY_KIND = (float, complex)
_BY_VALUE = (int, bool, str, bytes, type(None), type(Ellipsis))


class UnknownArgumentError(TypeError):
    """An argument is of a kind that is not recorded."""


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
        return cls, x.dtype.str, x.shape, x.strides, x.flags.writeable
    if is_leaf(x):
        leaves.append(x)
        return cls
    if cls is tuple or cls is list:
        return cls, *[leaves_of(part, leaves) for part in x]
    if cls is dict:
        return cls, *[(_value(key), leaves_of(part, leaves)) for key, part in x.items()]
    if hasattr(x, "_slot"):  # while it is recorded
        leaves.append(x)
        return leaves_of(x._plain, [])
    return _value(x)


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
    if cls is dict:
        return {key: with_leaves(part, leaves) for key, part in x.items()}
    return x


def repeated(leaves: list[Any]) -> tuple[int, ...]:
    """For each array the place where it stands first, since programs ask ``x is y`` and write into arrays."""
    first: dict[int, int] = {}
    return tuple(first.setdefault(id(x), i) for i, x in enumerate(leaves))
