"""Values that hold others where nobody looks: a deque, a set, an iterator, the attributes of a thread.

AD systems look into containers that they can rebuild with other values in the places of these: tuples,
lists, dicts, dataclasses, instances of ordinary classes, closures, partials, bound methods. A value that is
held in any other way is *hidden*: nobody finds it, so that its derivative would be lost in silence. Whoever
would lose it asks here, and refuses.
"""

import collections
import functools
import gc
import io
import types
from collections.abc import Callable, Iterable, Iterator, MappingView
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from chainrules_core.attribute_holders import is_attribute_holder
from chainrules_core.carriers.search import may_contain_carriers, parts_to_search
from chainrules_core.fields import backing, cached_properties, field_names, is_dunder

# Instances of these very classes hold nothing.
_LEAVES = {int, float, complex, bool, str, bytes, type(None), type, np.float64, types.ModuleType}

# Instances of these very classes hide nothing themselves.
_BUILTIN_CONTAINERS = {tuple, list, dict}


@dataclass(frozen=True)
class HidingPlace:
    """A place inside a value at which no AD system looks for other values.

    Attributes
    ----------
    holder
        The outermost value that nobody looks into.
    attribute
        The name of its attribute in which the other value is; `None` if it is no object with attributes.
    """

    holder: Any
    attribute: str | None = None

    def __str__(self) -> str:
        """As in messages: ``a Model, in its attribute 'weights'``."""
        within = "" if self.attribute is None else f", in its attribute {self.attribute!r}"
        return f"a {type(self.holder).__name__}{within}"


def hiding_place(x: Any, is_sought: Callable[[Any], bool], beside_fields: bool = False) -> HidingPlace | None:
    """Where `x` holds a value that is sought and that nobody would find; `None` if it hides none.

    Parameters
    ----------
    x
        Any value.
    is_sought
        Whether a value is sought. It is not looked into then.
    beside_fields
        Whether to look into the defaults and attributes of functions, and into attributes of dataclasses and
        of subclasses of containers that are no fields of theirs. Constants may be kept there.
    """
    if isinstance(x, np.ndarray) and not x.dtype.hasobject:
        return None
    pending: list[tuple[Any, HidingPlace | None]] = [(x, None)]
    seen: dict[tuple[int, bool], Any] = {}  # with the values, so that no number is used again
    while pending:
        value, place = pending.pop()
        cls = value.__class__
        if cls in _LEAVES and not is_sought(value):
            continue
        if cls in _BUILTIN_CONTAINERS:
            key = id(value), place is None
            if key not in seen:
                seen[key] = value
                pending.extend([(part, place) for part in (value.values() if cls is dict else value)])
            continue
        if is_sought(value):
            if place is not None:
                return place
            continue
        key = id(value), place is None
        if key in seen:
            continue
        open_parts = () if isinstance(value, set | frozenset) else parts_to_search(value)
        hidden = list(_hidden_parts(value, beside_fields))
        if open_parts or hidden:
            seen[key] = value
        pending.extend((part, place) for part in open_parts)
        pending.extend((part, place or HidingPlace(value, name)) for name, part in hidden)
    return None


def is_bare_iterator(x: Any) -> bool:
    """Whether `x` is a generator, or another iterator that nobody can look into without using it up."""
    return isinstance(x, Iterator) and not isinstance(x, io.IOBase) and not field_names(x)


def _hidden_parts(x: Any, beside_fields: bool) -> Iterable[tuple[str | None, Any]]:
    """What a value hides, each with the name of its attribute."""
    if isinstance(x, np.ndarray):
        return _unnamed(x.ravel().tolist()) if x.dtype.hasobject else ()
    for kinds, items_of in _HOLDERS:
        if isinstance(x, kinds):
            return _unnamed(items_of(x))
    if may_contain_carriers(x) or isinstance(x, types.FunctionType):
        return _beside_fields(x).items() if beside_fields else ()
    if is_bare_iterator(x):
        return _unnamed(gc.get_referents(x))  # it cannot be asked without using it up
    return backing(x).items() if field_names(x) else ()


def _unnamed(parts: Any) -> list[tuple[None, Any]]:
    return [(None, part) for part in parts]


def _contents(cell: types.CellType) -> Iterable[Any]:
    try:
        return (cell.cell_contents,)
    except ValueError:  # the variable is assigned later
        return ()


# Values that hold others and have no fields, and what each holds.
_HOLDERS: tuple[tuple[Any, Callable[[Any], Iterable[Any]]], ...] = (
    ((set, frozenset, collections.deque, MappingView), iter),
    (types.MappingProxyType, lambda mapping: mapping.values()),
    (types.CellType, _contents),
    (slice, lambda place: (place.start, place.stop, place.step)),
    (BaseException, lambda error: (*error.args, *vars(error).values())),
    (type(functools.cache(print)), lambda remembering: (remembering.__wrapped__,)),
)


def _beside_fields(x: Any) -> dict[str, Any]:
    """The attributes of a value whose fields others find, without these fields."""
    attributes = getattr(x, "__dict__", None) or {}
    if isinstance(x, types.FunctionType):
        return {"__defaults__": x.__defaults__, "__kwdefaults__": x.__kwdefaults__, **attributes}
    if is_dataclass(x):
        found_by_others = {field.name for field in fields(x)}
    else:
        found_by_others = set(attributes) if is_attribute_holder(type(x)) else set()
    return {
        name: part
        for name, part in attributes.items()
        # A property holds nothing: it computes from the fields. And others find `__wrapped__`.
        if name not in found_by_others and not is_dunder(name) and name not in cached_properties(type(x))
    }
