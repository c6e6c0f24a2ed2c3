"""Rules that follow the code of SciPy: both modes at public names, and objects with tangents.

`tests/test_followed.py` tries each function.
"""

import numpy as np
import pytest
from scipy import integrate, interpolate, ndimage, optimize, signal, spatial, stats
from scipy.cluster import hierarchy
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from chainrules.ad import grad, jvp, vjp
from chainrules_core import NoTangent, RuleNotFoundError, Tangent, primitive, rrule, typeof_
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_along
from tests.small_system import system

X = np.array([0.0, 1.1, 1.9, 3.2, 4.0])
Y = np.array([0.4, -0.3, 1.2, 0.7, 0.1])
AT = np.array([0.6, 2.3])
TCK = interpolate.splrep(X, Y)
SPLINE = interpolate.CubicSpline(X, Y)
SYSTEM = signal.TransferFunction([1.0], [0.3, 0.9, 1.4])
STATES = signal.StateSpace([[-0.3]], [[1.0]], [[0.7]], [[0.2]])
BOX = spatial.Rectangle([2.2, 2.6], [0.3, 0.9])
OPERATOR = aslinearoperator(np.array([[0.3, 0.9], [1.4, 2.2], [2.6, 3.7]]))

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
    "a filter": (signal.butter, 2, 0.3),
    "a filter in single precision": (signal.detrend, np.float32(Y)),
    "a filter of complex numbers": (signal.detrend, Y + 1j * X),
    "a callback that holds a number": (integrate.cubature, lambda t: np.exp(-Y[2] * t[:, 0]), [0.2], [1.0]),
    "a callback that holds another": (ndimage.geometric_transform, Y, lambda i: (i[0] + 0.5,)),
    "a result with names": (stats.describe, Y),
    "a result with attributes": (stats.binomtest, 2, 5, 0.3),
    "a system": (signal.TransferFunction, [1.0], np.array([0.3, 0.9, 1.4])),
    "a system of states": (signal.StateSpace, STATES.A, STATES.B, STATES.C, STATES.D),
    "a system of another form": (signal.TransferFunction.to_ss, SYSTEM),
    "a response": (signal.lti.freqresp, STATES, np.array([0.5, 1.0])),
    "a transform": (signal.CZT(5, 3), Y),
    "a box": (spatial.Rectangle, BOX.maxes, BOX.mins),
    "a volume": (spatial.Rectangle.volume, BOX),
    "an operator": (aslinearoperator, OPERATOR.A),
    "a product": (LinearOperator.matvec, OPERATOR, np.array([0.4, -0.3])),
    "a node of a tree": (hierarchy.ClusterNode, 4, hierarchy.ClusterNode(0), hierarchy.ClusterNode(1), 0.3),
    "bounds": (optimize.Bounds, np.zeros(2), np.ones(2)),
}


@pytest.mark.parametrize("name", CALLS)
def test_public_names(name):
    """Both modes, at points within the data; objects are arguments and results."""
    f, *args = CALLS[name]
    test_frule(f, *args)
    test_rrule(f, *args)


@pytest.mark.parametrize(("x", "name"), [(SPLINE, "c"), (SYSTEM, "poles"), (STATES, "A")])
def test_attributes(x, name):
    """In SciPy some are properties."""
    test_frule(getattr, x, name)
    test_rrule(getattr, x, name)


def test_callbacks():
    """What a function closes over has a tangent; so has what another one in a container does."""

    def integral(a):
        return integrate.cubature(lambda t: np.exp(-a * t[:, 0]), [0.0], [1.0]).estimate

    integrand = (lambda a: lambda t: np.exp(-a * t[:, 0]))(0.7)
    y, pullback = rrule(integrate.cubature, integrand, [0.0], [1.0])
    np.testing.assert_array_equal(y.estimate, integral(0.7))
    integrand_bar = pullback(Tangent[type(y)](estimate=1.0))[1]
    np.testing.assert_allclose(integrand_bar.a, grad(integral)(0.7))


def test_methods_of_distributions():
    """The objects of SciPy stand for them, and have no derivative themselves."""
    y, pullback = rrule(stats.norm.expect, np.square, (), 0.5)
    np.testing.assert_allclose([y, pullback(1.0)[3]], [1.25, 1.0])
    integrand = (lambda a: lambda t: a * t**2)(1.4)
    y, pullback = rrule(stats.poisson.expect, integrand, (0.3,))
    np.testing.assert_allclose([y, pullback(1.0)[1].a], [1.4 * 0.39, 0.39])


def test_other_systems_that_differentiate_derivatives():
    """Their values would be constants to the engine, and a second derivative zero in silence."""
    small, attenuation = system(), primitive(signal.kaiser_atten)

    def slope(width):
        return small.vjp(lambda width: attenuation(5, width) * width, width)[1](1.0)[0]

    def slope_forwards(width):
        return small.jvp(lambda width: attenuation(5, width) * width, (width,), (1.0,))[1]

    assert slope(0.3) == slope_forwards(0.3) == grad(lambda width: attenuation(5, width) * width)(0.3)
    for derivative in (slope, slope_forwards):
        with pytest.raises(RuleNotFoundError, match="kaiser_atten follows its code, and cannot follow"):
            small.vjp(derivative, 0.3)


