"""Which results have the same kind at every call."""

import math
import operator

import numpy as np

from chainrules.ad.recording.recorded import Recorded, record
from chainrules.ad.recording.regular import calls_nobody, has_regular_result, writes_into
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Tape


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
    assert not has_regular_result(np.sum, (x, n), {})
    assert not has_regular_result(operator.pow, (-2.0, 0.5), {})
    assert not has_regular_result(np.nonzero, (x,), {})
    assert not has_regular_result([], (x,), {})


def test_writing_functions():
    """They write into their first argument."""
    assert writes_into(np.copyto)
    assert not writes_into(np.sum)


def test_functions_that_call_no_other():
    """Not those whose ufunc was made of a function in Python."""
    assert all(map(calls_nobody, (np.add, np.sum, math.sin, operator.mul, operator.getitem)))
    assert not calls_nobody(np.frompyfunc(abs, 1, 1))
    assert not calls_nobody(sorted)
