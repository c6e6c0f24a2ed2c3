"""Rules of distributions by compositions: what is differentiated, by whom, and in which tangents."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, jvp
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk

ALPHA, X = np.array([1.2, 2.3, 0.7]), np.array([0.2, 0.5])
COUNTS = [1, 2, 1], np.array([1, 2, 1])
CLASS = type(stats.dirichlet)


def test_distributions_that_hold_parameters():
    """Their tangent has the parameters, and the cotangent too."""
    held = stats.dirichlet(ALPHA)
    y, pullback = rrule(type(held).logpdf, held, X)
    _, held_bar, x_bar = pullback(2.0)
    _, _, expected_of_x, expected = rrule(CLASS.logpdf, stats.dirichlet, X, ALPHA)[1](2.0)
    assert y == stats.dirichlet.logpdf(X, ALPHA)
    np.testing.assert_array_equal(unthunk(held_bar.alpha), unthunk(expected))
    np.testing.assert_array_equal(unthunk(x_bar), unthunk(expected_of_x))
    tangents = NoTangent(), Tangent[type(held)](alpha=ALPHA), NoTangent()
    _, y_dot = frule(tangents, type(held).logpdf, held, X)
    assert 2.0 * y_dot == pytest.approx(np.sum(unthunk(expected) * ALPHA))
    _, y_dot = frule((NoTangent(), ZeroTangent(), NoTangent()), type(held).logpdf, held, X)
    assert isinstance(y_dot, ZeroTangent | NoTangent)


def test_lists():
    """Those of constants are arrays, by position and by keyword."""
    p = np.array([0.2, 0.5, 0.3])
    by_p = [
        unthunk(rrule(type(stats.multinomial).logpmf, stats.multinomial, x, 4, p)[1](1.0)[4]) for x in COUNTS
    ]
    np.testing.assert_array_equal(*by_p)
    points, loc = np.ones((2, 3)), [0.1, 0.2, 0.3]
    gradient = grad(
        lambda x: np.sum(stats.multivariate_t.logpdf(x, loc=loc, shape=np.eye(3).tolist(), df=3.0))
    )
    expected = grad(lambda x: np.sum(stats.multivariate_t.logpdf(x, np.array(loc), np.eye(3), 3.0)))
    np.testing.assert_allclose(gradient(points), expected(points))


def test_traced_parameters():
    """Code that puts them in is followed; a constant that is held needs no code."""
    np.testing.assert_allclose(
        grad(lambda alpha: stats.dirichlet(alpha).logpdf(X))(ALPHA),
        grad(lambda alpha: stats.dirichlet.logpdf(X, alpha))(ALPHA),
    )
    pushed = jvp(lambda alpha: stats.dirichlet(alpha).entropy(), (ALPHA,), (ALPHA,))[1]
    np.testing.assert_allclose(pushed, grad(stats.dirichlet.entropy)(ALPHA) @ ALPHA)
    np.testing.assert_allclose(grad(stats.dirichlet(ALPHA).pdf)(X), grad(stats.dirichlet.pdf)(X, ALPHA))


def test_classes_of_others():
    """What may have formulas of its own is differentiated by them; so is what has no rule."""

    class Other(CLASS):
        """As Dirichlet's distribution."""

    assert rrule(Other.logpdf, Other(), X, ALPHA) is None
    assert frule((NoTangent(),) * 4, Other.logpdf, Other(), X, ALPHA) is None
    held = stats.dirichlet(ALPHA[:1])
    assert rrule(type(held).mean, held) is None
