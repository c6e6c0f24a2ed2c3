"""Which steps of a tape the values that a step reads come from."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.ad.recording.again import Again
from chainrules.ad.recording.recorded import inputs_of
from chainrules.ad.recording.recorder import Recording, owner
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import LEFT_OUT, NotRecordableError, Step


def memory_of(x: Any) -> int | None:
    """A number for the memory that a recorded array lies in."""
    return id(owner(x._plain)) if isinstance(x._plain, np.ndarray) else None


def writes_of(recording: Recording) -> dict[int | None, list[int]]:
    """The numbers of the steps that write, by the memory; searches may write into arrays from outside."""
    writes: dict[int | None, list[int]] = {}
    for i, step in enumerate(recording.tape.steps):
        if step.kind == "write":
            writes.setdefault(memory_of(step.target), []).append(i)
        for x, _ in recording.captured if isinstance(step.f, Again) else ():
            writes.setdefault(id(owner(x)), []).append(i)
    return writes


class Sources:
    """The sources of the steps of a tape, each found once.

    Parameters
    ----------
    steps, start
        The tape, and the first step of it that counts.
    key_of
        The slot that stands for another one. It has to be the same for good.
    writes
        The steps that write, by the memory that they write into.
    is_whole
        Whether a value of one of many items is an error.

    Attributes
    ----------
    known
        Those that were found.
    """

    def __init__(
        self,
        steps: list[Step],
        start: int,
        key_of: Callable[[Slot], Slot],
        writes: dict[int | None, list[int]],
        is_whole: bool,
    ) -> None:
        self._steps, self._start, self._key_of = steps, start, key_of
        self._writes, self._is_whole = writes, is_whole
        self.known: dict[Step, tuple[list[int], list[int | None]]] = {}

    def of(self, step: Step) -> tuple[list[int], list[int | None]]:
        """The steps that made what a step reads, and the memory of it that is written into."""
        known = self.known.get(step)
        if known is None:
            known = self.known[step] = self.of_values(inputs_of(step))
        return known

    def of_values(self, values: Iterable[Any]) -> tuple[list[int], list[int | None]]:
        """The same, of recorded values.

        Raises
        ------
        NotRecordableError
            If one is a value of one of many items.
        """
        made: list[int] = []
        written: list[int | None] = []
        for x in values:
            root = self.root_of(x)
            if self._is_whole and self._is_of_one_item(root):
                raise NotRecordableError("a value of one of many items is used for all of them", None)
            if root.kind == "step" and root.at >= self._start:
                made.append(root.at)
            if self._writes and (memory := memory_of(x)) in self._writes and memory is not None:
                written.append(memory)
        return made, written

    def root_of(self, x: Any) -> Slot:
        """The argument or step whose result a value is, or is a part of."""
        return self._key_of(x._slot.root()).root()

    def _is_of_one_item(self, slot: Slot) -> bool:
        return slot.kind == "item" or (slot.kind == "step" and self._steps[slot.at].kind == LEFT_OUT)
