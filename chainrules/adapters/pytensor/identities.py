"""What tells one flat function from another: PyTensor merges nodes whose operations are equal.

Two functions that are wrongly held to be equal would silently become one. So values are compared only where
nobody can change them: numbers, strings, and the containers and arrays of a call, which `with_own_copies` has
copied. Everything else is compared by identity.
"""

import dataclasses
import functools
import hashlib
import types
from typing import Any

import numpy as np

from chainrules.ad.values.structures import parts_of
from chainrules.adapters.flat_functions import FlatCall
from chainrules.adapters.holes import Holes

# The flag of classes that are written in Python, https://docs.python.org/3/c-api/typeobj.html
_HEAP_TYPE = 1 << 9


class Same:
    """Equal to another only where both hold the very same object."""

    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.held is other.held

    def __hash__(self) -> int:
        return object.__hash__(self.held)


def with_own_copies(call: FlatCall) -> FlatCall:
    """The call with copies of the containers and arrays in its arguments, which nobody else can change."""
    return dataclasses.replace(call, args=_own(call.args), kwargs=_own(call.kwargs))


def _own(x: Any) -> Any:
    cls = x.__class__
    if cls is tuple or cls is list:
        return cls(map(_own, x))
    if cls is dict:
        return {key: _own(value) for key, value in x.items()}
    if cls is np.ndarray and not x.dtype.hasobject:
        copy = x.copy(order="K")
        copy.flags.writeable = False
        return copy
    return x


def identity_of(call: FlatCall) -> Any:
    """A hashable value that only a call with the same function and the same arguments has.

    Parameters
    ----------
    call
        As `with_own_copies` returns it.
    """
    holes = call.holes
    return (
        _function_identity(call.f, holes.get(0)),
        () if call.closure is None else tuple(map(Same, call.closure.variables())),
        _argument_identity(call.args, holes.get(1)),
        _argument_identity(call.kwargs, holes.get(2)),
    )


def _function_identity(f: Any, holes: Holes) -> Any:
    if holes is not None:
        return _filled_identity(f, holes)
    if isinstance(f, types.MethodType):  # a new one at each access
        return "method", Same(f.__func__), Same(f.__self__)
    if type(f) is types.BuiltinMethodType and not isinstance(f.__self__, types.ModuleType):
        return "method", f.__name__, Same(f.__self__)
    return Same(f)


def _argument_identity(x: Any, holes: Holes) -> Any:
    cls = x.__class__
    if isinstance(holes, int):
        return "tensor", holes
    if cls is tuple or cls is list or cls is dict:
        inner = holes or {}
        parts = x.items() if cls is dict else enumerate(x)
        return cls, *((_value_identity(key), _argument_identity(part, inner.get(key))) for key, part in parts)
    if holes is not None:
        return _filled_identity(x, holes)
    if cls is np.ndarray and not x.dtype.hasobject and not x.flags.writeable:
        # A digest, not the bytes, which would double the memory of large arrays.
        return cls, x.dtype.str, x.shape, x.strides, hashlib.sha256(x.tobytes()).digest()
    if isinstance(x, types.MethodType | types.BuiltinMethodType):
        return _function_identity(x, None)
    return _value_identity(x)


def _value_identity(x: Any) -> Any:
    if type(x) in {bool, int, str, bytes, type(None), type(...)}:
        return type(x), x
    if type(x) is float or type(x) is complex:
        return type(x), repr(x)  # 0.0 and -0.0 are equal, not the same; nan is the same, not equal
    if isinstance(x, np.generic) and not x.dtype.hasobject:
        return type(x), x.dtype.str, x.tobytes()
    if type(x) is tuple:
        return tuple, *map(_value_identity, x)
    if type(x) is slice:
        return slice, *map(_value_identity, (x.start, x.stop, x.step))
    if isinstance(x, np.dtype) and x.fields is None:
        return np.dtype, x.str
    return Same(x)


def _filled_identity(x: Any, holes: Any) -> Any:
    """The identity of an object that was made anew, with nothing in the places of its tensors.

    Its parts tell it from others where they are all that it has.
    """
    if isinstance(holes, int):
        return "tensor", holes
    parts = parts_of(x)
    inner = [(_value_identity(key), _part_identity(part, holes.get(key))) for key, part in parts.items()]
    if isinstance(x, types.FunctionType):
        state = (x.__globals__, x.__defaults__, x.__kwdefaults__, *x.__dict__.values())
        return types.FunctionType, Same(x.__code__), tuple(map(Same, state)), *x.__dict__, *inner
    if isinstance(x, types.MethodType):
        return types.MethodType, Same(x.__func__), *inner
    if type(x) is functools.partial and not vars(x):  # its keywords are in a dict of its own
        names = holes.get("keywords", {})
        keywords = [(name, _part_identity(part, names.get(name))) for name, part in x.keywords.items()]
        return functools.partial, *inner[:2], *keywords
    if type(x) in {tuple, list, dict} or _is_its_attributes(x, parts):
        return Same(type(x)), *inner
    return Same(x)


def _is_its_attributes(x: Any, parts: Any) -> bool:
    """Whether an object has nothing but its attributes, and these are its parts."""
    classes = type(x).__mro__[:-1]
    return getattr(x, "__dict__", {}).keys() == parts.keys() and all(
        cls.__flags__ & _HEAP_TYPE and not cls.__dict__.get("__slots__") for cls in classes
    )


def _part_identity(part: Any, holes: Holes) -> Any:
    return _value_identity(part) if holes is None else _filled_identity(part, holes)
