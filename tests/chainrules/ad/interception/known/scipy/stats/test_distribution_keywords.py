"""Parameters of SciPy's distributions that are given by keyword."""

import pytest
from scipy import stats

from chainrules.ad import explain_calls, grad


@pytest.mark.parametrize("name", ["logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf"])
def test_continuous(name):
    """They are those of the same call by position, by the same rule."""
    f = getattr(stats.gamma, name)
    by_position = grad(lambda a: f(0.7, 2.0 * a, 0.1 * a, a))(1.2)
    assert grad(lambda a: f(0.7, scale=a, a=2.0 * a, loc=0.1 * a))(1.2) == pytest.approx(by_position)
    assert grad(lambda a: f(0.7, 2.0 * a, scale=a, loc=0.1 * a))(1.2) == pytest.approx(by_position)


@pytest.mark.parametrize("name", ["logpmf", "pmf", "cdf", "sf", "logcdf", "logsf"])
def test_discrete(name):
    """They have no scale."""
    f = getattr(stats.binom, name)
    assert grad(lambda p: f(2, p=p, n=6))(0.4) == pytest.approx(grad(lambda p: f(2, 6, p))(0.4))


def test_rule_is_used():
    """Rather than the code of the method, which takes five times as long."""
    assert "logpdf_rrule" in str(explain_calls(lambda m: stats.norm.logpdf(0.3, loc=m), 0.2))


def test_variable_by_keyword():
    """The code of the method is differentiated."""
    assert grad(lambda x: stats.norm.logpdf(x=x))(0.3) == pytest.approx(-0.3)
    with pytest.raises(TypeError):
        grad(lambda m: stats.norm.logpdf(0.3, location=m))(0.3)
