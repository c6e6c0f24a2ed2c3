"""Finding carriers among the arguments of a call: themselves, in containers, closures, attributes."""

import dataclasses
import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from chainrules_core.attribute_holders import is_attribute_holder
from chainrules_core.backends import STAND_INS, Backend, backend_of, on_new_carrier
from chainrules_core.class_memory import remembered_by_class
from chainrules_core.exceptions import ChainRulesError
from chainrules_core.fields import backing, declared_fields, has_own_backing
from chainrules_core.tangents.structural_tangent import StructuralTangent

# Classes whose instances neither are carriers nor can contain one. Most arguments are numbers and arrays, and
# a call of a primitive asks this set first.
ORDINARY_CLASSES: set[type] = set()
on_new_carrier(ORDINARY_CLASSES.clear)


class MixedCarriersError(ChainRulesError, TypeError):
    """One call was given the carriers of two AD systems."""


def backend_for(values: Iterable[Any]) -> Backend | None:
    """The backend of the carriers among the arguments of one call; `None` where there are none.

    Raises
    ------
    MixedCarriersError
        If there are carriers of two AD systems.
    """
    found: Backend | None = None
    carrier: Any = None
    seen: set[int] = set()
    for value in values:
        for candidate in _carriers_in(value, seen):
            backend = backend_of(type(candidate))
            if found is not None and backend is not found:
                if type(candidate) in STAND_INS:
                    continue  # an ordinary value, for the other system
                if type(carrier) in STAND_INS:
                    found, carrier = backend, candidate
                    continue
                raise MixedCarriersError(
                    f"One call has a {type(carrier).__qualname__} and a {type(candidate).__qualname__}, "
                    "which belong to two AD systems; convert one of them to an ordinary value first."
                )
            found, carrier = backend, candidate
    return found


def contains_carrier(value: Any) -> bool:
    """Whether `value` is a carrier, or contains one."""
    return next(_carriers_in(value, set()), None) is not None


def may_contain_carriers(f: Any) -> bool:
    """Whether a callable holds values, so that one of them may be a carrier at some call."""
    if isinstance(f, types.FunctionType):
        return f.__closure__ is not None
    return _parts_of(type(f)) is not None


def parts_to_search(x: Any) -> Iterable[Any]:
    """The values inside a container, dataclass, closure and the like that are looked at one by one."""
    parts = _parts_of(type(x))
    return () if parts is None else parts(x)


def _carriers_in(value: Any, seen: set[int]) -> Iterator[Any]:
    pending = [value]
    known: dict[type, Callable[[Any], Iterable[Any]]] = {}  # asked without a weak dictionary
    while pending:
        x = pending.pop()
        cls = type(x)
        if cls in ORDINARY_CLASSES:
            continue
        parts = known.get(cls)
        if parts is None:
            if backend_of(cls) is not None:
                yield x
                continue
            parts = _parts_of(cls)
            if parts is None:
                ORDINARY_CLASSES.add(cls)
                continue
            known[cls] = parts
        if id(x) not in seen:  # containers may contain themselves
            seen.add(id(x))
            found = parts(x)
            if not ORDINARY_CLASSES.issuperset(map(type, found)):
                pending.extend(found)


@remembered_by_class
def _parts_of(cls: type) -> Callable[[Any], Iterable[Any]] | None:
    """How to look into the instances of a class, or `None` where there is nothing to look into."""
    if issubclass(cls, tuple | list | set | frozenset):
        return lambda x: x
    if issubclass(cls, dict):
        return dict.values
    if cls is types.FunctionType:
        return cell_contents
    if issubclass(cls, functools.partial):
        return lambda f: (f.func, f.args, f.keywords)
    if issubclass(cls, types.MethodType):
        return lambda f: (f.__self__, f.__func__)
    if issubclass(cls, StructuralTangent):
        return lambda x: backing(x).values() if isinstance(backing(x), dict) else backing(x)
    return _fields_of(cls)


def _fields_of(cls: type) -> Callable[[Any], Iterable[Any]] | None:
    if dataclasses.is_dataclass(cls):
        return _values_under(tuple(field.name for field in dataclasses.fields(cls)))
    if not is_attribute_holder(cls):
        return None
    names = declared_fields(cls)
    if names is None or has_own_backing(cls):
        return lambda x: backing(x).values()
    return _values_under(names)  # without the dispatch of `backing`


def _values_under(names: tuple[str, ...]) -> Callable[[Any], Iterable[Any]]:
    """Reads attributes as far as they are there; of an attribute that is `None` there is nothing to find."""
    return lambda x: [value for name in names if (value := getattr(x, name, None)) is not None]


def cell_contents(f: types.FunctionType) -> list[Any]:
    """The values that a closure captures, as far as they are assigned by now."""
    # Not by `closure`, which takes half as long again for their names: primitives ask at each call.
    contents = []
    for cell in f.__closure__ or ():
        try:
            contents.append(cell.cell_contents)
        except ValueError:  # the variable is assigned later
            continue
    return contents
