"""The fields of a value: their names, their values, and making a value from new ones.

A structural tangent has the fields of its primal:

========================  ==================================================
a value of                has the fields
========================  ==================================================
a dataclass, attrs class  that are declared
a plain or slotted class  that the instance has as attributes, without cached properties
a NamedTuple              by their names
``tuple``, ``list``       by their positions
``dict``                  by their keys
a function                the variables that it closes over
``functools.partial``     ``func``, ``args``, ``keywords``
a bound method            ``__self__``
a complex number          ``real``, ``imag``
========================  ==================================================

Everything else (numbers, strings, arrays, classes, modules, functions without a closure) has none.
"""

import dataclasses
import enum
import functools
import numbers
import types
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from plum import Function

from chainrules_core.class_memory import remembered_by_class
from chainrules_core.exceptions import TangentStructureError

_SPECIAL_FIELDS: dict[type, tuple[str, ...]] = {
    functools.partial: ("func", "args", "keywords"),
    types.MethodType: ("__self__",),
    complex: ("real", "imag"),
    np.complexfloating: ("real", "imag"),
    functools._lru_cache_wrapper: (),  # noqa: SLF001 - its attributes are about the cache
    Function: (),  # likewise; and where plum is not compiled, it shows more of them
}

# By class, its attributes that are `None` until they are computed from others: they are no fields either.
# SciPy remembers the adjoint of a matrix so.
_MEMORIES = {("scipy.sparse.linalg._interface", "MatrixLinearOperator"): "_MatrixLinearOperator__adj"}

_IMMUTABLE = (*_SPECIAL_FIELDS, tuple, types.FunctionType)

# Values of these have attributes, or could have, but no fields.
_WITHOUT_FIELDS = (
    int,
    float,
    str,
    bytes,
    np.generic,
    np.ndarray,
    type,
    types.ModuleType,
    enum.Enum,
    type(None),
)


class Backing(enum.Enum):
    """How a structural tangent holds the tangents of the fields."""

    NAMED = "keywords, one for each field"
    POSITIONAL = "positional arguments, one for each item"
    MAPPING = "one dict"
    ANY = "anything"


@remembered_by_class
def backing_kind(primal_type: type) -> Backing:
    """How the structural tangents of `primal_type` hold their fields."""
    if primal_type is Any or primal_type is object:
        return Backing.ANY
    if issubclass(primal_type, dict):
        return Backing.MAPPING
    if issubclass(primal_type, list) or (
        issubclass(primal_type, tuple) and not hasattr(primal_type, "_fields")
    ):
        return Backing.POSITIONAL
    return Backing.NAMED


@remembered_by_class
def declared_fields(primal_type: type) -> tuple[str, ...] | None:
    """The names of the fields of every instance of `primal_type`; `None` if instances differ."""
    if dataclasses.is_dataclass(primal_type):
        return tuple(field.name for field in dataclasses.fields(primal_type))
    if hasattr(primal_type, "__attrs_attrs__"):
        return tuple(attribute.name for attribute in primal_type.__attrs_attrs__)
    if issubclass(primal_type, tuple) and hasattr(primal_type, "_fields"):
        return tuple(primal_type._fields)
    for special, names in _SPECIAL_FIELDS.items():
        if issubclass(primal_type, special):
            return names
    if issubclass(primal_type, _WITHOUT_FIELDS):
        return ()
    if primal_type is types.FunctionType or primal_type.__dictoffset__ or has_own_backing(primal_type):
        return None
    return slot_names(primal_type)


def has_own_backing(primal_type: type) -> bool:
    """Whether somebody has said what the fields of a class are, such as one in C."""
    return backing.dispatch(primal_type) is not backing.dispatch(object)


def has_field_constructor(primal_type: type) -> bool:
    """Whether `primal_type` is called with its fields: dataclasses and attrs classes are."""
    return dataclasses.is_dataclass(primal_type) or hasattr(primal_type, "__attrs_attrs__")


@remembered_by_class
def is_mutable(primal_type: type) -> bool:
    """Whether the fields of an instance of `primal_type` can be assigned to."""
    if backing_kind(primal_type) is not Backing.NAMED or issubclass(primal_type, _IMMUTABLE):
        return False
    if dataclasses.is_dataclass(primal_type):
        return not primal_type.__dataclass_params__.frozen  # type: ignore[attr-defined]  # what `is_dataclass` looks at
    # attrs marks its frozen classes in no other public way.
    return primal_type.__setattr__.__name__ != "_frozen_setattrs" and declared_fields(primal_type) != ()


