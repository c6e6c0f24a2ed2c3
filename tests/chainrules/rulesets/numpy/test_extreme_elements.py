"""The rules of the greatest and the least element, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.structured_checks import check_symmetric

CUBE = normal(2, 3, 2)
MASK = np.array([[[True, False]], [[True, True]]])
EXTREMA = [np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin]

OPTIONS = [
    {},
    {"axis": 0},
    {"axis": -1},
    {"axis": (0, 2)},
    {"axis": (-1, 0), "keepdims": True},
    {"axis": ()},
    {"initial": 0.1, "axis": 1},
    {"initial": 0.1, "where": MASK, "axis": 1},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("f", EXTREMA)
def test_extremum(f, options):
    """Over axes of every kind, of chosen elements, from a start that may be the extremum."""
    check_rule(f, CUBE, **options)


@pytest.mark.parametrize("options", OPTIONS[:5])
def test_range(options):
    """The cotangent goes to the greatest element, and its negative to the least."""
    check_rule(np.ptp, CUBE, **options)


@pytest.mark.parametrize(
    "x", [1.5, np.array(1.5), normal(3, 8)[:, ::2], normal(3, dtype=np.float32), np.arange(4)]
)
@pytest.mark.parametrize("f", [np.max, np.min, np.ptp])
def test_extremum_of_other_operands(f, x):
    """Numbers, arrays without axes, views, single precision, integers."""
    check_rule(f, x)


def test_extremum_of_complex_numbers():
    """Complex numbers are ordered by their real parts first."""
    check_rule(np.max, normal(4, dtype=complex))


def test_extremum_of_no_elements():
    """Nothing has no maximum, unless there is a start; no slices have none either."""
    check_rule(np.max, normal(0, 3), axis=1)
    check_rule(np.max, normal(0), initial=1.5)
    with pytest.raises(ValueError, match="zero-size array"):
        rrule(np.max, normal(0))


def test_extremum_with_options_by_position():
    """Each option gets a cotangent; the start gets that of the results that it is."""
    check_rule(np.max, CUBE, -1, None, True)
    check_rule(np.max, CUBE, 1, None, False, 0.1)
    check_rule(np.min, CUBE, None, None, False, -10.0)
    check_rule(np.ptp, CUBE, -1, None, True)


TIED = np.array([[3.0, 1.0, 3.0], [3.0, 0.0, 1.0]])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [[1 / 3, 0, 1 / 3], [1 / 3, 0, 0]]),
        ({"axis": 0}, [[0.5, 1, 1], [0.5, 0, 0]]),
        ({"axis": 1}, [[0.5, 0, 0.5], [1, 0, 0]]),
        ({"axis": 1, "initial": 3.0}, [[1 / 3, 0, 1 / 3], [0.5, 0, 0]]),
        ({"where": np.array([True, True, False]), "initial": 0.0}, [[0.5, 0, 0], [0.5, 0, 0]]),
    ],
)
@pytest.mark.parametrize("f", [np.max, np.amax, np.nanmax])
def test_ties_share_equally(f, options, expected):
    """Equal elements share the derivative of the extremum, in both modes; so does an equal start."""
    y, pullback = rrule(f, TIED, **options)
    x_dot = normal(2, 3)

    x_bar = pullback(np.ones_like(y))[1]
    np.testing.assert_allclose(x_bar, expected)
    np.testing.assert_allclose(
        np.sum(frule((NoTangent(), x_dot), f, TIED, **options)[1]), np.sum(x_bar * x_dot)
    )


def test_ties_of_minimum_and_range_share_equally():
    """As those of the maximum."""
    np.testing.assert_allclose(rrule(np.min, -TIED)[1](1.0)[1], rrule(np.max, TIED)[1](1.0)[1])
    np.testing.assert_allclose(rrule(np.ptp, np.array([1.0, 1.0, 2.0]))[1](1.0)[1], [-0.5, -0.5, 1.0])
    np.testing.assert_array_equal(rrule(np.ptp, np.ones(3))[1](1.0)[1], np.zeros(3))


def test_a_tied_start_shares():
    """The cotangent of a start given by position is its share."""
    cotangents = rrule(np.max, np.array([1.0, 2.0]), None, None, False, 2.0)[1](1.0)

    assert cotangents[1].tolist() == [0.0, 0.5]
    assert cotangents[-1] == 0.5
    tangents = (NoTangent(), np.zeros(2), *(NoTangent(),) * 3, 1.0)
    assert frule(tangents, np.max, np.array([1.0, 2.0]), None, None, False, 2.0)[1] == 0.5


@pytest.mark.parametrize("f", [np.max, np.min])
def test_a_nan_gets_the_cotangent(f):
    """The extremum is the NaN, whatever the other elements are; several share."""
    one, two = np.array([1.0, np.nan, 2.0]), np.array([np.nan, 1.0, np.nan])

    assert rrule(f, one)[1](1.0)[1].tolist() == [0.0, 1.0, 0.0]
    assert rrule(f, two)[1](1.0)[1].tolist() == [0.5, 0.0, 0.5]
    assert frule((NoTangent(), np.array([1.0, 10.0, 100.0])), f, one)[1] == 10.0


def test_a_nan_is_ignored():
    """By the functions that are there for it."""
    x = np.array([1.0, np.nan, 2.0])

    assert rrule(np.nanmax, x)[1](1.0)[1].tolist() == [0.0, 0.0, 1.0]
    assert rrule(np.nanmin, x)[1](1.0)[1].tolist() == [1.0, 0.0, 0.0]


@pytest.mark.filterwarnings("ignore:All-NaN")
def test_nothing_but_nans_has_no_derivative():
    """Where all elements are ignored, none gets a cotangent."""
    x = np.array([[np.nan, 1.0], [np.nan, 2.0]])

    assert rrule(np.nanmax, x, axis=0)[1](np.ones(2))[1].tolist() == [[0.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("f", [np.max, np.ptp])
def test_extremum_without_tangent(f):
    """A zero tangent gives a zero one."""
    assert frule((NoTangent(), ZeroTangent()), f, CUBE)[1] == ZeroTangent()


@pytest.mark.parametrize("f", [np.max, np.ptp])
def test_extremum_refuses_out(f):
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"np\..*out=.*cannot be differentiated"):
        rrule(f, normal(3), out=np.array(0.0))


@pytest.mark.parametrize("f", [np.max, np.nanmin, np.ptp], ids=lambda f: f.__name__)
def test_symmetric_matrices(f):
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(f)


@pytest.mark.parametrize("f", [np.max, np.nanmin])
def test_options_that_are_not_given(f):
    """NumPy has a mark of its own for it, which a caller may pass on."""
    check_rule(f, CUBE, axis=0, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue)
