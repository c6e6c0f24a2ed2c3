"""The signature of a call."""

import numpy as np
import pytest

from chainrules.ad.recording.signature import UnknownArgumentError, leaves_of, repeated, with_leaves

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case


def signature(x):
    """Of one argument."""
    return leaves_of(x, [])


@pytest.mark.parametrize(
    ("x", "y", "same"),
    [
        (1.0, 2.0, True),
        (1.0, np.float64(1.0), False),
        (1, 2, False),
        (True, 1, False),
        ("a", "b", False),
        (np.ones(2), np.zeros(2), True),
        (np.ones(2), np.ones(3), False),
        (np.ones(2), np.ones(4)[::2], False),
        (np.ones(2), np.ones(2, np.float32), False),
        ([1.0], (1.0,), False),
        ({"a": 1.0, "b": 2.0}, {"b": 1.0, "a": 2.0}, False),
        ({"a": [np.ones(2)]}, {"a": [np.zeros(2)]}, True),
        (np.int64(1), 1, False),
    ],
)
def test_what_is_part_of_it(x, y, same):
    """Structure, kinds of numbers and arrays, and the values of everything else."""
    assert (signature(x) == signature(y)) is same
    hash(signature(x))


@pytest.mark.parametrize(
    "x", [object(), np.array(["a"]), np.ones(2).astype(">f8"), {1.5: 2}, {1, 2}, np.ma.ones(2)]
)
def test_unknown_arguments(x):
    """They are refused."""
    with pytest.raises(UnknownArgumentError):
        signature(x)


def test_leaves():
    """They are taken out and put back in one order."""
    x = np.ones(2)
    given = {"a": [x, 1], "b": (2.0, x)}
    leaves = []
    leaves_of(given, leaves)
    assert len(leaves) == 3
    assert repeated(leaves) == (0, 1, 0)
    assert with_leaves(given, iter("xyz")) == {"a": ["x", 1], "b": ("y", "z")}
