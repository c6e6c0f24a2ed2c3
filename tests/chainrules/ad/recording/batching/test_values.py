"""The value of a function that runs under a trace."""

import numpy as np

from chainrules.ad.recording.batching.values import ValueOf


def _filled(x, *, factor):
    y = np.zeros(3)
    y[0] = x[0] * factor
    return y


def test_the_value_is_that_of_the_function():
    """In plain arrays."""
    y = ValueOf(_filled)(np.ones(3), factor=2.0)
    assert type(y) is np.ndarray
    assert y.tolist() == [2.0, 0.0, 0.0]
