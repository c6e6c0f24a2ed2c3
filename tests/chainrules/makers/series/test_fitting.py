"""The rules of least squares fits, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, NotImplementedTangent, frule, rrule
from tests.chainrules.makers.series.bases import in_every_basis
from tests.chainrules.rule_checks import check_quickly, check_rule_in_double, normal, positive

X = np.array([-0.9, -0.4, 0.1, 0.5, 0.8, 1.3])
Y = normal(6)
W = positive(6)


@in_every_basis
@pytest.mark.parametrize("deg", [0, 2, 3, np.array([0, 2]), np.array([3, 1])], ids=str)
def test_fits(basis, deg):
    """By points and values, of all powers up to a degree, or of some."""
    check_quickly(basis.primal("fit"), X, Y, deg)
    check_quickly(basis.primal("fit"), X, Y, deg, None, False, W)


@in_every_basis
def test_fits_of_several_columns(basis):
    """Each is fitted by itself, at the same points and with the same weights."""
    check_quickly(basis.primal("fit"), X, normal(6, 2), 2)
    check_quickly(basis.primal("fit"), X, normal(6, 2), 2, None, False, W)
    check_quickly(basis.primal("fit"), X, normal(6, dtype=complex), 2)
    check_quickly(basis.primal("fit"), X, Y, 2, w=W)


@in_every_basis
def test_complex_weights(basis):
    """Real points, values and weights have real cotangents beside complex ones."""
    complex_weights, complex_values = W + 0.3j * normal(6, seed=1), normal(6, dtype=complex)
    for x, y, w in ((X, Y, complex_weights), (X, complex_values, complex_weights), (X, complex_values, W)):
        check_quickly(basis.primal("fit"), x, y, 2, None, False, w)
    check_quickly(basis.primal("fit"), X, np.stack((Y, complex_values), axis=1), 2, None, False, W)
    check_quickly(basis.primal("fit"), X + 0.2j * normal(6, seed=2), complex_values, 2, None, False, W)


def test_the_highest_power_first():
    """As `numpy.polyfit` returns the coefficients."""
    check_quickly(np.polyfit, X, Y, 2)
    check_quickly(np.polyfit, X, Y, 2, None, False, W)
    with pytest.raises(TypeError, match=r"polyfit.*cov=True.*cannot be differentiated"):
        rrule(np.polyfit, X, Y, 2, cov=True)


@in_every_basis
def test_fits_in_every_way(basis):
    """In single precision, with gaps, and differentiated twice."""
    check_rule_in_double(basis.primal("fit"), X, Y, 2)


@in_every_basis
def test_fits_of_too_few_points(basis):
    """NumPy warns, and chooses one of the best; by the values it is still linear."""
    f, x, y = basis.primal("fit"), np.array([0.1, 0.5]), np.array([1.0, 2.0])
    with pytest.warns(np.exceptions.RankWarning):
        c, pullback = rrule(f, x, y, 2)
    _, x_bar, y_bar, _ = pullback(np.ones(3))
    with pytest.warns(np.exceptions.RankWarning):
        by_differences = [np.sum(f(x, y + 1e-3 * e, 2) - c) / 1e-3 for e in np.eye(2)]
    with pytest.warns(np.exceptions.RankWarning):
        _, c_dot = frule((NoTangent(), x, y, NoTangent()), f, x, y, 2)

    assert isinstance(x_bar, NotImplementedTangent)
    assert isinstance(c_dot, NotImplementedTangent)
    np.testing.assert_allclose(y_bar, by_differences, rtol=1e-9)


@in_every_basis
def test_fits_of_repeated_points(basis):
    """Two points determine no parabola, nor do many that are as near to them as NumPy's choice of `rcond`."""
    x, y = np.repeat([0.1, 0.5], 100) + np.linspace(0.0, 1e-14, 200), normal(200)
    with pytest.warns(np.exceptions.RankWarning):
        _, pullback = rrule(basis.primal("fit"), x, y, 2)

    assert isinstance(pullback(np.ones(3))[1], NotImplementedTangent)


@in_every_basis
def test_fits_without_small_singular_values(basis):
    """Where `rcond` leaves some out, the result is linear in the values; by the points there is no rule."""
    f = basis.primal("fit")
    with pytest.warns(np.exceptions.RankWarning):
        c, pullback = rrule(f, X, Y, 2, 0.9)
    _, x_bar, y_bar, *_ = pullback(np.ones(3))

    assert isinstance(x_bar, NotImplementedTangent)
    np.testing.assert_allclose(y_bar @ Y, np.sum(c))  # a linear function is its derivative


@in_every_basis
def test_statistics_are_refused(basis):
    """They have no rules, and are not dropped silently."""
    with pytest.raises(TypeError, match=r"fit.*full=True.*cannot be differentiated"):
        rrule(basis.primal("fit"), X, Y, 2, full=True)
