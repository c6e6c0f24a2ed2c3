"""Operations that stand inside the one that reads them, as in ``1.0 - y * y``.

What has a name stays in memory until the program ends. So a value that is read once has none, unless the user
gave it one: its memory is free for the next one, and still in the cache of the processor.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any

from chainrules.ad.recording.recorded import inputs_of, recorded_in
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Step

_NOWHERE = object()

# A longer text has a line of its own.
LONGEST = 60


def nested(  # noqa: PLR0913, PLR0917 - each has a name
    lines: list[tuple[Step, Slot, Any]],
    key_of: Callable[[Slot], Slot],
    result: Any,
    names: Collection[Slot],
    reused: dict[int, Any],
    spared: Collection[int] = (),
) -> set[Slot]:
    """The operations that can stand inside the one that reads them.

    Parameters
    ----------
    lines
        The steps in their order, each with its slot and the block that it stands in.
    key_of
        Gives the slot that another one has in the program.
    result
        What the program returns.
    names
        The slots that the user gave a name.
    reused
        By the number of a step, the value in whose memory its result goes.
    spared
        The numbers of those whose results go into other memory that was in use before.
    """

    def slots_of(values: Iterable[Any]) -> list[Slot]:
        return [key_of(x._slot) for x in values]

    read = Counter(slot.root() for step, _, _ in lines for slot in slots_of(inputs_of(step)))
    read.update(slot.root() for slot in slots_of(recorded_in(result)))
    named = {*names, *slots_of(reused.values())}
    found: set[Slot] = set()
    # Those that may still be taken: nothing was written or decided since.
    waiting: dict[Slot, Any] = {}
    inside: Any = None
    for step, slot, block in lines:
        if block != inside:
            inside = block
            waiting.clear()
        is_operation = step.kind == "operation"
        if is_operation or step.kind == "write":
            operands = slots_of(inputs_of(step))
            found |= {operand for operand in operands if waiting.get(operand, _NOWHERE) == step.place}
        is_spared = slot.kind == "step" and slot.at in spared
        if not is_operation or slot.at in reused or is_spared:
            waiting.clear()
        if is_operation and read[slot] == 1 and slot not in named and not is_spared:
            waiting[slot] = step.place
    return found
