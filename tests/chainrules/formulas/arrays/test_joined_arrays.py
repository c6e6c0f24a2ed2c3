"""Parts of the cotangents of joined arrays."""

import numpy as np
import pytest

from chainrules.formulas.arrays.joined_arrays import pull_joined
from chainrules_core import DimensionMismatchError, Tangent, ZeroTangent

PARTS = [((2,), slice(0, 2)), ((1,), slice(2, 3))]


def test_pull_joined():
    """Each array has its part, in its own precision; numbers have the shape of numbers."""
    xs = [np.ones(2, dtype=np.float32), np.ones(1)]
    first, second = pull_joined(xs, (3,), PARTS, np.array([1.0, 2.0, 3.0]))

    assert first.dtype == np.float32
    np.testing.assert_array_equal(first, [1, 2])
    np.testing.assert_array_equal(second, [3])


def test_the_container_is_kept():
    """A tuple has the tangent of a tuple, an array an array."""
    y_bar = np.arange(4.0)
    parts = [((2,), slice(0, 2)), ((2,), slice(2, 4))]

    assert isinstance(pull_joined((np.ones(2), np.ones(2)), (4,), parts, y_bar), Tangent[tuple])
    np.testing.assert_array_equal(pull_joined(np.ones((2, 2)), (4,), parts, y_bar), [[0, 1], [2, 3]])


def test_zeros_and_other_shapes():
    """Zeros are zeros of all parts; a cotangent in another shape is refused."""
    assert list(pull_joined([np.ones(2), np.ones(1)], (3,), PARTS, ZeroTangent())) == [ZeroTangent()] * 2
    with pytest.raises(DimensionMismatchError, match="have"):
        pull_joined([np.ones(2), np.ones(1)], (3,), PARTS, np.ones(4))
