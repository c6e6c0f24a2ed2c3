"""The rules of variances and standard deviations, against finite differences."""

import warnings

import numpy as np
import pytest

from chainrules.ad import call, grad, jacobian
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from tests.chainrules.rule_checks import check_rule, check_zeros_are_strong, normal

CUBE = normal(2, 3, 2)
MASK = np.array([[[True], [False], [True]], [[True], [True], [False]]])
BOTH = [np.var, np.std]

OPTIONS = [
    {},
    {"axis": 0},
    {"axis": -1, "ddof": 1},
    {"axis": (0, 2), "keepdims": True},
    {"where": MASK},
    {"axis": (0, 2), "where": MASK, "ddof": 1},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("f", [*BOTH, np.nanvar, np.nanstd])
def test_variance(f, options):
    """Over axes of every kind, of chosen elements, with lost degrees of freedom."""
    check_rule(f, CUBE, **options)


@pytest.mark.parametrize("f", [*BOTH, np.nanvar, np.nanstd])
@pytest.mark.parametrize("axis", [None, 1])
def test_lost_degrees_of_freedom(f, axis):
    """A float has a derivative."""
    x = normal(2, 3)
    check_rule(f, x, axis, None, None, 0.7)
    slope = (f(x, axis, ddof=0.7 + 1e-6) - f(x, axis, ddof=0.7 - 1e-6)) / 2e-6
    for mode in ("forward", "reverse"):
        actual = jacobian(lambda ddof: call(f, x, axis, ddof=ddof), mode=mode)(0.7)
        np.testing.assert_allclose(actual, slope, rtol=1e-8)


@pytest.mark.parametrize("f", BOTH)
@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": -1, "ddof": 1}])
def test_variance_of_complex_numbers(f, options):
    """The variance is real, and its cotangent's real part is what counts."""
    check_rule(f, normal(2, 4, dtype=complex), **options)
    assert rrule(f, normal(3, dtype=complex))[1](1.0 + 5.0j)[1].tolist() == (
        rrule(f, normal(3, dtype=complex))[1](1.0)[1].tolist()
    )


@pytest.mark.parametrize("f", BOTH)
@pytest.mark.parametrize("x", [normal(3, dtype=np.float32), normal(3, 8)[:, ::2], np.arange(4)])
def test_variance_of_other_operands(f, x):
    """Single precision, views, integers."""
    check_rule(f, x)


@pytest.mark.parametrize("f", BOTH)
def test_variance_with_options_by_position(f):
    """Each option gets a cotangent."""
    check_rule(f, CUBE, -1, None, None, 1, True)


@pytest.mark.parametrize("f", [*BOTH, np.nanvar, np.nanstd])
@pytest.mark.parametrize("x", [CUBE, normal(2, 3, dtype=complex)])
def test_degrees_of_freedom(f, x):
    """The number that is lost may be any, and has a derivative."""
    check_rule(f, x, 0, None, None, 0.7)
    check_rule(f, x, None, None, None, 0.7, True)
    assert (
        grad(lambda ddof: x.real.std(ddof=ddof))(0.5)
        == grad(lambda ddof: np.std(x.real, ddof=ddof))(0.5)
        > 0.0
    )


@pytest.mark.parametrize("f", [*BOTH, np.nanvar, np.nanstd])
def test_variance_with_keywords_of_the_standard(f):
    """`correction` is another name of `ddof`; a mean that is known is a constant."""
    check_rule(f, CUBE, axis=1, correction=1)
    check_rule(f, CUBE, axis=1, mean=np.mean(CUBE, axis=1, keepdims=True))
    check_rule(f, CUBE, mean=0.5)


@pytest.mark.parametrize("x", [np.full(3, 1.5), 1.5, np.array(2.0), np.full((2, 3), 1 + 2j)])
def test_standard_deviation_of_a_constant(x):
    """It has its minimum, zero, and so is its derivative."""
    x_bar = rrule(np.std, x)[1](1.0)[1]

    np.testing.assert_array_equal(x_bar, np.zeros_like(x))
    np.testing.assert_array_equal(frule((NoTangent(), np.ones_like(x)), np.std, x)[1], 0.0)


def test_standard_deviation_of_some_constants():
    """Where one of several is constant, the others have their derivatives."""
    x = np.array([[1.0, 1.0], [0.0, 2.0]])

    x_bar = rrule(np.std, x, axis=1)[1](np.ones(2))[1]

    np.testing.assert_allclose(x_bar, [[0.0, 0.0], [-0.5, 0.5]])


@pytest.mark.parametrize(("f", "f_with_where"), [(np.nanvar, np.var), (np.nanstd, np.std)])
@pytest.mark.parametrize("options", [{}, {"axis": 0, "ddof": 1}, {"axis": 1, "keepdims": True}])
def test_nans_are_left_out(f, f_with_where, options):
    """A NaN neither counts nor gets a cotangent."""
    x = normal(4, 4)
    x[[0, 2], [1, 3]] = np.nan
    y, pullback = rrule(f, x, **options)
    where = ~np.isnan(x)
    x_dot = normal(4, 4, seed=1)

    np.testing.assert_allclose(
        pullback(np.ones_like(y))[1], rrule(f_with_where, x, where=where, **options)[1](np.ones_like(y))[1]
    )
    np.testing.assert_allclose(
        frule((NoTangent(), x_dot), f, x, **options)[1],
        frule((NoTangent(), x_dot), f_with_where, x, where=where, **options)[1],
    )


@pytest.mark.filterwarnings("ignore:Degrees of freedom", "ignore:invalid value", "ignore:divide by zero")
@pytest.mark.parametrize("f", BOTH)
def test_variance_of_nothing(f):
    """There is nothing that could have a cotangent."""
    for x, axis, shape in [(normal(0), None, (0,)), (normal(0, 3), 0, (0, 3)), (normal(0, 3), 1, (0, 3))]:
        y, pullback = rrule(f, x, axis=axis)
        assert pullback(np.ones_like(y))[1].shape == shape


@pytest.mark.parametrize("f", BOTH)
def test_variance_without_tangent(f):
    """A zero tangent gives a zero one."""
    assert frule((NoTangent(), ZeroTangent()), f, CUBE)[1] == ZeroTangent()


@pytest.mark.parametrize("f", BOTH)
def test_variance_refuses_out(f):
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"np\..*out=.*cannot be differentiated"):
        rrule(f, normal(3), out=np.array(0.0))


