"""The steps that a value comes from."""

import numpy as np
import pytest

from chainrules.ad.recording.recorded import Recorded, record
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.sources import Sources, memory_of
from chainrules.ad.recording.tape import NotRecordableError, Tape


@pytest.mark.every_case
def test_sources():
    """Results, and parts of them; memory that is written into; nothing from before the first step."""
    tape = Tape(record, Recorded)
    x = tape.recorded(np.ones(2), Slot("argument", 0))
    y = x + 1.0
    n, z = np.linalg.norm(y), np.divmod(y, 2.0)[1]
    y[0] = n * z[0]
    number = len(tape.steps)
    assert tape.steps[-1].kind == "write"

    def sources_from(start, writes):
        return Sources(tape.steps, start, lambda slot: slot, writes, True)

    written = {memory_of(y): [number - 1]}
    assert sources_from(0, written).of_values([x, y, n, z]) == ([0, 1, 2], [memory_of(y)])
    assert sources_from(1, {}).of_values([x, y, n, z]) == ([1, 2], [])
    whole = sources_from(0, written)
    assert whole.of(tape.steps[-1]) is whole.of(tape.steps[-1])
    of_item = tape.recorded(np.ones(2), Slot("item", 0))
    with pytest.raises(NotRecordableError, match="one of many items"):
        whole.of_values([of_item])
