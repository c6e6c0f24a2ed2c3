"""Which operations are the same."""

import numpy as np

from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.repeated import key_of_step, key_within

X = np.array([1.0, 2.0])


def keys(f):
    """What each operation has in common with those of the same result."""
    return [key_of_step(step, lambda x: x._slot) for step in record_program(f, (X,), {}).tape.steps]


def test_operands_in_another_order():
    """Sums and products commute; differences do not, nor do products of complex numbers."""
    first, second = keys(lambda x: (x * 2.0, 2.0 * x))
    assert first == second
    first, second = keys(lambda x: (x - 2.0, 2.0 - x))
    assert first != second
    _, first, second = keys(lambda x: [z * 2.0 for z in [x * 1j]] + [x * 1j * 2.0])[:3]
    assert first != second


def test_new_arrays():
    """They are made anew each time."""
    assert keys(lambda x: (np.copy(x), np.zeros_like(x))) == [None, None]


def test_parts_of_arguments():
    """Constants by their class and digits, arrays by what they are, containers by their parts."""
    key = lambda x: key_within(None, x)  # noqa: E731 - short
    assert key(0.0) != key(-0.0)
    assert key(1) != key(True)
    assert key(1) != key(1.0)
    assert key([1, slice(0, 2)]) == key([1, slice(0, 2)]) != key((1, slice(0, 2)))
    assert key({"axis": 0}) == key({"axis": 0}) != key({"axis": 1})
    assert key(X) == key(X) != key(X.copy())
