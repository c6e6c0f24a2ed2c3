"""Short descriptions of values."""

import functools

import numpy as np
import pytest
from scipy import sparse

from chainrules.ad.values.summaries import summary
from chainrules_core.structured import Diagonal


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (1.0, "1"),
        (1 / 3, "0.333333"),
        (np.float32(0.5), "0.5"),
        (1 + 2j, "1+2j"),
        (3, "3"),
        (np.int64(3), "3"),
        (np.array(2.5), "2.5"),
        (np.ones((3, 4)), "float64[3, 4]"),
        (np.ones(0, "float32"), "float32[0]"),
        (np.array(None), "object[]"),
        ((1.0, np.ones(2)), "(1, float64[2])"),
        ((1.0,), "(1,)"),
        ([1.0, "a"], "[1, 'a']"),
        ({"w": np.ones(2)}, "{'w': float64[2]}"),
        (sparse.csr_array(np.eye(2)), "csr_array float64[2, 2]"),
        (sparse.coo_array(np.float64(1.0).reshape(1)), "coo_array float64[1]"),
        (Diagonal(np.ones(2)), "Diagonal float64[2, 2]"),
        (np.sin, "numpy.sin"),
        (functools.partial(np.sum, axis=0), "an instance of functools.partial"),
        (slice(None, 2), "slice(None, 2, None)"),
        ("text " * 10, "str"),
        ("t" * 22, repr("t" * 22)),
        ("t" * 23, "str"),
        (None, "None"),
    ],
)
def test_summaries(x, expected):
    """Numbers are written out, arrays by dtype and shape, containers by what they hold."""
    assert summary(x) == expected
