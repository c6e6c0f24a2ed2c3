"""Which results have the same kind at every call."""

import math
import operator

import numpy as np
import pytest

from chainrules.ad.recording.recorded import Recorded, record
from chainrules.ad.recording.regular import calls_nobody, has_regular_result, writes_into
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Tape
from tests.chainrules.ad.recording.agreement import agrees


def test_regular_results():
    """Of ufuncs, of sums and the like; not of masks, powers of Python's numbers and unknown functions."""
    tape = Tape(record, Recorded)
    x = tape.recorded(np.ones(2), Slot("argument", 0))
    n = tape.recorded(np.int64(1), Slot("argument", 1))
    assert has_regular_result(np.add, (x, x), {})
    assert has_regular_result(np.sum, (x,), {"axis": 0})
    assert has_regular_result(operator.getitem, (x, slice(1)), {})
    assert has_regular_result(math.sin, (1.0,), {})
    assert not has_regular_result(operator.getitem, (x, x > 0.0), {})
    assert not has_regular_result(operator.getitem, (x, slice(n)), {})
    assert not has_regular_result(operator.getitem, (x, (None, slice(0, None, n))), {})
    assert not has_regular_result(operator.getitem, (x, tape.recorded(True, Slot("argument", 2))), {})
    assert not has_regular_result(np.reshape, (x, (n, -1)), {})
    assert not has_regular_result(np.sum, (x,), {"axis": (n,)})
    assert not has_regular_result(np.sum, (x, n), {})
    assert not has_regular_result(np.sum, (x,), {"axis": tape.recorded(np.array(0), Slot("argument", 3))})
    order = tape.recorded(np.arange(1), Slot("argument", 4))
    assert not has_regular_result(np.transpose, (x, order), {})
    assert not has_regular_result(np.ndarray.reshape, (x, order), {})
    assert has_regular_result(np.take, (x, order), {})
    assert not has_regular_result(operator.pow, (-2.0, 0.5), {})
    assert not has_regular_result(np.nonzero, (x,), {})
    assert has_regular_result(np.where, (x > 1.0, x, 0.0), {})
    assert not has_regular_result(np.where, (x > 1.0,), {})
    assert not has_regular_result([], (x,), {})


def large(x):
    """How many elements are large."""
    return np.sum(x[0] > 1.0)


SHAPES = {
    "slice": lambda x: np.sum(x[:, : large(x)]) / x[:, : large(x)].shape[1],
    "rest": lambda x: len(x[0][large(x) :]) * x,
    "step": lambda x: sum(v * v for v in x[0][:: large(x)]),
    "reshaped": lambda x: np.reshape(x, (large(x), -1)).shape[0] * x,
    "reshaped by the method": lambda x: x.reshape(large(x), -1) * 2.0,
    "broadcast": lambda x: np.broadcast_to(x, (large(x), 2, 3)).size * x,
    "axes": lambda x: np.sum(x[None], axis=(0, large(x) - 1)),
    "places": lambda x: np.where(x[0] > 1.0)[0].size * x,
    "number as a mask": lambda x: x[x[0, 0] < 1.5].size * x,
}


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_that_depend_on_values(name, first):
    """A program that reads one may be told another one at another call."""
    rows = [2.0, 0.0, 0.0], [2.5, 0.0, 0.5], [2.0, 3.0, 0.0], [2.0, 3.0, 4.0], [1.2, 1.1, 1.3]
    points = [(np.array([row, [1.0, 2.0, 3.0]]),) for row in rows]
    agrees(SHAPES[name], points[first:] + points[:first])


def test_writing_functions():
    """They write into their first argument."""
    assert writes_into(np.copyto)
    assert not writes_into(np.sum)


def test_functions_that_call_no_other():
    """Not those whose ufunc was made of a function in Python."""
    assert all(map(calls_nobody, (np.add, np.sum, math.sin, operator.mul, operator.getitem)))
    assert not calls_nobody(np.frompyfunc(abs, 1, 1))
    assert not calls_nobody(sorted)
