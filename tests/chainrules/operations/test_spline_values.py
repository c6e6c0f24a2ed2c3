"""Values of splines, and their adjoint."""

import numpy as np
import pytest
from scipy.interpolate import BSpline

from chainrules.ad import grad
from chainrules.operations.spline_values import spline_values, spread, value
from chainrules_core import NoTangent
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule

T = np.array([0.0, 0.0, 0.0, 0.5, 1.2, 1.2, 2.0, 2.5, 2.5, 2.5])
RNG = np.random.default_rng(0)
C = RNG.normal(size=(7, 2))
X = np.array([0.1, 0.3, 0.9, 1.7])
Y = RNG.normal(size=(4, 2))


@pytest.mark.every_case
@pytest.mark.parametrize("nu", [0, 1, 2, 3])
def test_values(nu):
    """As SciPy has them, by knots that repeat too; spreading is the adjoint."""
    expected = BSpline(T, C, 2)(X, nu) if nu <= 2 else np.zeros((4, 2))
    np.testing.assert_allclose(spline_values(T, C, 2, X, nu), expected, atol=1e-12)
    np.testing.assert_allclose(value(C, X, T, 2, nu, None), expected, atol=1e-12)
    np.testing.assert_allclose(np.sum(spread(Y, X, T, 2, nu, None) * C), np.sum(Y * expected), atol=1e-12)


@pytest.mark.parametrize("nu", [0, 1])
@pytest.mark.parametrize("f", [value, spread])
def test_rules(f, nu):
    """By coefficients or values, real and complex, and by places."""
    first = C if f is value else Y
    for given in (first, first * (1.0 + 0.5j)):
        test_frule(f, given, X, PrimalAndTangent(T, NoTangent()), 2, nu, None)
        test_rrule(f, given, X, PrimalAndTangent(T, NoTangent()), 2, nu, None)


@pytest.mark.every_case
@pytest.mark.parametrize("nu", [0, 1])
def test_places_far_apart(nu):
    """Among many knots, in any order, and NaN: a cotangent holds the B-splines, whose sums are SciPy's."""
    t = np.concatenate([np.zeros(3), np.linspace(0.01, 0.99, 500) ** 2, np.ones(3)])
    c, x = RNG.normal(size=(503, 1)), np.append(RNG.uniform(-0.1, 1.1, 40), np.nan)
    weights = np.append(RNG.normal(size=40), 0.0)
    slopes = grad(lambda c: weights @ spline_values(t, c, 2, x, nu)[:, 0])(c)
    assert np.sum(slopes * c) == pytest.approx(weights[:-1] @ BSpline(t, c[:, 0], 2)(x[:-1], nu))
