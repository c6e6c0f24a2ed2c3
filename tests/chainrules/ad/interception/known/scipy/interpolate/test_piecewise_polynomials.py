"""Piecewise polynomials, whose values are computed by functions in C."""

import numpy as np
import pytest
from scipy import interpolate

from chainrules.ad import grad, jacobian, jvp
from tests.chainrules.program_checks import check_along, check_program, check_slope

AT = np.array([0.3, 1.7, 3.0])
T = np.arange(4.0)
Y = np.array([0.4, -0.3, 1.2, 0.7])

PIECEWISE = {
    "values": lambda y, t: interpolate.CubicSpline(T, y)(t),
    "points": lambda y, t: interpolate.CubicSpline(y + 3.0 * T, T**2)(t),
    "a derivative": lambda y, t: interpolate.CubicSpline(T, y)(t, 1),
    "the object of a derivative": lambda y, t: interpolate.CubicSpline(T, y).derivative(2)(t),
    "the object of an antiderivative": lambda y, t: interpolate.CubicSpline(T, y).antiderivative(2)(t),
    "an integral": lambda y, t: interpolate.CubicSpline(T, y).integrate(t[0], t[1]),
    "several": lambda y, t: interpolate.CubicSpline(T, np.stack([y, y**2]), axis=1)(t),
    "nothing beyond": lambda y, t: interpolate.CubicSpline(T, y, extrapolate=False)(t),
    "monotonic": lambda y, t: interpolate.PchipInterpolator(T, y)(t),
    "Akima": lambda y, t: interpolate.Akima1DInterpolator(T, y)(t),
    "slopes": lambda y, t: interpolate.CubicHermiteSpline(T, y, y**2)(t),
    "polynomials": lambda y, t: interpolate.PPoly(np.stack([y[:3], y[1:]]), T)(t),
    "downwards": lambda y, t: interpolate.PPoly(np.stack([y[:3], y[1:]]), T[::-1])(t),
    "Bernstein": lambda y, t: interpolate.BPoly(np.stack([y[:3], y[1:]]), T)(t),
    "a derivative of constants": lambda y, t: interpolate.BPoly(y[np.newaxis, :3], T)(t, 1) + y[:2],
    "a derivative of Bernstein": lambda y, t: interpolate.BPoly(np.stack([y[:3], y[1:], y[:3]]), T)(t, 1),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", PIECEWISE)
def test_piecewise_polynomials(name):
    """By values, points, places, and through derivatives and integrals."""
    # Along one direction of all arguments: of sixteen programs the testers take differences for a second, and
    # the rules of a spline are given to them in `tests/chainrules/ad/derivatives/test_following.py`.
    check_slope(PIECEWISE[name], Y, np.array([0.3, 1.7]))


def test_second_derivatives():
    """What stands for the functions in C is NumPy."""
    check_program(PIECEWISE["values"], Y, np.array([0.3, 1.7]))


def test_outside():
    """NaN stays NaN; without anything traced SciPy's function is called."""
    y_bar = grad(lambda y: np.nansum(interpolate.CubicSpline(T, y, extrapolate=False)(AT + 1.0)))(Y)
    assert np.all(np.isfinite(y_bar))
    spline = interpolate.CubicSpline(T, Y)
    assert grad(lambda x: x * spline(0.3))(1.0) == spline(0.3)


def test_roots():
    """By values and points, to second order."""
    y = np.array([0.4, -0.3, 1.2, -0.7])
    check_slope(lambda y, t: interpolate.CubicSpline(t, y).roots(extrapolate=False), y, T)
    check_slope(lambda y, u: interpolate.PchipInterpolator(T, y).solve(u[0]), y, np.array([0.1]))
    check_along(lambda y: np.sum(interpolate.CubicSpline(T, y).roots(extrapolate=False)), y, np.cos(T))


def test_roots_at_breaks():
    """Where polynomials jump across zero the root is the break, from whichever side breaks are counted."""
    c = np.array([[1.0, 1.0], [-2.0, 0.5]])
    for x in (np.array([0.0, 1.0, 2.0]), np.array([2.0, 1.0, 0.0])):
        slopes = jacobian(
            lambda x, c=c: interpolate.PPoly(c * np.sign(x[-1] - x[0]), x).roots(extrapolate=False)
        )(x)
        np.testing.assert_allclose(slopes, [[0.0, 1.0, 0.0]] * len(slopes))


def test_roots_without_a_derivative():
    """A double root has its value, and a derivative that is NaN; no root has none."""
    y, y_dot = jvp(
        lambda c: interpolate.PPoly(c, [0.0, 1.0]).roots(),
        (np.array([[1.0], [0.0], [0.0]]),),
        (np.ones((3, 1)),),
    )
    assert np.all(y == 0.0)
    assert np.all(np.isnan(y_dot))
    assert (
        grad(lambda c: np.sum(interpolate.PPoly(c, [0.0, 1.0]).roots()))(
            np.array([[1.0], [0.0], [1.0]])
        ).any()
        == 0
    )
