"""Calls and results as descriptions: tuples of constants, which `torch.compile` can hand over.

The compiler follows the functions of this module while it traces a program, so they are written in the part
of Python that it knows.
"""

import dataclasses
import functools
import types
from typing import Any

import numpy as np

from chainrules.adapters.torch.uncompiled import called_by_compiler
from chainrules_core import is_attribute_holder

_LEAF, _CONSTANT, _TUPLE, _LIST, _DICT = "leaf", "constant", "tuple", "list", "dict"
_NAMED_TUPLE, _PARTIAL, _OBJECT = "named tuple", "partial", "object"

# The compiler does not know all that could be asked about the classes of these.
_CONSTANTS = int | float | complex | str | type | np.ufunc

Description = tuple[Any, ...]


def described(x: Any, leaf_class: type, leaves: list[Any], constants: list[Any]) -> Description:
    """The containers of a value, down to leaves and constants, which are appended to lists.

    Arrays are leaves too: the compiler takes them for tensors.
    """
    if isinstance(x, leaf_class | np.ndarray):
        leaves.append(x)
        return _LEAF, len(leaves) - 1
    if x is not None and not isinstance(x, _CONSTANTS):
        if isinstance(x, tuple):
            parts = tuple([described(part, leaf_class, leaves, constants) for part in x])
            return (_TUPLE, parts) if type(x) is tuple else (_NAMED_TUPLE, parts, type(x))
        if type(x) is list:
            return _LIST, tuple([described(part, leaf_class, leaves, constants) for part in x])
        if type(x) is dict:
            return _DICT, _named_parts(x, leaf_class, leaves, constants)
        if type(x) is functools.partial:
            return _PARTIAL, described((x.func, x.args, x.keywords), leaf_class, leaves, constants)
        if isinstance(x, types.FunctionType):
            _look_at_variables(x, leaf_class)
        elif _is_object_with_fields(type(x)):
            return _OBJECT, _named_parts(x.__dict__, leaf_class, leaves, constants), type(x)
    constants.append(_guarded(x) if isinstance(x, int | float) and not isinstance(x, bool) else x)
    return _CONSTANT, len(constants) - 1


def rebuilt(description: Description, leaves: Any, constants: Any) -> Any:
    """The value that is described, with leaves and constants in their places."""
    kind, content = description[:2]
    if kind == _LEAF:
        return leaves[content]
    if kind == _CONSTANT:
        return constants[content]
    if kind == _DICT:
        return {key: rebuilt(part, leaves, constants) for key, part in content}
    if kind == _PARTIAL:
        f, args, keywords = rebuilt(content, leaves, constants)
        return functools.partial(f, *args, **keywords)
    if kind == _OBJECT:
        x = object.__new__(description[2])
        for name, part in content:
            object.__setattr__(x, name, rebuilt(part, leaves, constants))
        return x
    parts = [rebuilt(part, leaves, constants) for part in content]
    if kind == _LIST:
        return parts
    return tuple(parts) if kind == _TUPLE else tuple.__new__(description[2], parts)


def _look_at_variables(f: types.FunctionType, leaf_class: type, holders: tuple[Any, ...] = ()) -> None:
    """Let the compiler see what a function closes over: with other variables, it is compiled for itself.

    The compiler tells functions from each other by their code, unless their variables are read.
    """
    try:
        cells = f.__closure__
    except AttributeError:  # for the compiler, if the function is made within the compiled program
        return
    if cells is None or not _is_local(f):
        return
    if any([f is holder for holder in holders]):  # noqa: C419 - the compiler knows no generators here
        return
    for cell in cells:
        value = cell.cell_contents
        if isinstance(value, types.FunctionType):
            _look_at_variables(value, leaf_class, (*holders, f))
        else:
            arrays: list[Any] = []
            described(value, leaf_class, arrays, [])
            for array in arrays:
                id(array)  # the compiler looks at its shape only, unless it is asked which one it is


@called_by_compiler
def _is_local(f: types.FunctionType) -> bool:
    return "<locals>" in f.__qualname__


def _guarded(x: float) -> float:
    """A number; where the compiler would let it vary, another one is compiled for itself."""
    from torch.fx.experimental.symbolic_shapes import guard_scalar  # noqa: PLC0415 - the compiler has loaded it

    return guard_scalar(x)


def _named_parts(
    parts: dict[Any, Any], leaf_class: type, leaves: list[Any], constants: list[Any]
) -> Description:
    return tuple([(name, described(part, leaf_class, leaves, constants)) for name, part in parts.items()])


@called_by_compiler
def _is_object_with_fields(cls: type) -> bool:
    return (dataclasses.is_dataclass(cls) and bool(cls.__dictoffset__)) or is_attribute_holder(cls)
