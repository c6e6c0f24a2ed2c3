"""The rules of quantiles and medians, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, check_zeros_are_strong, normal, positive

CUBE = normal(2, 3, 2)
CONTINUOUS = [
    "linear",
    "weibull",
    "hazen",
    "interpolated_inverted_cdf",
    "median_unbiased",
    "normal_unbiased",
]
JUMPING = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]


@pytest.mark.parametrize("method", CONTINUOUS + JUMPING)
@pytest.mark.parametrize("f", [np.quantile, np.nanquantile])
def test_methods(f, method):
    """By the numbers and by the fraction, whether that lies between two numbers or beyond them all."""
    check_rule(f, CUBE[0], np.array([[0.13], [0.58]]), axis=0, method=method)


@pytest.mark.parametrize("method", ["linear", "weibull", "inverted_cdf"])
@pytest.mark.parametrize("f", [np.percentile, np.nanpercentile])
def test_percentile(f, method):
    """The derivative by a percentage is a hundredth of that by the fraction."""
    check_rule(f, normal(5), 37.0, method=method)


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": -1}, {"axis": (0, 2), "keepdims": True}])
@pytest.mark.parametrize("q", [0.3, np.array([0.1, 0.6])])
def test_quantile(q, options):
    """Over axes of every kind; the fractions' axes come first in the result."""
    check_rule(np.quantile, CUBE, q, **options)


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": -1}, {"axis": (0, 2), "keepdims": True}])
@pytest.mark.parametrize("f", [np.median, np.nanmedian])
def test_median(f, options):
    """Of even and odd numbers of elements."""
    check_rule(f, CUBE, **options)
    check_rule(f, normal(3, 5), **options if options.get("axis") != (0, 2) else {})


def test_all_axes_in_another_order():
    """All axes, as a tuple that is not sorted, are the array as a whole."""
    check_rule(np.median, CUBE, axis=(2, 0, 1))
    check_rule(np.quantile, CUBE, np.array([0.1, 0.6]), axis=(-1, 0, 1))


@pytest.mark.parametrize("x", [1.5, np.array(1.5), normal(4), normal(6)[::2], np.arange(4)])
def test_median_of_other_operands(x):
    """Numbers, arrays without axes, views, integers."""
    check_rule(np.median, x)


def test_single_precision():
    """The precision of the numbers is kept, where NumPy keeps it."""
    check_rule(np.median, normal(4, dtype=np.float32))
    check_rule(np.quantile, normal(4, dtype=np.float32), 0.3)


def test_options_by_position():
    """Each option gets a cotangent."""
    check_rule(np.median, CUBE, 0, None, False, True)
    check_rule(np.quantile, CUBE, 0.3, 0, None, False, "hazen", True)


@pytest.mark.parametrize(
    ("f", "q"),
    [
        *((np.median, ()), (np.nanmedian, ()), (np.quantile, (0.5,)), (np.nanquantile, (0.5,))),
        *((np.percentile, (50.0,)), (np.nanpercentile, (50.0,))),
    ],
)
def test_input_is_not_overwritten(f, q):
    """That it may be is not made use of: the derivative needs it."""
    x = np.array([3.0, 1.0, 2.0])

    assert rrule(f, x, *q, overwrite_input=True)[1](1.0)[1].tolist() == [0.0, 0.0, 1.0]
    assert x.tolist() == [3.0, 1.0, 2.0]


def test_several_fractions_in_a_list():
    """Their cotangent is that of a list."""
    test_frule(np.quantile, CUBE, [0.1, 0.6])
    test_rrule(np.percentile, CUBE, [10.0, 60.0], 1)
    q_bar = unthunk(rrule(np.quantile, np.array([0.0, 1.0]), [0.1, 0.6])[1](np.ones(2))[2])
    assert q_bar == Tangent[list](1.0, 1.0)