@remembered_by_class
def slot_names(primal_type: type) -> tuple[str, ...]:
    """The names of the slots of a class, its base classes included, as attributes are found by them."""
    names = []
    for cls in reversed(primal_type.__mro__):
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                # Names with two leading underscores are mangled, as they are in the methods of the class.
                private = name.startswith("__") and not name.endswith("__")
                names.append(f"_{cls.__name__.lstrip('_')}{name}" if private else name)
    return tuple(names)


def field_names(x: Any) -> tuple[Any, ...]:
    """The names of the fields of a value; positions for tuples and lists, keys for dicts.

    Unlike `backing` it has an answer for every value: nothing, for a number or an array.
    """
    if type(x) is object or (isinstance(x, _WITHOUT_FIELDS) and not declared_fields(type(x))):
        return ()
    fields = backing(x)
    return tuple(fields) if isinstance(fields, Mapping) else tuple(range(len(fields)))


@functools.singledispatch
def backing(x: Any) -> Any:
    """The fields of a structured value, by name or by position.

    Parameters
    ----------
    x
        A structured value (the table at the head of this module), or a structural tangent.

    Returns
    -------
    dict or tuple or list
        A tuple, list or dict itself; of any other value a dict from field names to the values of the fields.
        Of a structural tangent only the fields that were given, and without computing thunks.

    Raises
    ------
    TypeError
        If `x` is of a type without fields, such as a number or an array.
    """
    if backing_kind(type(x)) is not Backing.NAMED:
        return x
    if isinstance(x, types.FunctionType):
        return closure(x)
    names = declared_fields(type(x))
    if names is None:
        slots = {name: getattr(x, name) for name in slot_names(type(x)) if hasattr(x, name)}
        return slots | {name: value for name, value in _attributes(x).items() if not is_dunder(name)}
    if not names and isinstance(x, _WITHOUT_FIELDS):
        raise TypeError(f"a value of type {type(x).__name__!r} has no fields, so it has no backing: {x!r}")
    return {name: getattr(x, name) for name in names if hasattr(x, name)}


def _attributes(x: Any) -> dict[str, Any]:
    # Classes compiled by mypyc, plum's among them, have room for a `__dict__` without having one.
    attributes: dict[str, Any] = getattr(x, "__dict__", {})
    cached = cached_properties(type(x)) if attributes else ()
    return {name: part for name, part in attributes.items() if name not in cached} if cached else attributes


@remembered_by_class
def memories(primal_type: type) -> frozenset[str]:
    """The names of attributes that are `None` until they are computed from others."""
    classes = [(cls.__module__, cls.__qualname__) for cls in primal_type.__mro__]
    return frozenset(_MEMORIES[cls] for cls in classes if cls in _MEMORIES)


@remembered_by_class
def cached_properties(primal_type: type) -> frozenset[str]:
    """The names of the cached properties of a class: what they keep among the attributes is no field.

    The `memories` of the class are among them.
    """
    members = {name: part for cls in reversed(primal_type.__mro__) for name, part in vars(cls).items()}
    cached = {name for name, part in members.items() if isinstance(part, functools.cached_property)}
    return memories(primal_type) | cached


def closure(function: types.FunctionType) -> dict[str, Any]:
    """The variables that a function closes over, as far as they are assigned by now."""
    fields = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            fields[name] = cell.cell_contents
        except ValueError:  # a variable that is not assigned yet leaves its cell empty
            continue
    return fields


def is_dunder(name: str) -> bool:
    """Whether an attribute has a name with two underscores on both sides, and so is no field."""
    # `functools.wraps` and NumPy's functions keep `__wrapped__` and the like among the attributes.
    return name.startswith("__") and name.endswith("__")


