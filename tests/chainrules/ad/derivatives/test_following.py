"""Rules that follow the code of interpolants: both modes at public names, and objects with tangents."""

import numpy as np
import pytest
from scipy import interpolate

from chainrules.ad import grad, jvp, vjp
from chainrules.ad.values.config import CONFIG
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_along

X = np.array([0.0, 1.1, 1.9, 3.2, 4.0])
Y = np.array([0.4, -0.3, 1.2, 0.7, 0.1])
AT = np.array([0.6, 2.3])
TCK = interpolate.splrep(X, Y)
SPLINE = interpolate.CubicSpline(X, Y)

CALLS = {
    "splrep": (interpolate.splrep, X, Y),
    "splev": (interpolate.splev, AT, TCK),
    "splint": (interpolate.splint, 0.3, 2.0, TCK),
    "make_interp_spline": (interpolate.make_interp_spline, X, Y, 2),
    "single precision": (interpolate.make_interp_spline, np.float32(X), np.float32(Y)),
    "CubicSpline": (interpolate.CubicSpline, X, Y),
    "complex": (interpolate.CubicSpline, X[:3], Y[:3] + 1j * X[:3]),
    "PchipInterpolator": (interpolate.PchipInterpolator, X[:3], Y[:3]),
    "PPoly": (interpolate.PPoly, np.stack([Y[:4], Y[1:]]), X),
    "a call": (SPLINE, AT),
    "a call of a B-spline": (interpolate.make_interp_spline(X, Y), AT),
    "a call of a spline of FITPACK": (interpolate.InterpolatedUnivariateSpline(X, Y), AT),
    "a method": (interpolate.PPoly.integrate, SPLINE, 0.3, 2.0),
    "a bound method": (SPLINE.antiderivative,),
}


@pytest.mark.parametrize("name", CALLS)
def test_public_names(name):
    """Both modes, at points within the data; objects are arguments and results."""
    f, *args = CALLS[name]
    test_frule(f, *args)
    test_rrule(f, *args)


def test_attributes():
    """In SciPy some are properties."""
    test_frule(getattr, SPLINE, "c")
    test_rrule(getattr, SPLINE, "c")


# What is NaN outside of the points is so in the object, too.
@pytest.mark.parametrize(
    ("f", "x"), [(interpolate.interp1d, X[:3]), (interpolate.RegularGridInterpolator, (X[:3],))]
)
def test_classes_with_a_value_outside(f, x):
    """Points and values are held by the object; the value outside is given by name."""
    test_frule(f, x, Y[:3], fkwargs={"fill_value": 0.0, "bounds_error": False})
    test_rrule(f, x, Y[:3], fkwargs={"fill_value": 0.0, "bounds_error": False})


def test_the_engine_looks_into_the_code():
    """It asks for no rule: one trace is enough, and what is given by name has a derivative."""
    assert rrule(CONFIG, interpolate.splrep, X, Y) is None
    assert frule(CONFIG, (NoTangent(), X, Y), interpolate.splrep, X, Y) is None
    assert rrule(CONFIG, getattr, SPLINE, "c") is None
    assert frule(CONFIG, (NoTangent(), ZeroTangent(), NoTangent()), getattr, SPLINE, "c") is None
    assert np.all(grad(lambda y: interpolate.CubicSpline(X, y=y)(2.3))(Y) != 0.0)


def test_second_derivatives():
    """The engine differentiates what a rule computes, and so has second derivatives."""

    def pulled(y):
        made, pull_construction = rrule(interpolate.CubicSpline, X, y)
        value, pull_value = rrule(made, 2.3)
        return np.sum(pull_construction(pull_value(value)[0])[2] ** 2)

    check_along(pulled, Y, np.cos(X))


INTERPOLANTS = {
    "CubicSpline": (interpolate.CubicSpline, X),
    "Akima1DInterpolator": (interpolate.Akima1DInterpolator, X),
    "BSpline": (interpolate.make_interp_spline, X),
    "UnivariateSpline": (interpolate.UnivariateSpline, X),
    "interp1d": (interpolate.interp1d, X),
    "BarycentricInterpolator": (interpolate.BarycentricInterpolator, X),
    "KroghInterpolator": (interpolate.KroghInterpolator, X),
    "RegularGridInterpolator": (interpolate.RegularGridInterpolator, (X,)),
}


@pytest.mark.parametrize("name", INTERPOLANTS)
def test_objects(name):
    """Objects are results and arguments of what is differentiated, and hand their derivative on."""
    f, x = INTERPOLANTS[name]
    at = np.array([1.3])
    whole = grad(lambda y: f(x, y)(at)[0])(Y)
    made, pull_construction = vjp(lambda y: f(x, y), Y)
    _, pull_value = vjp(lambda made: made(at)[0], made)
    np.testing.assert_allclose(*pull_construction(*pull_value(1.0)), whole, rtol=1e-9, atol=1e-12)
    made, made_dot = jvp(lambda y: f(x, y), (Y,), (X,))
    _, y_dot = jvp(lambda made: made(at)[0], (made,), (made_dot,))
    np.testing.assert_allclose(y_dot, whole @ X, rtol=1e-9)
