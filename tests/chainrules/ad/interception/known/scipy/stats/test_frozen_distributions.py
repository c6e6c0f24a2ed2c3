"""Distributions that hold traced parameters."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import explain_calls, grad, hessian, jvp

X = np.array([0.3, 1.2])


def test_parameters():
    """By position, by keyword and in lists, they are those of the same call of the distribution."""
    expected = grad(lambda a: np.sum(stats.gamma.logpdf(X, 2.0 * a, 0.1 * a, a)))(1.2)
    programs = (
        lambda a: np.sum(stats.gamma(2.0 * a, 0.1 * a, a).logpdf(X)),
        lambda a: np.sum(stats.gamma(2.0 * a, scale=a, loc=0.1 * a).logpdf(X)),
        lambda a: np.sum(stats.gamma.freeze(a=2.0 * a, scale=a, loc=0.1 * a).logpdf(X)),
        lambda a: np.sum(stats.gamma([2.0 * a, 2.0 * a], 0.1 * a, a).logpdf(X)),
    )
    for f in programs:
        assert grad(f)(1.2) == pytest.approx(expected)
        assert jvp(f, (1.2,), (1.0,))[1] == pytest.approx(expected)
        assert hessian(f)(1.2) == pytest.approx(hessian(programs[0])(1.2))


def test_discrete():
    """They have no scale."""
    expected = grad(lambda m: np.sum(stats.poisson.logpmf([1, 2], m)))(1.2)
    assert grad(lambda m: np.sum(stats.poisson(mu=m).logpmf([1, 2])))(1.2) == pytest.approx(expected)


def test_attributes():
    """Parameters, moments, and a support that depends on them."""
    frozen = stats.norm(0.5, scale=2.0)
    assert grad(lambda m: stats.norm(m, 2.0).args[0] * stats.norm(0.5, scale=m).kwds["scale"])(3.0) == 6.0
    assert grad(lambda m: stats.norm(m, 2.0).mean() + stats.norm(0.0, m).std())(0.5) == 2.0
    assert grad(lambda c: stats.genpareto(c).b)(-0.5) == 4.0
    assert grad(lambda c: stats.genpareto(c, scale=c).support()[1])(-0.5) == pytest.approx(0.0)
    assert (frozen.args, frozen.kwds) == ((0.5,), {"scale": 2.0})


def test_constructor_is_not_followed():
    """It takes several times as long as the density of a few points."""
    seen = str(explain_calls(lambda m: np.sum(stats.norm(m, 2.0).logpdf(X)), 0.3))
    assert "logpdf_rrule" in seen
    assert "rv_frozen.__init__" not in seen
    assert "rv_continuous_frozen" not in seen.replace("rv_continuous_frozen.logpdf", "")


def test_classes_of_users():
    """Their constructors are followed, as functions of users are."""

    class Shifted(type(stats.norm)):
        def _logpdf(self, x, a):
            return -np.abs(x - a) - np.log(2.0)

        def _argcheck(self, a):
            return a > 0

    instance = Shifted(name="shifted", shapes="a")
    assert grad(lambda a: instance(a).logpdf(0.5))(0.3) == pytest.approx(1.0)


def test_wrong_parameters():
    """Errors are SciPy's."""
    with pytest.raises(TypeError, match="location"):
        grad(lambda m: stats.norm(location=m).logpdf(0.3))(0.3)
