"""Partial derivatives of formulas."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules.formulas.calls.partial_derivatives import partial_derivative
from chainrules_testutils import jacobian


def formula(z, a):
    """Special functions, branches, constants, and operators of both sides."""
    return np.where(z < 1.0, a * np.exp(-z), 2.0 - special.gammaln(a) / z) + np.arctan2(z, a)


def test_derivatives():
    """By each argument, against finite differences; the shape is that of the result."""
    z = np.array([0.3, 2.0])
    for place, args in enumerate([(z, 1.7)] * 2):
        at = [args[:place], args[place + 1 :]]
        expected = jacobian(None, lambda x, at=at: formula(*at[0], x, *at[1]), args[place])[0]
        expected = expected.diagonal() if place == 0 else expected.ravel()
        np.testing.assert_allclose(partial_derivative(formula, place)(*args), expected, rtol=1e-7)


def test_constants():
    """A formula without an argument has the derivative 0 by it."""
    y = partial_derivative(lambda z, a: 3.0 * a, 0)(np.ones(3), np.ones((2, 1)))
    assert y.shape == (2, 3)
    assert not y.any()
    assert partial_derivative(lambda z: 2.0, 0)(1.0) == 0.0


def test_second_order():
    """Derivatives are programs like any other."""
    slope = grad(lambda a: partial_derivative(formula, 1)(2.0, a))(1.7)
    h = 1e-5
    beside = [partial_derivative(formula, 1)(2.0, 1.7 + t) for t in (h, -h)]
    assert slope == pytest.approx((beside[0] - beside[1]) / (2 * h), rel=1e-7)


def test_bad_formulas():
    """What is not elementwise, or has no rule, is an error."""
    unknown = np.frompyfunc(lambda x: x, 1, 1)
    with pytest.raises(TypeError, match="no rule"):
        partial_derivative(unknown, 0)(1.0)
