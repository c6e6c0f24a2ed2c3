"""What a decision of a program is about, where it says that there is no NaN, or no zero."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Step


class Decisions:
    """The decisions of a program that are read.

    Parameters
    ----------
    made_by
        The step that a recorded value is the whole result of, if it is.
    slot_of
        The slot that a value has in the program.
    is_written
        Whether somebody writes into what an operation reads or returns.
    """

    def __init__(
        self,
        made_by: Callable[[Any], Step | None],
        slot_of: Callable[[Any], Slot],
        is_written: Callable[[Step], bool],
    ) -> None:
        self._made_by, self._slot_of, self._is_written = made_by, slot_of, is_written

    def without_nan(self, step: Step) -> Any:
        """The value that a guard looks for a NaN in, as rules do or ``np.any(v != v)``, and finds none."""
        if step.value is not False or step.kind not in ("truth", "no NaN"):
            return None
        if step.kind == "no NaN":
            return None if self._is_written(step) else step.args[0]
        found = self._made_by(step.args[0])
        if found is None or found.f is not np.any or found.kind != "operation" or found.kwargs:
            return None
        pair = self._compared(found.args[0], (np.not_equal, operator.ne)) if len(found.args) == 1 else None
        if pair is None or not all(map(is_recorded, pair)):
            return None
        return pair[0] if self._slot_of(pair[0]) == self._slot_of(pair[1]) else None

    def not_zero(self, step: Step) -> Any:
        """The number that a guard compares with zero, as rules do, or by ``v == 0``, which is not true."""
        if step.value is not False or step.kind not in ("truth", "not zero"):
            return None
        if step.kind == "not zero":
            x, is_about_zero = step.args[0], True
        else:
            pair: Any = self._compared(step.args[0], (np.equal, operator.eq)) or (None, None)
            x, is_about_zero = pair[0], type(pair[1]) in (int, float) and pair[1] == 0
        return x if is_about_zero and is_recorded(x) and isinstance(x._plain, float) else None

    def _compared(self, x: Any, functions: tuple[Any, ...]) -> Any:
        made = self._made_by(x)
        is_one = made is not None and made.kind == "operation" and made.f in functions and not made.kwargs
        return made.args if made is not None and is_one and not self._is_written(made) else None
