"""The tape: what may stand on it, and what it keeps."""

import numpy as np
import pytest

from chainrules.ad.recording.recorded import Recorded, record
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import (
    FailedError,
    NotRecordableError,
    Tape,
    are_same_arrays,
    is_known,
    kind_of,
)

# What is refused, and each kind of value, has a line of its own.
pytestmark = pytest.mark.every_case


@pytest.fixture
def tape():
    """An empty one."""
    return Tape(record, Recorded)


def test_constants_are_kept_as_they_are(tape):
    """An array that is written into later is another constant."""
    x, k = tape.recorded(np.ones(2), Slot("argument", 0)), np.ones(2)
    x * k
    x * k
    k[0] = 5.0
    x * k
    constants = [step.args[1] for step in tape.steps]
    assert constants[0] is constants[1]
    np.testing.assert_array_equal(constants[0], 1.0)
    np.testing.assert_array_equal(constants[2], [5.0, 1.0])
    assert not constants[0].flags.writeable


@pytest.mark.parametrize("x", [np.array([{}]), object(), {"a": object()}, np.ma.ones(2)])
def test_unknown_values(tape, x):
    """They are refused."""
    with pytest.raises(NotRecordableError):
        tape.kept((x,))
    assert tape.refusal is not None


def test_unknown_functions_and_results(tape):
    """A user's function is not called whole."""
    x = tape.recorded(np.ones(2), Slot("argument", 0))
    with pytest.raises(NotRecordableError, match="whole"):
        tape.operation(lambda x: x, (x,))
    with pytest.raises(NotRecordableError, match="returns"):
        tape.operation(np.ndarray.__iter__, (x,))
    assert is_known(np.sum)
    assert is_known(np.add)
    assert not is_known(test_unknown_values)


def test_values_of_another_tape(tape):
    """They are refused, too."""
    other = Tape(record, Recorded).recorded(np.ones(2), Slot("argument", 0))
    with pytest.raises(NotRecordableError):
        tape.recorded(np.ones(2), Slot("argument", 0)) + other


def test_errors(tape):
    """That an operation fails is a guard; a write that fails is refused."""
    x = tape.recorded(-np.eye(2), Slot("argument", 0))
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(x)
    assert tape.steps[-1].kind == "raises"
    with pytest.raises(NotRecordableError, match="write"):
        x[5] = 1.0
    assert issubclass(FailedError, NotRecordableError)


def test_kinds_and_slots():
    """Dtype and shape, or class; and where a part comes from."""
    assert kind_of((np.ones(2), 1.0, None)) == (tuple, ("<f8", (2,)), float, None)
    assert are_same_arrays(np.array([np.nan]), np.array([np.nan]))
    assert not are_same_arrays(np.array([0.0]), np.array([-0.0]))
    assert Slot("part", Slot("part", Slot("step", 3), 1), 0).root() == Slot("step", 3)


def test_results_that_are_no_numbers(tape):
    """Text and dtypes may depend on the values."""
    x = tape.recorded(np.ones(2), Slot("argument", 0))
    with pytest.raises(NotRecordableError, match="`min_scalar_type` returns dtype"):
        np.min_scalar_type(x)
    with pytest.raises(NotRecordableError, match="an array of <U32 is computed"):
        x.astype(str)
