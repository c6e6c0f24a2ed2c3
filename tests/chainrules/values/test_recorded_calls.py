"""Calls that are one line of a recorded program."""

import numpy as np

from chainrules.ad import compiled
from chainrules.values.recorded_calls import in_one_line

by_rows = in_one_line(np.ascontiguousarray)


def test_calls():
    """They are the function's own, and are recorded where a value is."""
    assert by_rows([1.0]).flags.c_contiguous
    c = compiled(lambda x: 2.0 * by_rows(x.T), strict=True)
    for x in (np.ones((2, 3)), np.arange(6.0).reshape(2, 3)):
        np.testing.assert_array_equal(c(x), 2.0 * x.T)
    assert "np.ascontiguousarray(" in c.source(np.ones((2, 3)))
