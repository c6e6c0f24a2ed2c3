"""Calls of primitives with recorded values."""

import numpy as np

from chainrules.ad.recording.backend import RecordingBackend
from chainrules.ad.recording.recorded import Recorded, is_recorded, record
from chainrules.ad.recording.tape import Slot, Tape
from chainrules.operations.scatter import scatter
from chainrules.operations.writing import written


def test_they_are_written_down_whole():
    """One line for one call; what is scattered is written into zeros."""
    tape = Tape(record, Recorded)
    x = tape.recorded(np.ones(2), Slot("argument", 0))
    y = written(x, 2.0, 0)
    assert is_recorded(y)
    assert [step.kind for step in tape.steps] == ["operation", "kind"]
    assert is_recorded(scatter(x, np.zeros(3), slice(0, 2)))
    assert [step.kind for step in tape.steps][2:] == ["operation", "write"]
    z = RecordingBackend().call(np.stack, ([x, x],), {"axis": 1})
    assert z.shape == (2, 2)
    assert RecordingBackend().primal(x) is x._plain
