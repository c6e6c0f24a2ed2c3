"""Traced numbers in `args`, which only a keyword gives."""

import numpy as np
import pytest
import scipy
from scipy import integrate
from scipy.optimize import elementwise

from chainrules.ad import grad, hessian, jacobian, jvp


def as_arrays(x, a):
    """The square, less what is made an array first."""
    return np.asarray(x, float) ** 2 - np.asarray(a, float)


SOLVED = {  # the result, and its derivative, by a parameter with the value 2
    "tanhsinh": (
        lambda a: integrate.tanhsinh(lambda t, a, b: np.exp(-a * b * t), 0.0, np.inf, args=(a, 3.0)).integral,
        -1.0 / 12.0,
    ),
    "a sum": (lambda a: integrate.nsum(lambda k, a: a**-k, 0, np.inf, args=(a,)).sum, -1.0),
    "a root": (lambda a: elementwise.find_root(lambda x, a: x * x - a, (0.0, 4.0), args=a).x, 0.5**1.5),
    "a root of a function that stands elsewhere": (
        lambda a: elementwise.find_root(as_arrays, (0.0, 4.0), args=(a,)).x,
        0.5**1.5,
    ),
    "a minimum": (
        lambda a: elementwise.find_minimum(lambda x, a: (x - a) ** 2 + a, (0.0, 1.0, 4.0), args=(a,)).x,
        1.0,
    ),
}


def area(a):
    """Numbers and arrays by their names, beside others by their places."""
    named = {"b": a[1], "c": a[:2, None]}
    return integrate.tanhsinh(
        lambda t, a, b, c: np.exp(-a * b * t) * c, 0.0, 1.0, args=(a,), kwargs=named
    ).integral


@pytest.mark.skipif(np.lib.NumpyVersion(scipy.__version__) < "1.18.0", reason="`kwargs` since SciPy 1.18")
def test_numbers_by_name():
    """The function holds them as well."""
    a = np.array([0.4, 1.7])
    expected = jacobian(lambda a: (1.0 - np.exp(-a * a[1])) / (a * a[1]) * a[:, None])(a)
    np.testing.assert_allclose(jacobian(area)(a), expected, rtol=1e-9)
    np.testing.assert_allclose(jvp(area, (a,), (a,))[1], expected @ a, rtol=1e-9)


@pytest.mark.parametrize("name", SOLVED)
def test_numbers(name):
    """The function holds them: both modes, and constants beside them."""
    solved, slope = SOLVED[name]
    np.testing.assert_allclose([grad(solved)(2.0), jvp(solved, (2.0,), (1.0,))[1]], slope, rtol=1e-6)
    assert np.shape(solved(2.0)) == ()


def test_second_order_and_constants():
    """The Hessian, and `args` that are constants beside what the function itself holds."""

    def area(a):
        return integrate.tanhsinh(lambda t, b: np.exp(-a * b * t), 0.0, np.inf, args=(3.0,)).integral

    assert grad(area)(2.0) == pytest.approx(-1.0 / 12.0)
    assert hessian(SOLVED["tanhsinh"][0])(2.0) == pytest.approx(1.0 / 12.0)


def grown(a):
    """Integrals over intervals of their own, with a constant for each."""
    ends, rates = np.array([0.0, 0.5]), np.array([1.0, 3.0])
    return integrate.tanhsinh(lambda t, a, b: np.exp(-a * b * t), ends, np.inf, args=(a, rates)).integral


def hard_and_easy(x, a, b):
    """One root is found long before the other one, and the function is called for that alone."""
    return np.where(a < 1.0, x - a * b, np.exp(5.0 * x) - a * b)


ARRAYS = {
    "integrals": grown,
    "sums": lambda a: integrate.nsum(lambda k, a: a**-k, 0, np.inf, args=(a + 2.0,)).sum,
    "roots": lambda a: elementwise.find_root(hard_and_easy, (-4.0, 30.0), args=(a, a[0])).x,
    "a table of roots": lambda a: (
        elementwise.find_root(lambda x, a, b: x**3 + x - a * b, (0.0, 9.0), args=(a, a[:, None])).x
    ),
    "minima": lambda a: (
        elementwise.find_minimum(lambda x, a: (x - a) ** 2 + np.exp(x), (-2.0, 0.0, 3.0), args=(a,)).f_x
    ),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name):
    """SciPy says by places in them which problems are left: both modes, to second order."""
    a, tangent, h = np.array([0.4, 1.7]), np.array([0.3, -0.8]), 1e-4

    def total(a):
        return np.sum(ARRAYS[name](a) ** 2)

    def slope(a):
        return grad(total)(a) @ tangent

    expected = (total(a + h * tangent) - total(a - h * tangent)) / (2.0 * h)
    np.testing.assert_allclose([slope(a), jvp(total, (a,), (tangent,))[1]], expected, rtol=1e-5)
    if name != "sums":  # whose second derivative takes long
        curvature = (slope(a + h * tangent) - slope(a - h * tangent)) / (2.0 * h)
        # SciPy finds a minimum to half of the digits, and the difference divides what is left by the step.
        tolerance = 1e-3 if name == "minima" else 1e-5
        assert tangent @ hessian(total)(a) @ tangent == pytest.approx(curvature, rel=tolerance)
