"""Comparing results, and handing them to the caller."""

import numpy as np
import pytest

from chainrules.ad.recording.running import (
    MISS,
    difference_between,
    has_nan,
    is_within,
    owned,
    parts_of,
    same_elements,
)

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case


def test_owned_arrays():
    """Arguments, constants, views and repeated arrays are copied."""
    x, y = np.ones(2), np.zeros(2)
    constant = np.ones(2)
    constant.flags.writeable = False
    out = owned({"a": [x, y, y], "b": (y[:1], constant, 1.5)}, [x])
    a, b = out["a"], out["b"]
    assert a[0] is not x
    assert a[1] is y
    assert a[2] is not y
    assert b[0].base is None
    assert b[1].flags.writeable
    assert b[2] == 1.5


def test_owned_results_with_names():
    """The class stays, and no part is an argument."""
    x = np.ones((2, 2))
    out = owned(np.linalg.eigh(x)._replace(eigenvectors=x), [x])
    assert type(out) is type(np.linalg.eigh(x))
    assert out.eigenvectors is not x


@pytest.mark.parametrize(
    ("y", "plain"),
    [
        (1.0, np.float64(1.0)),
        (np.ones(2), np.ones(3)),
        (np.ones(2), np.ones(2, np.float32)),
        ([1.0], (1.0,)),
        ([1.0], [1.0, 2.0]),
        ({"a": 1.0}, {"b": 1.0}),
        (np.array([1.0, 2.0]), np.array([1.0, 2.001])),
        (np.array([1.0, np.nan]), np.array([1.0, np.inf])),
        (np.array([np.inf]), np.array([-np.inf])),
        (np.array([1, 2]), np.array([1, 3])),
        ("a", "b"),
        (0.0, 1e-300),
    ],
)
def test_differences(y, plain):
    """Class, dtype, shape and values."""
    assert difference_between(y, plain) is not None
    assert difference_between(plain, plain) is None


def test_rounding():
    """The last digits may differ."""
    assert difference_between(np.array([1.0, np.nan]), np.array([1.0 + 1e-15, np.nan])) is None
    assert difference_between(np.zeros(0), np.zeros(0)) is None


@pytest.mark.parametrize(
    "x",
    [
        1.0,
        np.nan,
        np.float32(np.nan),
        np.zeros(0),
        np.array(np.nan),
        np.ones((2, 2)),
        np.array([[1.0], [np.nan]]),
        np.array([1.0, complex(0.0, np.nan)]),
        np.array([np.inf, -np.inf]),
        np.array([1, 2]),
    ],
    ids=repr,
)
def test_looking_for_nan(x):
    """In numbers and arrays of every kind."""
    assert has_nan(x) is bool(np.any(np.isnan(x)))


def test_same_elements():
    """To the bit."""
    assert same_elements(np.int64(3), np.array(3))
    assert not same_elements([1, 2], np.array([1, 3]))
    assert repr(MISS) == "MISS"


@pytest.mark.parametrize("count", [0, 1, 16, 17, 32, 40])
def test_parts(count):
    """All parts of arrays, and memory like them."""
    x, y = np.arange(2.0 * count).reshape(count, 2), np.zeros((count, 1), np.float32)
    for x_part, y_part, spare, other in parts_of(16, x, y, spare=2):
        y_part[...] = x_part[:, 1:] + 1.0
        assert spare.shape == other.shape == y_part.shape
        assert spare.dtype == np.float32
        assert not np.may_share_memory(spare, other)
    np.testing.assert_array_equal(y[:, 0], np.arange(count) * 2.0 + 2.0)


@pytest.mark.parametrize("count", [3, 70_000])
def test_bounds(count):
    """Of arrays of any size and layout: all elements are looked at."""
    x = np.ones((2, count))
    assert is_within(x, 2.0)
    assert is_within(x.T[::2], 2.0)
    for value in (2.0, -2.0, np.nan, np.inf, -np.inf):
        y = x.copy()
        y[1, -1] = value
        assert not is_within(y, 2.0)
        assert not is_within(y.T, 2.0)
