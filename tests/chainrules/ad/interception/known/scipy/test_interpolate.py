"""Piecewise polynomials and splines, whose values are computed by functions in C."""

import numpy as np
import pytest
from scipy import interpolate

from chainrules.ad import grad
from tests.chainrules.program_checks import check_program

AT = np.array([0.3, 1.7, 3.0])
T = np.arange(4.0)
KNOTS = np.array([0.0, 0.0, 0.0, 0.7, 1.4, 2.0, 2.0, 2.0])
Y = np.array([0.4, -0.3, 1.2, 0.7])
C = np.array([0.4, -0.3, 1.2, 0.7, 0.1])

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
    "a derivative of Bernstein": lambda y, t: interpolate.BPoly(np.stack([y[:3], y[1:], y[:3]]), T)(t, 1),
}
SPLINES = {
    "coefficients": lambda c, t: interpolate.BSpline(KNOTS, c, 2)(t),
    "knots": lambda c, t: interpolate.BSpline(KNOTS + np.cumsum(np.concatenate((c, c[:3])) ** 2), C, 2)(
        t + 1
    ),
    "a derivative": lambda c, t: interpolate.BSpline(KNOTS, c, 2)(t, 1),
    "the object of a derivative": lambda c, t: interpolate.BSpline(KNOTS, c, 2).derivative()(t),
    "several": lambda c, t: interpolate.BSpline(KNOTS, np.stack([c, c**2], 1), 2)(t),
    "a tuple": lambda c, t: interpolate.splev(t, (KNOTS, np.concatenate((c, np.zeros(3))), 2)),
    "a tuple's derivative": lambda c, t: interpolate.splev(t, (KNOTS, c, 2), der=1),
    "a tuple with nothing beyond": lambda c, t: interpolate.splev(t + 0.7, (KNOTS, c, 2), ext=1),
    "a tuple with its ends beyond": lambda c, t: interpolate.splev(t + 0.7, (KNOTS, c, 2), ext=3),
}


@pytest.mark.parametrize("name", PIECEWISE)
def test_piecewise_polynomials(name):
    """By values, points, places, and through derivatives and integrals."""
    check_program(PIECEWISE[name], Y, np.array([0.3, 1.7]), order=1)


@pytest.mark.parametrize("name", SPLINES)
def test_splines(name):
    """By coefficients, knots and places."""
    check_program(SPLINES[name], C, np.array([0.3, 0.9, 1.6]), order=1)


def test_second_derivatives():
    """What stands for the functions in C is NumPy."""
    check_program(PIECEWISE["values"], Y, np.array([0.3, 1.7]))
    check_program(SPLINES["coefficients"], C, np.array([0.3, 1.6]))


def test_outside():
    """NaN stays NaN; without anything traced SciPy's function is called."""
    y_bar = grad(lambda y: np.nansum(interpolate.CubicSpline(T, y, extrapolate=False)(AT + 1.0)))(Y)
    assert np.all(np.isfinite(y_bar))
    spline = interpolate.CubicSpline(T, Y)
    assert grad(lambda x: x * spline(0.3))(1.0) == spline(0.3)