@Function
def construct(primal_type: type, fields: Any) -> Any:
    """Make a value of `primal_type` from the values of its fields. Extend it with ``@construct.dispatch``.

    A dataclass, an attrs class, a NamedTuple and a complex type are called with their fields. A plain class
    is not, since the arguments of its ``__init__`` need not be its fields: the attributes are set on a new
    instance, as copying and unpickling do. A class with invariants overloads this function.

    Parameters
    ----------
    primal_type
        The class.
    fields
        All fields of the value: a mapping, or a tuple if `primal_type` is a kind of tuple or list.

    Raises
    ------
    TangentStructureError
        If `fields` has other names than those that `primal_type` declares, or an instance cannot be made.

    Examples
    --------
    >>> from collections.abc import Mapping
    >>> from chainrules_core import Tangent, construct
    >>> class Interval:
    ...     def __init__(self, low, high):
    ...         self.low, self.high = sorted((low, high))
    >>> @construct.dispatch
    ... def construct_interval(primal_type: type[Interval], fields: Mapping):
    ...     return Interval(fields["low"], fields["high"])
    >>> (Interval(1.0, 2.0) + Tangent[Interval](low=3.0)).low
    2.0
    """


def construct_named(primal_type: type, fields: Mapping) -> Any:  # type: ignore[type-arg]  # parameters slow plum
    """The default for classes with named fields, and for dicts."""
    if issubclass(primal_type, dict):
        return primal_type(fields)
    names = declared_fields(primal_type)
    if names is not None and set(names) != set(fields):
        raise TangentStructureError(
            f"construct({primal_type.__qualname__}, ...): unmatched fields. "
            f"Given: {listed(fields)}. The fields of {primal_type.__qualname__}: {listed(names)}."
        )
    if issubclass(primal_type, complex | np.complexfloating):
        return _construct_complex(primal_type, fields["real"], fields["imag"])
    if issubclass(primal_type, functools.partial):
        return primal_type(fields["func"], *fields["args"], **fields["keywords"])
    if issubclass(primal_type, tuple):
        return primal_type(**fields)
    arguments, others = _constructor_arguments(primal_type, fields)
    value = _new(primal_type) if arguments is None else primal_type(**arguments)
    for name, field in (dict(others) | dict.fromkeys(memories(primal_type))).items():
        object.__setattr__(value, name, field)
    return value


def _new(primal_type: type) -> Any:
    """An instance without fields."""
    try:
        return primal_type.__new__(primal_type)  # type: ignore[call-overload]  # it is no metaclass
    except TypeError as error:
        raise not_made_of_fields(primal_type, error) from error


def not_made_of_fields(primal_type: type, error: TypeError) -> TangentStructureError:
    """The error for a class without instances that have no fields yet: many are written in C."""
    return TangentStructureError(
        f"a {primal_type.__qualname__} cannot be made of its fields: {error}. Give numbers, arrays or "
        "containers of them in the place of what holds it, such as `x.to_numpy()` for a series; or write a "
        "method of `construct` for the class."
    )


def construct_positional(primal_type: type, fields: tuple) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """The default for tuples and lists."""
    return getattr(primal_type, "_make", primal_type)(fields)


# Not as decorators, which would put the function that all overloads share in the place of each.
construct.dispatch(construct_named, precedence=-1)
construct.dispatch(construct_positional, precedence=-1)


def _constructor_arguments(
    primal_type: type, fields: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, Mapping[str, Any]]:
    """The fields to call `primal_type` with (`None`: do not call it), and those to set afterwards."""
    if dataclasses.is_dataclass(primal_type):
        by_field = {field.name: field.name for field in dataclasses.fields(primal_type) if field.init}
    elif hasattr(primal_type, "__attrs_attrs__"):
        # https://www.attrs.org/en/stable/init.html#private-attributes-and-aliases
        attributes = [attribute for attribute in primal_type.__attrs_attrs__ if attribute.init]
        by_field = {a.name: getattr(a, "alias", None) or a.name.lstrip("_") for a in attributes}
    else:
        return None, fields
    arguments = {argument: fields[name] for name, argument in by_field.items()}
    return arguments, {name: field for name, field in fields.items() if name not in by_field}


def _construct_complex(primal_type: type, real: Any, imag: Any) -> Any:
    if isinstance(real, numbers.Real) and isinstance(imag, numbers.Real):
        return primal_type(complex(float(real), float(imag)))
    return real + 1j * imag  # parts that an AD system traces


def listed(names: Iterable[Any]) -> str:
    """For messages: the names, or that there are none."""
    return ", ".join(map(str, names)) or "none"
