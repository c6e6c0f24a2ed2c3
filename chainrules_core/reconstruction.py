"""`reconstruct`: a value like another, with other things in its fields, made without calling its class.

A constructor is for new values. Called with the contents of a value, it may change them once more: by a
dataclass's ``__post_init__``, or a ``__new__`` of one's own. So a value is rebuilt as unpickling does it: the
memory is made by the builtin class below, and the state is put back.
"""

import collections
import copy
import functools
import types
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from chainrules_core.class_memory import remembered_by_class
from chainrules_core.fields import (
    cached_properties,
    construct,
    construct_named,
    construct_positional,
    declared_fields,
    memories,
    not_made_of_fields,
    slot_names,
)

# The bit of ``type.__flags__`` of classes that are defined by a class statement, not in C.
# https://docs.python.org/3/c-api/typeobj.html#c.Py_TPFLAGS_HEAPTYPE
_DEFINED_BY_A_STATEMENT = 1 << 9

# By class: how many methods `construct` had when it was asked, and whether one of them is for this class.
_own_constructors: WeakKeyDictionary[type, tuple[int, bool]] = WeakKeyDictionary()

_OF_CONSTRUCTORS = (complex, np.complexfloating, functools.partial)


def reconstruct(primal: Any, fields: Any) -> Any:
    """A value like `primal` that holds `fields`; everything else in it is as in `primal`.

    No constructor is called. If `construct` was extended for the class, the extension is called. Cached
    properties are computed anew, since they were computed from other fields.

    Parameters
    ----------
    primal
        The value.
    fields
        As many fields as `primal` has: a mapping, or a sequence if `primal` is a tuple or a list. Of a
        function, the variables that it closes over.
    """
    cls = type(primal)
    if cls is dict:
        return dict(fields)
    if cls is tuple or cls is list:
        return cls(fields.values() if isinstance(fields, Mapping) else fields)
    if isinstance(primal, types.FunctionType):
        return _with_closure(primal, fields)
    if isinstance(primal, types.MethodType):
        return types.MethodType(primal.__func__, fields["__self__"])
    fields = fields if isinstance(fields, Mapping) else tuple(fields)
    if isinstance(primal, _OF_CONSTRUCTORS) or _has_its_own_constructor(cls, fields):
        return construct(cls, fields)
    return _with_state(primal, _with_fields(primal, fields))


def _with_fields(primal: Any, fields: Any) -> Any:
    """A new value that holds `fields`, and nothing else that `primal` holds."""
    cls = type(primal)
    if isinstance(primal, tuple):
        if hasattr(cls, "n_sequence_fields"):  # a tuple with names that is written in C, as `os.stat` returns
            return cls(fields)
        return tuple.__new__(
            cls, [fields[name] for name in cls._fields] if isinstance(fields, Mapping) else fields
        )
    new = _empty_like(primal)
    if isinstance(primal, list):
        list.extend(new, fields)
    elif isinstance(primal, dict):
        _fill(new, fields)
    else:
        _set_fields(new, fields)
    return new


def _set_fields(x: Any, fields: Mapping[str, Any]) -> None:
    """Set fields, whatever the class makes of assignments to them."""
    attributes = getattr(x, "__dict__", None)
    if attributes is None or declared_fields(type(x)) is not None:
        for name, value in fields.items():
            object.__setattr__(x, name, value)
        return
    slots = slot_names(type(x))
    for name, value in fields.items():
        if name in slots:
            object.__setattr__(x, name, value)
        else:
            attributes[name] = value  # there may be a property of this name, which sets it


def attributes_of(x: Any) -> dict[str, Any]:
    """All attributes of an instance, in slots and in its ``__dict__``, except for cached properties."""
    attributes = dict(getattr(x, "__dict__", ()))
    for name in cached_properties(type(x)):
        attributes.pop(name, None)
    for name in slot_names(type(x)):
        if hasattr(x, name):
            attributes[name] = getattr(x, name)
    return attributes


def set_attributes(x: Any, attributes: Mapping[str, Any]) -> None:
    """Let an instance have these attributes only, and its cached properties; its class is not asked."""
    for name in attributes_of(x).keys() - attributes.keys():
        if name in getattr(x, "__dict__", ()):
            del vars(x)[name]
        else:
            object.__delattr__(x, name)
    _set_fields(x, attributes)


def _has_its_own_constructor(cls: type, fields: Any) -> bool:
    """Whether somebody has extended `construct` for a class."""
    number = len(construct.methods)
    known = _own_constructors.get(cls)
    if known is None or known[0] != number:
        implementation, _ = construct.resolve_method((cls, fields))
        known = number, implementation not in (construct_named, construct_positional)
        _own_constructors[cls] = known
    return known[1]


def _empty_like(primal: Any) -> Any:
    """A new instance of the class of `primal`, without a call of anything that the class defines."""
    cls = type(primal)
    try:
        return _builtin_base(cls).__new__(cls)  # type: ignore[call-overload]  # it is no metaclass
    except TypeError as error:
        raise not_made_of_fields(cls, error) from error


@remembered_by_class
def _builtin_base(cls: type) -> type:
    """The first class above, or the class itself, that is not defined by a class statement."""
    return next(base for base in cls.__mro__ if not base.__flags__ & _DEFINED_BY_A_STATEMENT)


def _fill(new: Any, items: Mapping[Any, Any]) -> None:
    # The order of an `OrderedDict` is its own; a class's `__setitem__` may change what it is given.
    base: Any = collections.OrderedDict if isinstance(new, collections.OrderedDict) else dict
    for key, value in items.items():
        base.__setitem__(new, key, value)


def _with_state(primal: Any, new: Any) -> Any:
    """Give a new value the attributes that `primal` has beside its fields; what was computed is forgotten."""
    for name in slot_names(type(primal)):
        if hasattr(primal, name) and not hasattr(new, name):
            object.__setattr__(new, name, getattr(primal, name))
    if isinstance(primal, collections.defaultdict):
        new.default_factory = primal.default_factory
    # Classes compiled by mypyc, plum's among them, have room for a `__dict__` without having one.
    attributes = getattr(primal, "__dict__", None)
    if attributes:
        given = vars(new)
        if not attributes.keys() <= given.keys():
            known = given.keys() | cached_properties(type(primal))
            given.update({name: value for name, value in attributes.items() if name not in known})
        given.update(dict.fromkeys(memories(type(primal))))
    return new


def _with_closure(function: types.FunctionType, fields: Mapping[str, Any]) -> types.FunctionType:
    cells = tuple(
        types.CellType(fields[name]) if name in fields else types.CellType()
        for name in function.__code__.co_freevars
    )
    new = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, cells
    )
    for name in ("__qualname__", "__module__", "__doc__"):
        setattr(new, name, getattr(function, name))
    for name in ("__kwdefaults__", "__annotations__"):
        setattr(new, name, copy.copy(getattr(function, name)))
    new.__dict__.update(function.__dict__)
    return new
