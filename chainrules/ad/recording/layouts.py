"""Arrays that may lie in memory otherwise at another call, though all of them have the same shape.

The step of a slice, an axis or an order of axes may be a recorded value. What a program computes with such an
array is right; what it asks of the memory would be a decision that nobody notices.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.regular import may_lie_otherwise
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import Step, Tape

InputsOf = Callable[[Step], tuple[Any, ...]]

# What of the flags of an array does not follow from its strides.
_OF_MEMORY = frozenset({"writeable", "aligned"})
# They return a view where the strides allow it, and a copy otherwise.
_VIEWS_OR_COPIES: set[Any] = {
    np.reshape, np.ravel, np.ascontiguousarray, np.asfortranarray, np.require,
    np.ndarray.reshape, np.ndarray.ravel,
}  # fmt: skip


class Layouts:
    """Which values of a tape may lie otherwise.

    Parameters
    ----------
    steps
        The steps of the tape, which is still written.
    inputs_of
        The recorded values that a step reads.
    """

    def __init__(self, steps: list[Step], inputs_of: InputsOf) -> None:
        self._steps, self._inputs_of = steps, inputs_of
        self._seen = 0
        self._slots: set[Slot] = set()
        self._unsure: list[Any] = []

    def vary(self, x: Any) -> bool:
        """Whether the strides of a recorded array are others at another call."""
        self._go_on()
        return x._slot is not None and x._slot.root() in self._slots

    def unsure(self) -> list[Any]:
        """The arrays of which some are views of others, or copies of them."""
        self._go_on()
        return self._unsure

    def _go_on(self) -> None:
        for i in range(self._seen, len(self._steps)):
            step = self._steps[i]
            if step.kind != "operation" or not isinstance(step.value, np.ndarray):
                continue
            of_varying = self._slots and [x for x in self._inputs_of(step) if x._slot.root() in self._slots]
            if of_varying and step.f in _VIEWS_OR_COPIES:
                self._unsure += [*(x._plain for x in of_varying), step.value]
            is_simple = step.value.ndim < 2 and step.value.base is None
            if of_varying or (not is_simple and may_lie_otherwise(step.f, step.args, step.kwargs)):
                self._slots.add(step_slot(i))
        self._seen = len(self._steps)


def layouts_of(tape: Tape, inputs_of: InputsOf) -> Layouts:
    """Those of a tape: the same each time."""
    if tape.layouts is None:
        tape.layouts = Layouts(tape.steps, inputs_of)
    return tape.layouts  # type: ignore[no-any-return]  # this class


def asked_of_memory(x: Any, name: str, y: Any, inputs_of: InputsOf) -> Any:
    """`y`, the strides or the flags of a recorded array, as far as they are the same at each call."""
    if not layouts_of(x._tape, inputs_of).vary(x):
        return y
    if name == "strides":
        raise x._tape.refuse(f"it reads `{name}` of an array whose {_DEPENDS}")
    return _Flags(y, x._tape.refuse)


_DEPENDS = "order in memory depends on values"


class _Flags:
    """The flags of an array that may lie otherwise: those that follow from the strides are refused."""

    __slots__ = ("_flags", "_refuse")

    def __init__(self, flags: Any, refuse: Callable[[str], Exception]) -> None:
        object.__setattr__(self, "_flags", flags)
        object.__setattr__(self, "_refuse", refuse)

    def __getattr__(self, name: str) -> Any:
        if name not in _OF_MEMORY:
            raise self._refuse(f"it reads `flags.{name}` of an array whose {_DEPENDS}")
        return getattr(self._flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._flags, name, value)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, str(name).lower())
