"""Integrals and sums that give the derivatives of means over distributions."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from chainrules.makers.distribution_summaries import has_formula
from chainrules_core import NoDerivativeError, rrule, unthunk


def slopes_by_rule(f, *args, **named):
    """The derivatives that the rule gives to a system that does not call back."""
    y, pullback = rrule(f, *args, **named)
    return y, [unthunk(bar) for bar in pullback(1.0)[1:]]


@pytest.mark.parametrize("a", [0.2, 30.0, 1e4])
def test_accuracy(a):
    """Of narrow densities, and of those with a pole, against mpmath."""
    with mpmath.workdps(40):
        entropy = mpmath.diff(lambda a: a + mpmath.loggamma(a) + (1 - a) * mpmath.psi(0, a), mpmath.mpf(a))
        skewness = mpmath.diff(lambda a: 2 / mpmath.sqrt(a), mpmath.mpf(a))
    for name, named, expected in (
        ("mean", {}, 1.0),
        ("var", {}, 1.0),
        ("std", {}, 0.5 / np.sqrt(a)),
        ("entropy", {}, float(entropy)),
        ("stats", {"moments": "s"}, float(skewness)),
    ):
        if name == "entropy" and a < 1.0:
            continue  # which is an integral of the density, with its pole
        slope = slopes_by_rule(getattr(stats.gamma, name), a, **named)[1][0]
        assert slope == pytest.approx(expected, rel=1e-9), name


def test_infinite_moments():
    """The derivative by the shape is not known; those by location and scale are SciPy's."""
    y, (by_df, by_loc, _) = slopes_by_rule(stats.lomax.mean, 0.7, 0.1, 1.2)
    assert np.isinf(y)
    assert np.isnan(by_df)
    assert by_loc == 1.0
    assert np.isnan(slopes_by_rule(stats.gamma.var, -1.0)[1][0])
    assert np.isnan(slopes_by_rule(stats.gamma.mean, 2.0, 0.1, -1.0)[1]).all()


def test_integrals_that_fail():
    """An error says what was compared."""
    with pytest.raises(NoDerivativeError, match=r"stats.beta: the integral or sum .* for the value"):
        slopes_by_rule(stats.beta.entropy, 2.0, 0.05)


def test_angles():
    """Their moments are those of one turn."""
    by_rule = slopes_by_rule(stats.vonmises.entropy, 2.3)[1][0]
    assert by_rule == pytest.approx(grad(stats.vonmises.entropy)(2.3), rel=1e-10)


@pytest.mark.parametrize("method", ["mean", "entropy", "kurtosis"])
@pytest.mark.every_case
def test_forms(method):
    """On all numbers, on an interval whose end moves, and of whole numbers, as SciPy's formulas have it."""
    for instance, shape in ((stats.t, 6.2), (stats.genpareto, -0.4), (stats.poisson, 2.3)):
        named = {"moments": "k"} if method == "kurtosis" else {}
        f = getattr(instance, "stats" if named else method)
        _, (by_shape, *_) = slopes_by_rule(f, shape, **named)
        assert by_shape == pytest.approx(
            grad(lambda a, f=f, named=named: f(a, **named))(shape), rel=1e-8, abs=1e-12
        )


def test_formulas():
    """Some of SciPy's are compiled, lack a moment, or have no shape in them."""
    assert has_formula(stats.gamma, (1, 2, 3, 4), (2.0,), {})
    assert has_formula(stats.gamma, None, (2.0,), {})
    assert has_formula(stats.genpareto, (1, 2), (0.3,), {"moments": "mv"})
    assert has_formula(stats.poisson, (1,), (2.0,), {})
    assert not has_formula(stats.nct, (1,), (4.0, 0.3), {})
    assert not has_formula(stats.gompertz, None, (0.3,), {})
    assert not has_formula(stats.gompertz, (1,), (0.3,), {})
    assert not has_formula(stats.genpareto, (3,), (0.0,), {})
    assert not has_formula(stats.genextreme, (2,), (0.0,), {})
    assert not has_formula(stats.vonmises, None, (0.0,), {})
