"""Where recorded values come from, by number."""

import threading
from typing import Any, NamedTuple


class Slot(NamedTuple):
    """Where a recorded value comes from: an argument, the result of a step, or a part of one of these.

    Attributes
    ----------
    kind
        ``"argument"``, ``"captured"`` from outside, ``"step"`` or ``"part"``.
    at
        The number of the argument, array or step; of a part the slot of the whole.
    key
        The position of a part.
    """

    kind: str
    at: Any
    key: int = 0

    def root(self) -> "Slot":
        """The argument or step that it is a part of, or is itself."""
        slot = self
        while slot.kind == "part":
            slot = slot.at
        return slot


# Never forgotten: as many as the longest program has steps. That of a step is one object, so that it is found
# in a dict without a comparison.
_SLOTS: list[Slot] = []
_lock = threading.Lock()


def step_slot(number: int) -> Slot:
    """The slot of the result of a step."""
    if number >= len(_SLOTS):
        with _lock:
            _SLOTS.extend([Slot("step", i) for i in range(len(_SLOTS), number + 1000)])
    return _SLOTS[number]
