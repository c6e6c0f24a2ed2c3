"""Sums that are added in place: ``g[i] += u`` is shorter than to get a part, to add, and to store it."""

import operator
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from chainrules.ad.recording.recorded import inputs_of, is_recorded
from chainrules.ad.recording.repeated import key_within
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import Step


def added_in_place(
    steps: list[Step],
    writes: Mapping[int | None, Collection[int]],
    results: list[Any],
    slot_of: Callable[[Any], Slot],
) -> dict[int, Step]:
    """Let ``v = g[i]; w = v + u; g[i] = w`` be ``g[i] += u``, and the same of a part of an array.

    Parameters
    ----------
    steps, writes
        Those of the tape, and the numbers of those that write, by the memory that they write into.
    results
        The recorded values that are returned.
    slot_of
        The slot that a recorded value has in the program.

    Returns
    -------
    added
        What stands in the place of the steps that store, by their numbers; the two before them are left out.
    """
    found: dict[int, Step] = {}
    stores = sorted(i for numbers in writes.values() for i in numbers if i > 1)
    if not stores:
        return found
    read = Counter(x._slot.root() for step in steps for x in inputs_of(step))
    read.update(x._slot.root() for x in results)
    for i in stores:
        get, add, store = steps[i - 2 : i + 1]
        if store.f is not operator.setitem or get.f is not operator.getitem:
            continue
        g, index, new = store.args
        is_there = get.args[0] is g and key_within(slot_of, get.args[1]) == key_within(slot_of, index)
        old = step_slot(i - 2)
        if not is_there or not is_recorded(new) or not is_recorded(add.args[0]) or len(add.args) != 2:
            continue
        of_number = add.kind == "operation" and add.f is operator.add and new._slot == step_slot(i - 1)
        of_part = add.kind == "write" and add.f is np.add and add.target._slot == old and new._slot == old
        times = 1 if of_number else 4  # an operand, `out`, the target, and what is stored
        if (of_number and read[step_slot(i - 1)] != 1) or not (of_number or of_part):
            continue
        if add.args[0]._slot == old and read[old] == times:
            args = (g, index, add.args[1])
            found[i] = Step("write", operator.iadd, args, {}, None, add.errors, g, store.place)
    return found
