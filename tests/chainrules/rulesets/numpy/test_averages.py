"""The rules of averages, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal, positive

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
    """Where nothing is averaged, no element gets a cotangent, and none moves the result."""
    where = np.array([[True, False], [True, False]])

    x_bar = rrule(np.mean, normal(2, 2), axis=0, where=where)[1](np.ones(2))[1]
    _, y_dot = frule((NoTangent(), np.ones((2, 2))), np.mean, normal(2, 2), axis=0, where=where)

    np.testing.assert_array_equal(x_bar, [[0.5, 0.0], [0.5, 0.0]])
    np.testing.assert_array_equal(y_dot, [1.0, 0.0])


def test_mean_refuses_out():
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"np\.mean.*out=.*cannot be differentiated"):
        rrule(np.mean, normal(3), out=np.array(0.0))


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": (0, 2), "keepdims": True}, {"where": MASK}])
def test_nanmean(options):
    """The mean of the elements that are numbers has right rules."""
    check_rule(np.nanmean, CUBE, **options)


def test_nanmean_counts_numbers_only():
    """A NaN is not counted, and gets no cotangent."""
    x = np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, 6.0]])

    assert rrule(np.nanmean, x)[1](1.0)[1].tolist() == [[0.25, 0.0, 0.25], [0.0, 0.25, 0.25]]
    assert frule((NoTangent(), np.ones((2, 3))), np.nanmean, x, axis=0)[1].tolist() == [1.0, 1.0, 1.0]


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
def test_nanmean_of_nothing_but_nans():
    """The mean is NaN, and nothing has a derivative."""
    x = np.array([[1.0, np.nan], [3.0, np.nan]])

    assert rrule(np.nanmean, x, axis=0)[1](np.ones(2))[1].tolist() == [[0.5, 0.0], [0.5, 0.0]]
    assert frule((NoTangent(), np.ones((2, 2))), np.nanmean, x, axis=0)[1].tolist() == [1.0, 0.0]


WEIGHTS = positive(2, 3, 4, seed=2)
WEIGHTED = [
    ((CUBE,), {}),
    ((CUBE, 1), {}),
    ((CUBE, None, WEIGHTS), {}),
    ((CUBE, (0, -1), WEIGHTS), {"keepdims": True}),
    ((CUBE, 1, WEIGHTS[0, :, 0]), {}),
    ((CUBE, -1, WEIGHTS[0, 0]), {}),
    ((normal(2, 3, 4, dtype=complex), 1, WEIGHTS[0, :, 0]), {}),
    ((CUBE.astype(np.float32), None, WEIGHTS.astype(np.float32)), {}),
    ((CUBE,), {"weights": WEIGHTS, "axis": 0}),
    ((np.arange(4), 0, WEIGHTS[0, 0]), {}),
]


@pytest.mark.parametrize(("args", "options"), WEIGHTED)
def test_average(args, options):
    """By the elements and by the weights, which may have the axes that are averaged over only."""
    check_rule(np.average, *args, **options)


@pytest.mark.parametrize("axis", [(0, 2), (2, 0)])
def test_average_with_weights_of_some_axes(axis):
    """The axes of the weights are in the order in which the axes are named."""
    check_rule(np.average, CUBE, axis, positive(*(CUBE.shape[a] for a in axis)))


@pytest.mark.parametrize("weights", [None, WEIGHTS, WEIGHTS[:, 0, 0]])
def test_average_and_the_sum_of_weights(weights):
    """Both results have a derivative; of the second that is by the weights."""
    test_frule(np.average, CUBE, 0, weights, True)
    test_rrule(np.average, CUBE, 0, weights, True)


@pytest.mark.parametrize("weights", [[1.0, 2.0], (1.0, 2.0), np.array([1.0, 2.0 + 1j]), [1.0, 2.0 + 1j]])
@pytest.mark.parametrize("dtype", [float, complex])
def test_average_with_weights_of_every_kind(weights, dtype):
    """NumPy takes lists and tuples for arrays; complex weights have a complex sum."""
    check_rule(np.average, normal(2, dtype=dtype), None, weights)
    check_rule(np.average, normal(3, 2, dtype=dtype), 1, weights)


def test_average_with_parts_of_a_cotangent():
    """Zeros for either part, and for both."""
    x, w = np.array([1.0, 3.0]), np.array([1.0, 1.0])
    y, pullback = rrule(np.average, x, 0, w, True)

    _, x_bar, _, w_bar, _ = pullback(Tangent[tuple](1.0, ZeroTangent()))
    assert (x_bar.tolist(), unthunk(w_bar).tolist()) == ([0.5, 0.5], [-0.5, 0.5])
    assert pullback(ZeroTangent())[1] == ZeroTangent()
    assert frule((NoTangent(), ZeroTangent()), np.average, x)[1] == ZeroTangent()
    assert y == (2.0, 2.0)


def test_options_that_are_not_given():
    """NumPy has a mark of its own for it, which a caller may pass on."""
    check_rule(np.mean, CUBE, keepdims=np._NoValue, where=np._NoValue)
    check_rule(np.average, CUBE, keepdims=np._NoValue)
