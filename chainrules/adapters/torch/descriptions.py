"""Calls and results as descriptions: tuples of constants, which `torch.compile` can hand over.

The compiler follows the functions of this module while it traces a program, so they are written in the part of
Python that it knows.
"""

import dataclasses
import types
from typing import Any

import numpy as np

_LEAF, _CONSTANT, _TUPLE, _LIST, _DICT = "leaf", "constant", "tuple", "list", "dict"
_NAMED_TUPLE, _DATACLASS = "named tuple", "dataclass"

# The compiler cannot tell whether these are dataclasses.
_CONSTANTS = bool | int | float | complex | str | type | np.ufunc | types.FunctionType


def described(x: Any, leaf_class: type, leaves: list[Any]) -> tuple[Any, ...]:
    """The containers of a value, down to leaves, which are appended to a list, and to constants.

    Arrays are leaves too: the compiler takes them for tensors.
    """
    if isinstance(x, leaf_class | np.ndarray):
        leaves.append(x)
        return _LEAF, len(leaves) - 1
    if x is None or isinstance(x, _CONSTANTS):
        return _CONSTANT, x
    if isinstance(x, tuple):
        parts = tuple([described(part, leaf_class, leaves) for part in x])
        return (_TUPLE, parts) if type(x) is tuple else (_NAMED_TUPLE, parts, type(x))
    if type(x) is list:
        return _LIST, tuple([described(part, leaf_class, leaves) for part in x])
    if type(x) is dict:
        return _DICT, tuple([(key, described(part, leaf_class, leaves)) for key, part in x.items()])
    if dataclasses.is_dataclass(x):
        names = [field.name for field in dataclasses.fields(x)]
        fields = [(name, described(getattr(x, name), leaf_class, leaves)) for name in names]
        return _DATACLASS, tuple(fields), type(x)
    return _CONSTANT, x


def rebuilt(description: tuple[Any, ...], leaves: Any) -> Any:
    """The value that is described, with its leaves in their places."""
    kind, content = description[:2]
    if kind == _LEAF:
        return leaves[content]
    if kind == _CONSTANT:
        return content
    if kind == _TUPLE:
        return tuple([rebuilt(part, leaves) for part in content])
    if kind == _LIST:
        return [rebuilt(part, leaves) for part in content]
    if kind == _DICT:
        return {key: rebuilt(part, leaves) for key, part in content}
    cls = description[2]
    if kind == _NAMED_TUPLE:
        return tuple.__new__(cls, [rebuilt(part, leaves) for part in content])
    return cls(**{name: rebuilt(part, leaves) for name, part in content})
