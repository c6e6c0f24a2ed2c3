"""Arrays cropped and padded along an axis."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.formulas.arrays.lengths import with_length
from tests.chainrules.rule_checks import normal

X = normal(3, 4)


@pytest.mark.parametrize(("length", "axis"), [(2, 0), (5, 0), (3, 1), (6, -1), (0, 1)])
def test_with_length(length, axis):
    """The first elements stay; zeros follow; the gradient is that of the elements that stay."""
    y = with_length(X, length, axis)
    n = min(length, X.shape[axis])

    assert y.shape[axis] == length
    np.testing.assert_array_equal(np.take(y, range(n), axis), np.take(X, range(n), axis))
    assert np.all(np.take(y, range(n, length), axis) == 0)
    kept = np.zeros_like(X)
    np.moveaxis(kept, axis, 0)[:n] = 1
    np.testing.assert_array_equal(grad(lambda x: np.sum(with_length(x, length, axis)))(X), kept)


def test_nothing_to_do():
    """An array that fits is not copied."""
    assert with_length(X, 3) is X


def test_precision():
    """Zeros widen nothing."""
    assert with_length(X.astype(np.float32), 5).dtype == np.float32
