"""Rational approximations whose support points SciPy chooses."""

import numpy as np
import pytest
from scipy.interpolate import AAA

from chainrules.ad import grad, value_and_grad
from chainrules_testutils import jacobian

# Nothing is symmetric: which points are chosen stays the same.
X = 0.3 * np.linspace(-1.0, 1.2, 12) + np.linspace(-1.0, 1.2, 12) ** 3
Y = np.exp(X) + np.sin(3.0 * X)

PROGRAMS = {
    "values": (lambda y: AAA(X, y, rtol=1e-3)(0.37), Y),
    "points": (lambda x: AAA(x, Y, rtol=1e-3)(0.37), X),
    "a support point": (lambda y: AAA(X, y, rtol=1e-2)(X[2]), Y),
    "a place": (lambda t: AAA(X, Y, rtol=1e-3)(t[0]), np.array([0.37])),
    "a null space": (lambda y: AAA(np.arange(6.0), y, max_terms=3)(1.3), Y[:6]),
}


@pytest.mark.filterwarnings("ignore")  # that it was stopped
@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(name):
    """By all that an approximation is made of."""
    f, x = PROGRAMS[name]
    value, gradient = value_and_grad(f)(x)
    np.testing.assert_allclose(value, f(x), rtol=1e-10)
    np.testing.assert_allclose(gradient, jacobian(None, f, x)[0].ravel(), rtol=1e-6, atol=1e-7)


def test_no_derivatives():
    """Weights that are one choice of many are an error, and poles are no constants."""
    with pytest.raises(NotImplementedError, match="one choice of many"):
        grad(lambda y: AAA(np.arange(6.0), y)(1.3))(np.array([0.3, 0.9, 1.4, 2.2, 2.6, 3.7]))
    with pytest.raises(np.linalg.LinAlgError, match="defective"):
        grad(lambda y: np.sum(AAA(X, y, rtol=1e-3).poles().real))(Y)
