"""Traced numbers in `args`, which only a keyword gives."""

import numpy as np
import pytest
from scipy import integrate
from scipy.optimize import elementwise

from chainrules.ad import grad, hessian, jvp


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


def test_arrays():
    """Of which problem each number is, the function would not know."""
    with pytest.raises(TypeError, match="`tanhsinh` takes traced `args` that are numbers"):
        grad(lambda a: np.sum(integrate.tanhsinh(lambda t, a: a * t, 0.0, 1.0, args=(a,)).integral))(
            np.ones(2)
        )
