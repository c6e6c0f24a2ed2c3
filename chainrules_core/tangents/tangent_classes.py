"""The classes ``Tangent[P]``: made once for each `P`, and forgotten with it."""

import threading
import typing
from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary, ref

from chainrules_core.exceptions import TangentStructureError
from chainrules_core.fields import Backing, backing_kind, declared_fields, listed

# Keyed by the base and the primal's type. A class refers to its primal's type only weakly, so that the
# entries of local classes go with these.
_classes: dict[type, WeakKeyDictionary[type, type]] = {}
_lock = threading.Lock()


def tangent_class(base: type, primal_type: Any) -> Any:
    """The class ``base[primal_type]``, where `base` is `Tangent` or `MutableTangent`."""
    try:
        return _classes[base][primal_type]
    except (KeyError, TypeError):  # some parametrised aliases have no weak references
        primal_type = class_of_primal(base, primal_type)
    with _lock:
        classes = _classes.setdefault(base, WeakKeyDictionary())
        if primal_type not in classes:
            classes[primal_type] = _made(base, primal_type)
        return classes[primal_type]


def class_of_primal(base: type, primal_type: Any) -> type:
    """The class that `primal_type` is, or is a parametrised form of."""
    origin = primal_type if isinstance(primal_type, type) else typing.get_origin(primal_type)
    if not isinstance(origin, type):
        raise TypeError(f"{base.__name__}[{primal_type!r}]: the parameter has to be the class of the primal.")
    if hasattr(base, "__tangent_primal__"):
        raise TypeError(f"{base.__name__} has its primal already; write {base.__base__.__name__}[...]")  # type: ignore[union-attr]  # it has one
    return origin


def _made(base: type, primal_type: type) -> type:
    kind = backing_kind(primal_type)
    names = declared_fields(primal_type) if kind is Backing.NAMED else None
    namespace: dict[str, Any] = {
        "__slots__": (),
        "__module__": base.__module__,
        "__doc__": base.__doc__,
        "__init__": _CONSTRUCTORS[kind],
        "__tangent_primal__": ref(primal_type),
        "__tangent_kind__": kind,
        "__tangent_fields__": names,
        "__tangent_field_set__": None if names is None else frozenset(names),
    }
    # A field called like a method: the field wins, as the class is known to have it.
    namespace.update({name: _field_property(name) for name in names or () if hasattr(base, name)})
    return type(f"{base.__name__}[{primal_type.__name__}]", (base,), namespace)


def _field_property(name: str) -> property:
    return property(lambda tangent: tangent[name])


# --- Constructors, one for each way to hold the fields. They are called at every use of a rule -----


def _init_named(self: Any, /, *args: Any, **fields: Any) -> None:
    if args:
        raise _wrong_backing(self, f"{len(args)} positional arguments")
    declared = self.__tangent_field_set__
    if declared is not None and not fields.keys() <= declared:
        unknown = fields.keys() - declared
        raise TangentStructureError(
            f"{type(self).__name__}({listed(fields)}): tangent fields do not match primal fields. Unknown: "
            f"{listed(sorted(unknown))}. The fields of the primal: {listed(self.__tangent_fields__)}."
        )
    self.__tangent_backing__ = fields


def _init_positional(self: Any, /, *args: Any, **fields: Any) -> None:
    if fields:
        raise _wrong_backing(self, f"keywords ({listed(fields)})")
    self.__tangent_backing__ = args


def _init_mapping(self: Any, /, *args: Any, **fields: Any) -> None:
    if fields or len(args) > 1 or not all(isinstance(arg, Mapping) for arg in args):
        raise _wrong_backing(self, f"{len(args)} positional arguments and {len(fields)} keywords")
    self.__tangent_backing__ = dict(*args)


def _init_any(self: Any, /, *args: Any, **fields: Any) -> None:
    if args and fields:
        raise _wrong_backing(self, "both positional arguments and keywords")
    self.__tangent_backing__ = fields or args


_CONSTRUCTORS: dict[Backing, Callable[..., None]] = {
    Backing.NAMED: _init_named,
    Backing.POSITIONAL: _init_positional,
    Backing.MAPPING: _init_mapping,
    Backing.ANY: _init_any,
}


def _wrong_backing(tangent: Any, given: str) -> TangentStructureError:
    return TangentStructureError(
        f"{type(tangent).__name__}(...) takes {tangent.__tangent_kind__.value}, not {given}."
    )
