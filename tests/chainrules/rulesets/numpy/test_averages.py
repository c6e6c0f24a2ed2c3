"""The rules of averages, against finite differences."""

import numpy as np
import pytest

from chainrules_core import rrule
from tests.chainrules.rule_checks import check_rule, normal

CUBE = normal(2, 3, 4)
MASK = np.array([True, False, True, True])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"axis": 0},
        {"axis": -1},
        {"axis": (0, 2)},
        {"axis": (-1, 0), "keepdims": True},
        {"keepdims": True},
        {"where": MASK},
        {"axis": (0, 2), "where": MASK},
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, complex])
def test_mean(dtype, options):
    """Means over axes of every kind, of chosen elements."""
    check_rule(np.mean, CUBE.astype(dtype), **options)


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), np.array(1.5), normal(3, 8)[:, ::2], np.arange(4)])
def test_mean_of_other_operands(x):
    """Numbers, arrays without axes, views, integers."""
    check_rule(np.mean, x)


def test_mean_with_options_by_position():
    """Each option gets a cotangent."""
    check_rule(np.mean, CUBE, -1, None, None, True)


def test_mean_in_another_precision():
    """The cotangent has the precision of the argument."""
    check_rule(np.mean, normal(3, dtype=np.float32), dtype=np.float64)


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
def test_mean_of_nothing():
    """The mean of no elements is NaN, and there is nothing that could have a cotangent."""
    for x, axis, shape in [(normal(0), None, (0,)), (normal(0, 3), 0, (0, 3)), (normal(0, 3), 1, (0, 3))]:
        y, pullback = rrule(np.mean, x, axis=axis)
        assert pullback(np.ones_like(y))[1].shape == shape


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
def test_mean_of_elements_that_are_all_left_out():
    """Where nothing is averaged, no element gets a cotangent."""
    where = np.array([[True, False], [True, False]])

    x_bar = rrule(np.mean, normal(2, 2), axis=0, where=where)[1](np.ones(2))[1]

    np.testing.assert_array_equal(x_bar, [[0.5, 0.0], [0.5, 0.0]])


def test_mean_refuses_out():
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"np\.mean.*out=.*cannot be differentiated"):
        rrule(np.mean, normal(3), out=np.array(0.0))