def test_what_has_no_such_rule():
    """Of results that hold numbers where no tangent has a place nothing is lost in silence."""
    assert rrule(stats.kstest, Y, "norm") is None
    assert rrule(interpolate.lagrange, X, Y) is None
    assert rrule(stats.mvsdist, Y) is None


# What is NaN outside of the points is so in the object, too.
@pytest.mark.parametrize(
    ("f", "x"), [(interpolate.interp1d, X[:3]), (interpolate.RegularGridInterpolator, (X[:3],))]
)
def test_classes_with_a_value_outside(f, x):
    """Points and values are held by the object; the value outside is given by name."""
    test_frule(f, x, Y[:3], fkwargs={"fill_value": 0.0, "bounds_error": False})
    test_rrule(f, x, Y[:3], fkwargs={"fill_value": 0.0, "bounds_error": False})


def test_the_engine_looks_into_the_code():
    """One trace is enough, and what is given by name has a derivative."""
    assert np.all(grad(lambda y: interpolate.CubicSpline(X, y=y)(2.3))(Y) != 0.0)
    assert grad(lambda a: integrate.cubature(lambda t, a: a * t[:, 0], [0.0], [1.0], args=(a,)).estimate)(0.3)


def test_the_engine_calls_what_is_marked():
    """By the rule, as any AD system would; attributes and methods of the object are found."""
    spline, system = map(primitive, (interpolate.CubicSpline, signal.TransferFunction))
    check_along(lambda y: np.sum(spline(X[:2], y).c[-1] ** 2), Y[:2], X[1:3])
    np.testing.assert_array_equal(grad(lambda y: system([1.0], y).to_ss().A[0, 0])(np.ones(2)), [1.0, -1.0])


class Degree(int):
    """A number that only the rules below are for."""


@rrule.dispatch
def antiderivative_rrule(f: typeof_(interpolate.splantider), tck: tuple, n: Degree):
    """A rule of somebody else for a function."""
    return 0.0, lambda y_bar: (
        NoTangent(),
        Tangent[tuple](NoTangent(), 42.0 * TCK[1], NoTangent()),
        NoTangent(),
    )


@rrule.dispatch
def call_rrule(f: interpolate.PPoly, x: np.ndarray, nu: Degree):
    """A rule of somebody else for an object."""
    return 0.0, lambda y_bar: (NoTangent(), 42.0 * x, NoTangent())


def test_rules_of_others():
    """Whoever writes a rule for an interpolant wants the engine to use it."""
    t, c, k = TCK
    by_coefficients = grad(lambda c: interpolate.splantider((t, c, k), Degree(1)))(c)
    np.testing.assert_array_equal(by_coefficients, 42.0 * c)
    np.testing.assert_array_equal(grad(lambda x: SPLINE(x, Degree(1)))(AT), 42.0 * AT)


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


def integral(a):
    """A call of a function that calls a closure back."""
    return primitive(integrate.cubature)(lambda t: np.exp(-a * t[:, 0]), [0.0], [1.0]).estimate


OF_FRAMEWORKS = {
    "a filter": lambda x: primitive(signal.butter)(2, x[1])[1],
    "a filter, by keyword": lambda x: primitive(signal.butter)(2, Wn=x[1])[0],
    "a spectrum": lambda x: primitive(signal.welch)(x, nperseg=3)[1],
    "a statistic": lambda x: primitive(stats.describe)(x).variance,
    "a result with attributes": lambda x: primitive(stats.binomtest)(2, 5, x[1]).pvalue,
    "a system": lambda x: primitive(signal.bode)((np.ones(1), x[:3]), w=np.array([0.5, 1.0]))[1],
    "a callback": lambda x: integral(x[0]),
}


@pytest.mark.parametrize("name", OF_FRAMEWORKS)
def test_frameworks(name):
    """Each takes public names as one operation, and has the gradient of `chainrules.ad`."""
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    autograd = pytest.importorskip("autograd")
    f, x = OF_FRAMEWORKS[name], np.array([0.3, 0.9, 1.4, 2.2, 2.6, 0.7])
    gradient = grad(lambda x: np.sum(f(x) ** 2))(x)
    tensor = torch.tensor(x, requires_grad=True)
    torch.sum(f(tensor) ** 2).backward()
    with jax.enable_x64(True):
        of_jax = jax.jit(jax.grad(lambda x: jax.numpy.sum(f(x) ** 2)))(jax.numpy.array(x))
    of_autograd = autograd.grad(lambda x: autograd.numpy.sum(f(x) ** 2))(x)
    for found in (tensor.grad, of_jax, of_autograd):
        np.testing.assert_allclose(np.asarray(found), gradient, rtol=1e-7, atol=1e-12)
