"""Neighbours along an axis, and their adjoints."""

import numpy as np
import pytest

from chainrules.formulas.arrays.neighbours import differences_back, neighbours, neighbours_back, zero_padded
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_differences(axis, n):
    """``<y_bar, diff(x)> = <x_bar, x>``, also where nothing is left."""
    x = normal(4, 3)
    y = np.diff(x, n, axis)
    y_bar = normal(*y.shape, seed=1)
    x_bar = differences_back(y_bar, x.shape[axis], axis, n)

    assert x_bar.shape == x.shape
    assert np.vdot(x_bar, x) == pytest.approx(np.vdot(y_bar, y))


@pytest.mark.parametrize("axis", [0, -1])
def test_neighbours(axis):
    """All but the last and all but the first, and back."""
    x = normal(3, 2)
    first, second = neighbours(x, axis)
    bars = normal(*first.shape, seed=1), normal(*first.shape, seed=2)

    np.testing.assert_array_equal(second - first, np.diff(x, axis=axis))
    assert np.vdot(neighbours_back(*bars, axis), x) == pytest.approx(
        np.vdot(bars[0], first) + np.vdot(bars[1], second)
    )


def test_one_element():
    """It has no neighbour."""
    nothing = np.zeros((0, 2))

    np.testing.assert_array_equal(neighbours_back(nothing, nothing, 0), np.zeros((1, 2)))


def test_zeros():
    """A zero stays one."""
    assert differences_back(ZeroTangent(), 3) == ZeroTangent()


def test_zero_padded():
    """Zeros are added along one axis."""
    np.testing.assert_array_equal(zero_padded(np.ones((1, 2)), 1, 2, 0), [[0, 0], [1, 1], [0, 0], [0, 0]])
