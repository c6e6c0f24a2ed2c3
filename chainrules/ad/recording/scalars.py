"""Numbers that a program takes out of arrays one by one: they are Python's own where nobody can tell.

NumPy's numbers take twice the time of Python's to be taken out of an array, to be added and multiplied. The
results are the same, to the bit, as long as nothing warns.
"""

import operator
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.recorded import inputs_of, is_recorded, recorded_in
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.sources import memory_of
from chainrules.ad.recording.tape import Step

_ARITHMETIC: set[Any] = {operator.add, operator.sub, operator.mul, operator.neg}
_ARITHMETIC |= {np.add, np.subtract, np.multiply}
# What asks about a number in the same way, whoever made it.
_ASKING = frozenset({"within", "no NaN", "finite", "not zero"})
_ZEROS: tuple[Any, ...] = np.zeros_like, np.zeros
_NUMBERS = (np.float64, float)
# To make a list of an array takes as long as to take out this part of its elements.
_PART, _FEWEST = 4, 8


def plain_scalars(needed: Needed, results: Any) -> frozenset[Slot]:
    """The slots of the numbers that are Python's own: elements of arrays, and what is computed of them.

    They are read by arithmetic that need not warn, by looks at them, and by writes into elements. So nobody
    is given one: it is none of the results, nor handed over to another variant.
    """
    kept = {*map(needed.slot_of, recorded_in(results))}
    # What overflows is found out by a look behind it, or cannot be.
    quiet = needed.quiet | {needed.slot_of(step.args[0]) for step in needed.assumed.values()}
    found = {
        i
        for i, step in needed.run.items()
        if _is_element(step, needed) or (step_slot(i) in quiet and _is_arithmetic(step))
    }
    while True:
        elements = Counter(_array_of(needed.run[i], needed) for i in found if _is_read(needed.run[i]))
        few = {
            i
            for i in found
            if _is_read(step := needed.run[i])
            and elements[_array_of(step, needed)] < max(_FEWEST, step.args[0]._plain.size // _PART)
        }
        slots = {step_slot(i) for i in found - few}
        seen = (slots & kept) | set(_read_by_others(slots, needed))
        left = few | {slot.at for slot in seen}
        if not left & found:
            return frozenset(slots)
        found -= left


def first_writes(needed: Needed) -> frozenset[int]:
    """The writes that add the first number, which is not zero, to an element of an array of zeros."""
    found: set[int] = set()
    not_zero: set[Slot] = set()
    # By the memory of arrays of zeros that nobody read so far, the elements that were written into.
    written: dict[int | None, set[int]] = {}
    for i, step in needed.run.items():
        if step.kind == "not zero" and step.value is False:
            not_zero.add(needed.slot_of(step.args[0]))
        place = _place_of(step)
        for x in inputs_of(step):
            places = written.get(memory_of(x))
            if places is None:
                continue
            if place is None or x is not step.target:
                del written[memory_of(x)]
            elif place not in places:
                places.add(place)
                y = step.args[2]
                is_added = step.f is operator.iadd and is_recorded(y) and needed.slot_of(y) in not_zero
                found |= {i} if is_added and type(y._plain) in _NUMBERS else set()
        if step.kind == "operation" and step.f in _ZEROS and _is_vector(step.value):
            written[id(step.value)] = set()
    return frozenset(found)


def _is_vector(y: Any) -> bool:
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype == np.float64 and y.base is None


def _place_of(step: Step) -> int | None:
    """The place of the element of a vector that a step writes into; `None` of others."""
    if step.kind != "write" or step.f not in (operator.iadd, operator.setitem):
        return None
    place = step.args[1]
    is_one = type(place) is int and place >= 0 and _is_vector(step.target._plain)
    return place if is_one else None


def _is_read(step: Step) -> bool:
    return step.f is operator.getitem


def _array_of(step: Step, needed: Needed) -> Slot:
    return needed.slot_of(step.args[0])


def _is_element(step: Step, needed: Needed) -> bool:
    if step.kind != "operation" or step.f is not operator.getitem or type(step.value) is not np.float64:
        return False
    x, index = step.args
    is_of_vector = is_recorded(x) and type(x._plain) is np.ndarray and x._plain.ndim == 1
    return is_of_vector and type(index) is int and not needed.donated and not needed.touches_written(step)


def _is_arithmetic(step: Step) -> bool:
    if step.kind != "operation" or step.f not in _ARITHMETIC or step.kwargs:
        return False
    are_numbers = all(is_recorded(x) or type(x) in (float, int, np.float64) for x in step.args)
    return are_numbers and type(step.value) is np.float64


def _read_by_others(slots: set[Slot], needed: Needed) -> Iterator[Slot]:
    """Those of the slots that are read by what can tell NumPy's numbers from Python's."""
    for i, step in needed.run.items():
        if step.kind in _ASKING or step_slot(i) in slots:
            continue
        is_write = _place_of(step) is not None
        for x in inputs_of(step):
            if (slot := needed.slot_of(x)) in slots and not (is_write and x is step.args[2]):
                yield slot
