"""Running a program once to record it: everything is as before when that fails."""

import sys

import numpy as np
import pytest

from chainrules.ad import grad, interception
from chainrules.ad.recording.recorder import IS_RECORDING, owner, record_program
from chainrules.ad.recording.tape import FailedError, NotRecordableError

DATA = np.zeros(3)
TABLE = {"a": 1}
KEPT = [1]


def leaves_traces(x):
    """Writes everywhere, and is refused at last."""
    DATA[0] = 7.0
    TABLE["b"] = 2
    KEPT[0] = x
    return print(x)


def test_a_refused_program_leaves_nothing_behind():
    """What it wrote is put back, since it runs again."""
    with pytest.raises(NotRecordableError, match="print"):
        record_program(leaves_traces, (np.ones(2),), {})
    assert DATA[0] == 0.0
    assert TABLE == {"a": 1}
    assert KEPT == [1]
    assert sys.getprofile() is None
    assert not IS_RECORDING.get()


def test_programs_that_fail():
    """They may fail by themselves."""
    with pytest.raises(FailedError, match="ZeroDivisionError"):
        record_program(lambda x: x * (1 / 0), (np.ones(2),), {})


def test_recordings():
    """Steps, names and the result."""

    def f(x):
        square = x * x
        return np.sum(square)

    recording = record_program(f, (np.ones(2),), {})
    assert "square" in recording.names.values()
    assert owner(np.ones(4).reshape(2, 2)[0]).shape == (4,)


def test_where_nothing_is_recorded():
    """Without interception, and beside a profiler."""
    with interception(False), pytest.raises(NotRecordableError, match="intercepted"):
        record_program(grad(np.sum), (np.ones(2),), {})
    sys.setprofile(lambda *_: None)
    try:
        with pytest.raises(NotRecordableError, match="profiler"):
            record_program(grad(np.sum), (np.ones(2),), {})
    finally:
        sys.setprofile(None)