@pytest.mark.parametrize(
    ("f", "weights", "axis"),
    [
        (np.quantile, positive(2, 3, 2), None),
        (np.quantile, positive(3), 1),
        (np.nanquantile, positive(2, 3, 2), 1),
    ],
)
def test_weights(f, weights, axis):
    """A weighted quantile is one of the numbers."""
    check_rule(f, CUBE, np.array([0.2, 0.7]), axis, method="inverted_cdf", weights=weights)


@pytest.mark.parametrize("f", [np.percentile, np.nanpercentile])
def test_weights_of_percentiles(f):
    """As those of quantiles."""
    check_rule(f, CUBE[0, 0], 30.0, method="inverted_cdf", weights=np.abs(CUBE[0, 1]))


def test_weights_with_nans():
    """A NaN has no place among the numbers that a weighted quantile is picked from."""
    x, w = np.array([3.0, np.nan, 1.0, 2.0]), np.array([1.0, 9.0, 1.0, 1.0])

    y, pullback = rrule(np.nanquantile, x, 0.5, method="inverted_cdf", weights=w)
    assert (y, pullback(1.0)[1].tolist()) == (2.0, [0.0, 0.0, 0.0, 1.0])


@pytest.mark.parametrize(("q", "slope"), [(0.0, 2.0), (0.5, 5.0), (1.0, 8.0)])
def test_slope_at_a_number(q, slope):
    """Where the slope by the fraction jumps, it is the mean of both sides; at the ends that of one side."""
    assert unthunk(rrule(np.quantile, np.array([0.0, 1.0, 5.0]), q)[1](1.0)[2]) == slope


@pytest.mark.parametrize("q", [0.0, 0.1, 0.9, 1.0])
def test_slope_beyond_the_numbers(q):
    """A quantile that is cut off at an end does not change with the fraction."""
    x = np.array([0.0, 1.0, 5.0])

    assert unthunk(rrule(np.quantile, x, q, method="weibull")[1](1.0)[2]) == 0.0


@pytest.mark.parametrize(
    ("q", "expected"), [(25, [0, 1, 0, 0, 0]), (0, [1, 0, 0, 0, 0]), (100, [0, 0, 0, 0, 1])]
)
def test_percentile_that_is_a_number(q, expected):
    """All of the derivative is that number's; an integer fraction is as good as a real one."""
    y, pullback = rrule(np.percentile, np.arange(5.0), q)

    assert pullback(1.0)[1].tolist() == expected
    assert frule((NoTangent(), np.array(expected) * 2.0, NoTangent()), np.percentile, np.arange(5.0), q) == (
        y,
        2.0,
    )


@pytest.mark.parametrize("x", [np.array([1.0, 2.0, 2.0, 3.0]), np.ones(3), np.ones(4)])
def test_median_with_ties(x):
    """Whichever of equal numbers are picked, their shares sum to one, and none is that of another number."""
    x_bar = rrule(np.median, x)[1](1.0)[1]

    assert np.sum(x_bar) == 1.0
    assert np.all(x_bar[x != np.median(x)] == 0)
    assert np.count_nonzero(x_bar) == 2 - len(x) % 2


def test_a_nan_gets_the_cotangent():
    """The median is the NaN, whatever the other elements are."""
    x = np.array([[1.0, np.nan, 2.0], [3.0, 1.0, 2.0]])

    assert rrule(np.median, x, axis=1)[1](np.ones(2))[1].tolist() == [[0, 1, 0], [0, 0, 1]]
    assert rrule(np.quantile, x, 0.2)[1](1.0)[1].tolist() == [[0, 1, 0], [0, 0, 0]]


