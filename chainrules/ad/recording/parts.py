"""The loops of a program in which chains of operations run for one part of their arrays after another."""

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.ad.recording import blocks
from chainrules.ad.recording.blocks import Form, form_of
from chainrules.ad.recording.recorded import inputs_of, is_recorded
from chainrules.ad.recording.reuse import ufunc_of
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import Step


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A chain of elementwise operations.

    Attributes
    ----------
    form
        What their results look like.
    steps
        They, by their numbers.
    firsts
        By their numbers, the one that writes into the memory of its result first.
    outputs
        Of those whose results are read behind them, the same.
    given
        The arrays from before that are read part by part.
    spares
        The numbers of those whose results go into memory of the size of a part, each with the number of that
        memory.
    """

    form: Form
    steps: dict[int, Step]
    firsts: dict[int, int]
    outputs: dict[int, int]
    given: list[Any]
    spares: dict[int, int]

    def length(self) -> int:
        """How many rows or elements a part has."""
        bytes_of_row = max(step.value.dtype.itemsize for step in self.steps.values())
        bytes_of_row *= 1 if self.form.is_flat else math.prod(self.form.shape[1:])
        number: int = max(blocks.PART // bytes_of_row, 1)
        return number // 16 * 16 or number  # NumPy takes some elements at once

    def empty(self, i: int) -> str:
        """The text of an array for the whole result of an operation."""
        y = self.steps[i].value
        dtype = "" if y.dtype == np.float64 else f", np.dtype({y.dtype.str!r})"
        return f"np.empty({y.shape}{dtype}{', order=' + repr('F') if self.form.is_transposed else ''})"

    def head(self, parts: dict[str, str], spares: Collection[str]) -> str:
        """The first line, of the names of parts and of the arrays that they are parts of."""
        names = ", ".join([*parts, *spares])
        wholes = ", ".join(map(self.form.written, parts.values()))
        spare = f", spare={len(spares)}" if spares else ""
        return (
            f"for {names if ', ' in names else f'[{names}]'} in parts_of({self.length()}, {wholes}{spare}):"
        )


def loops_of(  # noqa: PLR0913, PLR0917 - each has a name
    chains: list[list[int]],
    run: dict[int, Step],
    slot_of: Callable[[Any], Slot],
    kept: Iterable[Any],
    reused: dict[int, Any],
    places: dict[Slot, frozenset[int]],
) -> dict[int, Loop]:
    """The loop that each operation of a chain stands in, by its number.

    Parameters
    ----------
    chains
        The numbers of the operations of each.
    run
        The steps that run, in order.
    slot_of
        Gives the slot that a value has in the program.
    kept
        The values that are read after all steps.
    reused
        By the number of an operation, the operand into whose memory its result goes. Those that cannot be
        written into part by part are taken out.
    places
        Where values lie.
    """
    if not chains:
        return {}
    number = {i: n for n, chain in enumerate(chains) for i in chain}
    readers: dict[Slot, set[int]] = {slot_of(x).root(): {-1} for x in kept}
    for i, step in run.items():
        for x in inputs_of(step):
            readers.setdefault(slot_of(x).root(), set()).add(number.get(i, -1))
    loops: dict[int, Loop] = {}
    for n, chain in enumerate(chains):
        first = run[chain[0]]
        form = form_of(first)
        if form is None:  # pragma: no cover - chains are made of such operations
            continue
        loop = Loop(form, {i: run[i] for i in chain}, {}, {}, [], {})
        _find_given(loop, slot_of)
        for i in chain:
            free = slot_of(reused[i]) if i in reused else None
            loop.firsts[i] = loop.firsts[free.at] if free is not None and _is_own(free, loop) else i
            if readers.get(step_slot(i), set()) - {n}:
                loop.outputs[i] = loop.firsts[i]
        _keep_others(loop, slot_of, reused, places)
        if any(first not in reused for first in loop.outputs.values()):
            _find_spares(loop, slot_of, reused)
        loops |= dict.fromkeys(chain, loop)
    return loops


def _is_own(slot: Slot, loop: Loop) -> bool:
    return slot.kind == "step" and slot.at in loop.steps


def _find_given(loop: Loop, slot_of: Callable[[Any], Slot]) -> None:
    known: set[Any] = set()
    for step in loop.steps.values():
        for x in step.args:
            key = slot_of(x) if is_recorded(x) else id(x)
            is_own = is_recorded(x) and _is_own(slot_of(x), loop)
            if not is_own and key not in known and loop.form.part_of(x._plain if is_recorded(x) else x):
                known.add(key)
                loop.given.append(x)


def _keep_others(
    loop: Loop,
    slot_of: Callable[[Any], Slot],
    reused: dict[int, Any],
    places: dict[Slot, frozenset[int]],
) -> None:
    """Write into no array from before, unless the result is an output and nobody reads the array otherwise.

    What is a view of the array is read again for later parts.
    """
    given = {slot_of(x) for step in loop.steps.values() for x in inputs_of(step)}
    for i in loop.steps:
        if i not in reused or _is_own(slot := slot_of(reused[i]), loop):
            continue
        others = (places.get(other.root(), frozenset()) for other in given - {slot})
        is_read_otherwise = any(places.get(slot, frozenset()) & other for other in others)
        is_view = loop.form.is_flat and len(loop.form.shape) > 1  # a copy, perhaps
        if is_read_otherwise or is_view or i not in loop.outputs.values():
            del reused[i]


def _find_spares(loop: Loop, slot_of: Callable[[Any], Slot], reused: dict[int, Any]) -> None:
    """Let results go into the memory of parts that nobody reads any more: to get some takes longer.

    They are of the dtype of the last array that is gone through, which is an output.
    """
    dtype = loop.steps[[i for i, first in loop.outputs.items() if first not in reused][-1]].value.dtype
    last: dict[int, int] = {}
    for i, step in loop.steps.items():
        own = [slot.at for slot in map(slot_of, inputs_of(step)) if _is_own(slot, loop)]
        last |= dict.fromkeys((loop.firsts[operand] for operand in own), i)
    free: list[int] = []
    number = 0
    for i, step in loop.steps.items():
        is_new = i not in reused and i not in loop.outputs.values()
        if is_new and i in last and ufunc_of(step) is not None and step.value.dtype == dtype:
            number += not free
            loop.spares[i] = free.pop() if free else number - 1
        free += [loop.spares[first] for first in last if last[first] == i and first in loop.spares]
