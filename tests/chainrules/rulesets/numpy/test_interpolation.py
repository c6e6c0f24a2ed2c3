"""The rules of interpolation, against finite differences."""

import numpy as np
import pytest

from chainrules_core import rrule
from tests.chainrules.rule_checks import check_quickly, check_rule, normal

KNOTS = np.array([0.0, 1.0, 1.5, 3.0])
VALUES = normal(4)
INSIDE = np.array([0.3, 2.0, 1.2, 0.4])
ANYWHERE = np.array([[-1.0, 0.3], [2.0, 5.0]])


@pytest.mark.parametrize("fp", [VALUES, normal(4, dtype=complex)])
@pytest.mark.parametrize("x", [INSIDE, ANYWHERE, 0.3, 5.0, np.array(-1.0), normal(0)])
def test_interp(x, fp):
    """By the points, the knots and their values, inside and beyond the ends."""
    check_rule(np.interp, x, KNOTS, fp)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((-0.5, 0.7), {}),
        ((-0.5, None), {}),
        ((None, 0.7), {}),
        ((-0.5,), {}),
        ((np.float32(-0.5), np.float32(0.7)), {}),
        ((), {"left": -0.5}),
        ((), {"right": 0.7, "left": None}),
    ],
)
def test_ends(args, options):
    """Constants beyond the ends, by which the result can be differentiated too."""
    check_rule(np.interp, ANYWHERE, KNOTS, VALUES, *args, **options)


@pytest.mark.parametrize("x", [INSIDE, ANYWHERE, 7.1, -2.3])
@pytest.mark.parametrize("knots", [KNOTS, np.array([3.15, -0.35, 10.05, 1.75])])
def test_periods(x, knots):
    """Points and knots in any period, in any order; also by the length of the period."""
    check_rule(np.interp, x, knots, VALUES, None, None, 4.2)
    check_rule(np.interp, x, knots, VALUES, period=-4.2)
    check_quickly(np.interp, x, knots, VALUES, None, None, np.float32(4.2))


def test_one_knot():
    """A constant."""
    check_rule(np.interp, ANYWHERE, np.array([1.0]), np.array([2.0]))


def test_at_knots():
    """The slope is that to the right, and at the last knot that to its left."""
    _, pullback = rrule(np.interp, KNOTS, KNOTS, VALUES)
    slopes = np.diff(VALUES) / np.diff(KNOTS)

    np.testing.assert_allclose(pullback(np.ones(4))[1], slopes[[0, 1, 2, 2]])


def test_values_beyond_the_ends_do_not_count_at_the_ends():
    """At the first and the last knot the value is that of the knot, whatever `left` and `right` are."""
    xp, fp = np.array([0.0, 1.0, 2.0]), normal(3)
    _, pullback = rrule(np.interp, np.array([-1.0, 0.0, 2.0, 3.0]), xp, fp, 0.5, 0.7)

    _, _, _, fp_bar, left_bar, right_bar = pullback(np.array([1.0, 10.0, 100.0, 1000.0]))
    np.testing.assert_allclose(fp_bar, [10.0, 0.0, 100.0])
    assert (left_bar, right_bar) == (1.0, 1000.0)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, bool])
def test_knots_of_short_integers(dtype):
    """NumPy takes them for floats: differences do not wrap around."""
    x, knots = np.array([-60.0, 10.3, 60.2]), np.array([-100, 0, 100])
    check_rule(np.interp, x, knots.astype(float), np.array([100, 0, 120]).astype(dtype))
    check_rule(np.interp, x, knots.astype(np.int8), np.array([1.0, 3.0, 2.0]))
