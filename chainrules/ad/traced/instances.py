"""Instances of ordinary classes inside arguments: which are held twice, and what is assigned to them.

A differentiated function computes with a *stand-in* for each instance that holds numbers. When it has
returned, what it assigned to attributes of a stand-in is assigned to the instance itself, with plain values
in the place of traced ones: a model that counts its calls, or keeps its last result, goes on doing so.
"""

import collections
import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.views import with_own_arrays
from chainrules.ad.values.plain_values import FREQUENT, SEQUENCES
from chainrules.ad.values.repeated_instances import is_instance
from chainrules.ad.values.structures import has_parts, holds, parts_of, with_parts, within
from chainrules_core import attributes_of, describe_callee, set_attributes

_NUMBERS_AND_ARRAYS = TRACED | FREQUENT


class StandIn(NamedTuple):
    """A stand-in for an instance, or for a container in one, while a function is differentiated.

    Attributes
    ----------
    original
        The instance, list, dict or dataclass.
    before
        What it held, by attribute, position or key.
    given
        What the function is given.
    given_before
        What that held at first.
    """

    original: Any
    before: Mapping[Any, Any]
    given: Any
    given_before: Mapping[Any, Any]


def register(x: Any, given: Any, trace: Any) -> None:
    """Remember what stands for an instance, or for a list, dict or dataclass in one."""
    if isinstance(x, list | dict) or is_instance(x) or dataclasses.is_dataclass(x):
        if trace.stand_ins is None:
            trace.stand_ins = []
        trace.stand_ins.append(StandIn(x, _held_by(x), given, _held_by(given)))


def assign_to_originals(trace: Any) -> None:
    """Change the instances, lists, dicts and dataclasses as their stand-ins were changed.

    Raises
    ------
    TypeError
        If something was changed that the arguments hold at several places, which have stand-ins of their own;
        or what was assigned holds itself.
    """
    originals = {id(stand_in.given): stand_in.original for stand_in in trace.stand_ins}
    places = collections.Counter(id(stand_in.original) for stand_in in trace.stand_ins)
    changed: dict[int, StandIn] = {}
    for stand_in in trace.stand_ins:
        x, now = stand_in.original, _held_by(stand_in.given)
        if _is_unchanged(stand_in, now, trace):
            continue
        if places[id(x)] > 1:
            raise _held_at_several_places(x)
        _check_written_arrays(stand_in, now, trace)
        changed[id(x)] = stand_in
    for stand_in in changed.values():
        now = _held_by(stand_in.given)
        plain = {
            key: stand_in.before[key]
            if _is_same(part, key, stand_in, trace)
            else _plain(part, originals, trace)
            for key, part in now.items()
        }
        _assign(stand_in.original, plain)
    trace.changed = changed


def _check_written_arrays(stand_in: StandIn, now: Mapping[Any, Any], trace: Any) -> None:
    """Raise if an array was written into that the arguments hold at another place too."""
    for key, part in now.items():
        array = stand_in.before.get(key)
        is_given = part is stand_in.given_before.get(key, stand_in)
        if isinstance(array, np.ndarray) and is_given and not _is_same(part, key, stand_in, trace):
            others = [x for other in trace.stand_ins for x in other.before.values()]
            arrays = [x for x in others if isinstance(x, np.ndarray) and np.may_share_memory(x, array)]
            if len(arrays) > 1:
                raise _held_at_several_places(array)


def _held_at_several_places(x: Any) -> TypeError:
    return TypeError(
        f"A {type(x).__name__} that objects in the arguments hold at several places was changed at one of "
        "them, and the others would not have seen it. Hold it at one place."
    )


def as_before(x: Any, trace: Any) -> Any:
    """An argument as it was when it was traced: a copy, where something was assigned to it since."""
    if not trace.changed or not has_parts(x):
        return x
    stand_in = trace.changed.get(id(x))
    parts = parts_of(x) if stand_in is None else stand_in.before
    before = {key: as_before(part, trace) for key, part in parts.items()}
    if stand_in is None:
        return x if all(before[key] is parts[key] for key in parts) else with_parts(x, before)
    if isinstance(x, list | dict):
        return type(x)(before.values() if isinstance(x, list) else before)
    copy = with_parts(x, {key: part for key, part in before.items() if key in parts_of(x)})
    _assign(copy, before)  # which takes the attributes away that are new
    return copy


def attributes_in(x: Any) -> list[tuple[Any, dict[str, Any]]]:
    """The instances of ordinary classes that `x` is or holds, with their attributes."""
    if x.__class__ in SEQUENCES and _NUMBERS_AND_ARRAYS.issuperset(map(type, x)):
        return []
    attributes: dict[int, tuple[Any, dict[str, Any]]] = {}

    def take(value: Any) -> bool:
        if is_instance(value):
            attributes[id(value)] = value, attributes_of(value)
        return False

    holds(x, take)
    return list(attributes.values())


def check_nothing_assigned(f: Any, attributes: list[tuple[Any, dict[str, Any]]]) -> None:
    """Raise if something was assigned to an attribute since.

    Raises
    ------
    TypeError
        If so: rules are given copies of instances, without traced values.
    """
    for instance, before in attributes:
        now = attributes_of(instance)
        for name in sorted(now.keys() | before.keys()):
            if now.get(name, attributes) is not before.get(name, attributes):
                raise TypeError(
                    f"A call of {describe_callee(f)} by its rule assigned to the attribute {name!r} of a "
                    f"{type(instance).__name__} that depends on the arguments, which the program would not "
                    "see. Let the function return the value."
                )


def _held_by(x: Any) -> Mapping[Any, Any]:
    return dict(parts_of(x)) if isinstance(x, list | dict) else attributes_of(x)


def _is_unchanged(stand_in: StandIn, now: Mapping[Any, Any], trace: Any) -> bool:
    return now.keys() == stand_in.given_before.keys() and all(
        _is_same(part, key, stand_in, trace) for key, part in now.items()
    )


def _is_same(part: Any, key: Any, stand_in: StandIn, trace: Any) -> bool:
    """Whether a part is the one that was given, and was not written into."""
    if key not in stand_in.before or part is not stand_in.given_before.get(key):
        return False
    if not isinstance(part, TracedValue) or part._trace is not trace:
        return True
    value, before = part._value, stand_in.before[key]
    return value is before or (isinstance(before, TracedValue) and value._value is before._value)


def _plain(x: Any, originals: dict[int, Any], trace: Any) -> Any:
    """The assigned value, without traced values and without stand-ins."""

    def is_of_the_differentiation(value: Any) -> bool:
        return id(value) in originals or (isinstance(value, TracedValue) and value._trace is trace)

    def plain(x: Any, holders: tuple[int, ...] = ()) -> Any:
        if id(x) in originals:
            return originals[id(x)]
        if isinstance(x, TracedValue):
            return with_own_arrays(x._value) if x._trace is trace else x
        if not holds(x, is_of_the_differentiation):
            return x
        holders = within(x, holders)
        return with_parts(x, {key: plain(part, holders) for key, part in parts_of(x).items()})

    return plain(x)


def _assign(x: Any, plain: Mapping[Any, Any]) -> None:
    if isinstance(x, list):
        list.__setitem__(x, slice(None), plain.values())
    elif isinstance(x, dict):
        dict.clear(x)
        dict.update(x, plain)
    else:
        set_attributes(x, plain)