def test_no_degree_of_freedom():
    """The variance of one number is no number, and so is its derivative, beside others that are numbers."""
    x, where = normal(2, 3), np.array([[True, True, True], [True, False, False]])

    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        _, pullback = rrule(np.var, x, axis=1, ddof=1, where=where)
        x_bar = unthunk(pullback(np.ones(2))[1])

    np.testing.assert_allclose(x_bar[0], x[0] - np.mean(x[0]))
    assert np.isnan(x_bar[1, 0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", BOTH)
def test_elements_that_are_all_left_out(f):
    """None has a cotangent, and none moves the result, which is NaN."""
    x, x_dot, where = normal(2, 3), normal(2, 3), np.array([[True, True, True], [False, False, False]])
    y, pullback = rrule(f, x, axis=1, where=where)
    _, y_dot = frule((NoTangent(), x_dot), f, x, axis=1, where=where)
    assert np.isnan(y[1])
    assert y_dot[1] == 0.0
    x_bar = unthunk(pullback(np.ones(2))[1])
    np.testing.assert_array_equal(x_bar[1], 0.0)
    np.testing.assert_allclose(np.sum(x_bar * x_dot), y_dot[0])


@pytest.mark.parametrize("f", [np.var, np.nanstd])
def test_options_that_are_not_given(f):
    """NumPy has a mark of its own for it, which a caller may pass on."""
    check_rule(f, CUBE, axis=0, mean=np._NoValue, correction=np._NoValue)


@pytest.mark.parametrize(
    ("f", "axis"), [*((f, axis) for f in BOTH for axis in (None, 1)), (np.nanvar, 1), (np.nanstd, 1)]
)
@pytest.mark.parametrize("undefined", [np.nan, np.inf, [-1e308, 1e308, 1e308]])
def test_undefined_lanes_that_nothing_depends_on(f, undefined, axis):
    """Their zero cotangents are strong, as in the branch that `np.where` does not take."""
    x = normal(2, 3)
    x[1] = undefined
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        check_zeros_are_strong(f, x, axis=axis)
        check_zeros_are_strong(f, x, axis, None, None, 0.7)
