"""A function that is recorded for one item inside a recording: its steps are taken out of the tape."""

import itertools
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.recording.batching.program import BatchedProgram
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.recorded import inputs_of
from chainrules.ad.recording.recorder import Recording
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import LEFT_OUT, Step, Tape
from chainrules.ad.traced.tracing import is_traced

_numbers = itertools.count()


_TRACED_ELSEWHERE = (
    "reads a value that is differentiated by where none is looked for, which has to be an argument, with "
    "None in `in_axes`"
)


class NotSeparableError(Exception):
    """A part of a recording cannot be taken out of it, and run for many items."""


def segment_of(
    tape: Tape, f: Callable[..., Any], plains: list[Any], mapped: list[bool]
) -> tuple[BatchedProgram, list[Slot], Any]:
    """Record a call for one item, and take what depends on the item out of the tape.

    Parameters
    ----------
    tape
        Of the recording that is under way.
    f
        A function of numbers and arrays.
    plains
        Their values for the item.
    mapped
        Which of these are other ones for each item.

    Returns
    -------
    program, slots, plain
        The steps that depend on the arguments, the slots of these, and the plain result.

    Raises
    ------
    NotSeparableError
        If the call cannot be run for many items. The tape is then as if it had not been made.
    """
    start = len(tape.steps)
    slots = [Slot("item", next(_numbers)) for _ in plains]
    items = [tape.recorded(x, slot) for x, slot in zip(plains, slots, strict=True)]
    y = choose(f)(*items)
    reason = None
    if is_traced(y):
        reason, y = f"what is vectorized {_TRACED_ELSEWHERE}", None
    result = tape.kept(y)
    needed = Needed(Recording(tape, items, result, Surroundings(tape.refuse), [], {}), start, True)
    depending = BatchedProgram(list(enumerate(tape.steps))[start:], result, set(slots))
    taken = []
    for i, step in depending.steps:
        if depending.is_widened(step) or any(map(depending.is_mapped, inputs_of(step))):
            if step.kind == "write" and not _is_made_since(step, start):
                reason = "what is vectorized writes into an array from outside"
            if i in needed.steps:
                taken.append((i, needed.step(i)))
            leave_out(tape, i)
    if reason is not None:
        raise NotSeparableError(reason)
    own = {slot for slot, is_mapped in zip(slots, mapped, strict=True) if is_mapped}
    return BatchedProgram(taken, result, own, needed.key_of), slots, tape.plain(y)


def leave_out(tape: Tape, i: int) -> None:
    """Let a step of the tape be none."""
    tape.steps[i] = Step(LEFT_OUT, None, (), {}, None, place=tape.steps[i].place)


def _is_made_since(step: Step, start: int) -> bool:
    root = step.target._slot.root()
    return bool(root.kind == "step" and root.at >= start)