def test_nans_are_left_out():
    """A quantile of the numbers of each slice, of which there may be different many."""
    x = np.array([[1.0, np.nan, 2.0, 5.0], [np.nan, 1.0, np.nan, 2.0], [4.0, 3.0, 1.0, 2.0]])
    for method in ("linear", "nearest"):
        x_bar = rrule(np.nanquantile, x, 0.3, axis=1, method=method)[1](np.ones(3))[1]
        q_bar = unthunk(rrule(np.nanquantile, x, 0.3, axis=1, method=method)[1](np.ones(3))[2])
        each = [rrule(np.quantile, row[~np.isnan(row)], 0.3, method=method)[1](1.0) for row in x]
        for actual, row, (_, expected, _) in zip(x_bar, x, each, strict=True):
            np.testing.assert_allclose(actual[~np.isnan(row)], expected)
            np.testing.assert_array_equal(actual[np.isnan(row)], 0.0)
        np.testing.assert_allclose(q_bar, sum(unthunk(cotangents[2]) for cotangents in each))
    np.testing.assert_array_equal(rrule(np.nanmedian, x, axis=1)[1](np.ones(3))[1][1], [0, 0.5, 0, 0.5])


@pytest.mark.filterwarnings("ignore:All-NaN", "ignore:Mean of empty", "ignore:invalid value")
def test_nothing_but_nans_has_no_derivative():
    """Where all numbers are left out, and where there are none."""
    x = np.array([[np.nan, 1.0], [np.nan, 2.0]])

    for f in (np.nanmedian, lambda x, axis: np.nanquantile(x, 0.5, axis=axis)):
        assert np.isnan(f(x, axis=0)[0])
    assert rrule(np.nanmedian, x, axis=0)[1](np.ones(2))[1].tolist() == [[0.0, 0.5], [0.0, 0.5]]
    assert frule((NoTangent(), np.ones((2, 2))), np.nanmedian, x, axis=0)[1].tolist() == [0.0, 1.0]
    assert rrule(np.median, np.zeros((0, 3)), axis=0)[1](np.ones(3))[1].shape == (0, 3)
    np.testing.assert_array_equal(
        frule((NoTangent(), np.zeros((0, 3))), np.median, np.zeros((0, 3)), axis=0)[1], 0
    )


def test_without_tangents():
    """Zero tangents give a zero one; each alone contributes its part."""
    assert frule((NoTangent(), ZeroTangent()), np.median, CUBE)[1] == ZeroTangent()
    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), np.quantile, CUBE, 0.3)[1] == ZeroTangent()
    x = np.array([0.0, 1.0])
    assert frule((NoTangent(), ZeroTangent(), 2.0), np.quantile, x, 0.3)[1] == 2.0
    assert frule((NoTangent(), np.ones(2), ZeroTangent()), np.quantile, x, 0.3)[1] == 1.0


@pytest.mark.parametrize(("f", "args"), [(np.quantile, (0.5,)), (np.median, ())])
def test_out_is_refused(f, args):
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"np\..*out=.*cannot be differentiated"):
        rrule(f, normal(3), *args, out=np.array(0.0))


def test_options_that_are_not_given():
    """NumPy has a mark of its own for it, which a caller may pass on."""
    check_rule(np.nanmedian, CUBE, axis=0, keepdims=np._NoValue)
    check_rule(np.nanquantile, CUBE, 0.3, axis=0, keepdims=np._NoValue)


def test_the_order_of_many_numbers_does_not_matter():
    """Neither for the numbers' derivatives, which move with them, nor for that of `q` at one of them."""
    x = normal(201)
    order = np.argsort(x)

    _, x_bar, q_bar = rrule(np.quantile, x, 0.5)[1](1.0)
    _, sorted_bar, expected = rrule(np.quantile, x[order], 0.5)[1](1.0)
    np.testing.assert_array_equal(x_bar[order], sorted_bar)
    assert unthunk(q_bar) == unthunk(expected)


def test_undefined_quantiles_that_nothing_depends_on():
    """Their zero cotangents are strong, for the fractions too."""
    x = normal(3, 4)
    x[1, 0] = np.nan
    check_zeros_are_strong(np.quantile, x, np.array([0.2, 0.7]), 1)
