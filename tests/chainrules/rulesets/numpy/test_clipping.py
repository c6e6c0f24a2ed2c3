"""The rules of clipping, against finite differences, and their conventions."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, normal, within

NAN, INF = np.nan, np.inf
X = np.array([-1.5, -0.5, 0.5, 1.5])


def test_inside():
    """Both modes are right between the bounds."""
    check_elementwise(np.clip, within(-0.9, 0.9), a_min=-1.0, a_max=1.0)


@pytest.mark.parametrize(
    ("x", "bounds"),
    [
        (X, (-1.0, 1.0)),
        (X, (None, 1.0)),
        (X, (-1.0, None)),
        (X, (-1, 1)),
        (X, (np.float32(-1.0), np.float32(1.0))),
        (X.astype(np.float32), (-1.0, 1.0)),
        (X[:, None], (np.array([-1.0, -0.2]), np.array(1.0))),
        (2.0, (normal(3), 1.0)),
        (0.5, (normal(3) - 2.0, normal(3) + 2.0)),
        (2.0, (0.0, 1.0)),
        (-2.0, (0.0, 1.0)),
        (0.3, (0.0, 1.0)),
        (np.float32(2.0), (0.0, 1.0)),
        (np.array(0.3), (0.0, 1.0)),
        (np.zeros((0, 3)), (-1.0, np.ones(3))),
        (X, (1.0, -1.0)),
        (X + 1j, (-1.0 + 0j, 1.0 + 0j)),
    ],
)
def test_both_sides_of_the_bounds(x, bounds):
    """Elements away from the bounds; bounds that broadcast, are missing, or exclude each other."""
    check_rule(np.clip, x, *bounds)


@pytest.mark.parametrize("bounds", [{"a_min": -1.0, "a_max": 1.0}, {"a_min": None, "a_max": 1.0}])
def test_bounds_by_keyword(bounds):
    """As NumPy names them."""
    check_rule(np.clip, X, **bounds)


@pytest.mark.parametrize("bounds", [{"min": -1.0, "max": 1.0}, {"min": -1.0}, {"max": 1.0}, {}])
def test_bounds_by_their_short_names(bounds):
    """As the array API names them; without bounds nothing is clipped."""
    check_rule(np.clip, X, **bounds)


def test_casting():
    """It forbids conversions, and changes no result."""
    check_rule(np.clip, X, -1.0, 1.0, casting="no")
    with pytest.raises(TypeError, match="casting rule 'no'"):
        rrule(np.clip, X, np.float32(-1.0), 1.0, casting="no")


def test_element_on_a_bound():
    """It is inside, and gets the cotangent; the bound gets nothing."""
    _, x_bar, low_bar, high_bar = rrule(np.clip, np.array([-1.0, 1.0]), -1.0, 1.0)[1](np.ones(2))

    np.testing.assert_array_equal(x_bar, [1.0, 1.0])
    assert low_bar == high_bar == 0.0
    dots = (NoTangent(), np.ones(2), 10.0, 100.0)
    np.testing.assert_array_equal(frule(dots, np.clip, np.array([-1.0, 1.0]), -1.0, 1.0)[1], [1.0, 1.0])


def test_nan():
    """What the result is gets the cotangent: the element that is NaN, or the bound that is."""
    assert rrule(np.clip, NAN, 0.0, 1.0)[1](1.0)[1:] == (1.0, 0.0, 0.0)
    assert rrule(np.clip, 0.5, NAN, 1.0)[1](1.0)[1:] == (0.0, 1.0, 0.0)
    assert rrule(np.clip, 0.5, 0.0, NAN)[1](1.0)[1:] == (0.0, 0.0, 1.0)


def test_what_is_clipped_is_masked():
    """An infinite cotangent outside of the bounds leaves no NaN."""
    x_bar = rrule(np.clip, np.array([0.5, 2.0]), 0.0, 1.0)[1](np.array([1.0, INF]))[1]

    np.testing.assert_array_equal(x_bar, [1.0, 0.0])


def test_tangents_that_are_zero():
    """Constant bounds have none; without any tangent there is none of the result."""
    bounds = (NoTangent(), NoTangent())

    np.testing.assert_array_equal(
        frule((NoTangent(), np.ones(4), *bounds), np.clip, X, -1.0, 1.0)[1], [0.0, 1.0, 1.0, 0.0]
    )
    assert frule((NoTangent(), ZeroTangent(), *bounds), np.clip, X, -1.0, 1.0)[1] == ZeroTangent()


@pytest.mark.parametrize(("keyword", "value"), [("out", np.zeros(4)), ("where", X > 0), ("dtype", float)])
def test_keywords_of_ufuncs_are_refused(keyword, value):
    """Nothing is written into, and no element left out."""
    with pytest.raises(TypeError, match=f"{keyword}=.*cannot be differentiated"):
        rrule(np.clip, X, -1.0, 1.0, **{keyword: value})
    with pytest.raises(TypeError, match=f"{keyword}=.*cannot be differentiated"):
        frule((NoTangent(),) * 4, np.clip, X, -1.0, 1.0, **{keyword: value})


# --- nan_to_num ------------------------------------------------------------------------------------


def test_finite_numbers_stay():
    """On real and complex numbers and arrays."""
    check_elementwise(np.nan_to_num, within(-2.0, 2.0), complex_numbers=True)


SPECIAL = np.array([1.5, NAN, INF, -INF])


@pytest.mark.parametrize(
    "options", [(), (True,), (True, 0.5), (True, 0.5, 2.0, -2.0), (True, 0.5, None, -2.0)]
)
def test_what_is_replaced_gets_nothing(options):
    """The replacement gets it, where it was given by position."""
    y_bar = np.array([1.0, 10.0, 100.0, 1000.0])
    _, pullback = rrule(np.nan_to_num, SPECIAL, *options)

    self_bar, x_bar, *option_bars = pullback(y_bar)

    assert self_bar == NoTangent()
    np.testing.assert_array_equal(x_bar, [1.0, 0.0, 0.0, 0.0])
    expected = (NoTangent(), 10.0, 100.0, 1000.0)[: len(options)]
    assert all(
        bar == (NoTangent() if option is None else wanted)
        for bar, option, wanted in zip(option_bars, options, expected, strict=True)
    )
    dots = (NoTangent(), np.ones(4), NoTangent(), 5.0, 6.0, 7.0)[: len(options) + 2]
    moved = [1.0, *(dot if len(options) > n else 0.0 for n, dot in enumerate((5.0, 6.0, 7.0), 1))]
    if None not in options:
        np.testing.assert_array_equal(frule(dots, np.nan_to_num, SPECIAL, *options)[1], moved)


def test_parts_of_complex_numbers_are_replaced_by_themselves():
    """A NaN in the real part does not touch the imaginary part."""
    x = np.array([complex(NAN, 1.0), complex(1.0, INF)])
    y_bar = np.array([1 + 10j, 100 + 1000j])

    _, x_bar, _, nan_bar, inf_bar = rrule(np.nan_to_num, x, True, 0.5, 2.0)[1](y_bar)

    np.testing.assert_array_equal(x_bar, [10j, 100.0])
    assert (nan_bar, inf_bar) == (1.0, 1000.0)
    dots = (NoTangent(), y_bar, NoTangent(), 5.0, 7.0)
    y_dot = frule(dots, np.nan_to_num, x, True, 0.5, 2.0)[1]
    np.testing.assert_array_equal(y_dot, [5 + 10j, 100 + 7j])


@pytest.mark.parametrize(("options", "named"), [((False,), {}), ((), {"copy": False})])
def test_replacing_in_place_is_refused(options, named):
    """The array would change behind the back of whatever else holds it."""
    with pytest.raises(TypeError, match=r"copy=False.*cannot be differentiated"):
        rrule(np.nan_to_num, SPECIAL, *options, **named)


def test_replacements_of_another_precision():
    """The derivative has the precision of the result."""
    check_rule(np.nan_to_num, normal(3, dtype=np.float32), True, 0.5)
