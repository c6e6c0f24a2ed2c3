"""A recorded Jacobian as one batch: all rows, or all columns, by the recorded steps of the first."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.derivatives.jacobians import TOGETHER
from chainrules.ad.recording.batching.items import Items
from chainrules.ad.recording.batching.program import DifferingItemsError
from chainrules.ad.recording.batching.segments import NotSeparableError, leave_out, segment_of
from chainrules.ad.recording.recorded import Recorded
from chainrules.ad.recording.recorder import IS_RECORDING
from chainrules.ad.recording.tape import NotRecordableError


def rows_together(f: Callable[[Any], list[Any]], xs: Any) -> list[Any] | None:
    """For each result of a function its values for all rows of `xs`.

    Parameters
    ----------
    f
        A function of one row, while it is recorded.
    xs
        The rows.

    Returns
    -------
    list
        Arrays with a leading axis; `None` where the rows decide otherwise than the first, or cannot be
        computed together.
    """
    tape = IS_RECORDING.get()
    if tape is None:
        return None
    try:
        program, slots, _ = segment_of(tape, f, [xs[0]], [True])
    except NotSeparableError:
        return None
    start = len(tape.steps)
    try:
        found = program.run({slots[0]: xs}, len(xs))
    except (DifferingItemsError, NotRecordableError):
        if tape.refusal is not None:
            raise
        for i in range(start, len(tape.steps)):
            leave_out(tape, i)
        return None
    if not all(isinstance(x, Items) for x in found):
        return None
    return [x.value for x in found]


TOGETHER[Recorded] = rows_together
