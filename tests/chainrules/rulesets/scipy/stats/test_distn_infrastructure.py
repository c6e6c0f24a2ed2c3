"""Rules of distributions that hold their parameters."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, hessian
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk
from tests.chainrules.makers.test_known_distributions import slope_at_zero
from tests.chainrules.rule_checks import record_rules

X = np.array([0.7, 1.9])
METHODS = ("pdf", "logpdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")


def tangent_of(frozen, args, kwds):
    """The tangent of a frozen distribution."""
    return Tangent[type(frozen)](args=Tangent[tuple](*args), kwds=Tangent[dict](kwds))


@pytest.mark.parametrize("name", METHODS)
def test_continuous(name):
    """By the variable, by a shape given by position, and by a scale given by name."""
    frozen, x = stats.gamma(2.3, scale=1.4), X / 2.0
    y, pullback = rrule(getattr(frozen, name), x)
    own_bar, x_bar = map(unthunk, pullback(np.array([1.0, -2.0])))
    frozen_bar = unthunk(own_bar.__self__)
    np.testing.assert_array_equal(y, getattr(frozen, name)(x))

    def along(t):
        moved = stats.gamma(2.3 + 0.3 * t, scale=1.4 - 0.2 * t)
        return getattr(moved, name)(x + 0.1 * t)

    method = getattr(type(frozen), name)
    _, y_dot = frule(
        (NoTangent(), tangent_of(frozen, [0.3], {"scale": -0.2}), np.full(2, 0.1)), method, frozen, x
    )
    np.testing.assert_allclose(y_dot, slope_at_zero(along), rtol=1e-8)
    total = 0.3 * frozen_bar.args[0] - 0.2 * frozen_bar.kwds["scale"] + 0.1 * np.sum(x_bar)
    assert total == pytest.approx(y_dot @ np.array([1.0, -2.0]), rel=1e-10)
    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), method, frozen, x)[1] == ZeroTangent()
    record_rules(method, frozen, x)


@pytest.mark.parametrize("name", ["pmf", "logpmf", "cdf", "logsf"])
def test_discrete(name):
    """By the mean, and by nothing else."""
    frozen = stats.poisson(2.3, 1)
    _, pullback = rrule(getattr(frozen, name), 3)
    frozen_bar = unthunk(unthunk(pullback(1.0)[0]).__self__)
    expected = slope_at_zero(lambda t: getattr(stats.poisson(2.3 + t, 1), name)(3))
    assert frozen_bar.args[0] == pytest.approx(expected, rel=1e-8)
    assert frozen_bar.args[1] == NoTangent()
    record_rules(getattr(type(frozen), name), frozen, 3)


@pytest.mark.parametrize(
    ("name", "args", "named"),
    [
        *((name, (), {}) for name in ("mean", "var", "std", "entropy", "median", "support")),
        *(("moment", (2,), {}), ("interval", (0.8,), {}), ("stats", (), {"moments": "v"})),
        *(("rvs", (), {"size": 2, "random_state": 3}), ("rvs", (2, 3), {})),
    ],
)
def test_summaries(name, args, named):
    """They are those of the distribution, with the parameters that are held."""
    frozen = stats.gamma(2.3, scale=1.4)
    y, pullback = rrule(getattr(frozen, name), *args, **named)
    _, by_hand = rrule(
        getattr(stats.gamma, name),
        *(args if name != "rvs" else ()),
        2.3,
        0.0,
        1.4,
        **({"size": 2, "random_state": 3} if name == "rvs" else named),
    )
    y_bar = (1.0, 2.0) if isinstance(y, tuple) else np.ones_like(y)
    frozen_bar = unthunk(unthunk(pullback(y_bar)[0]).__self__)
    *_, a_bar, _, scale_bar = map(unthunk, by_hand(y_bar))
    assert frozen_bar.args[0] == pytest.approx(a_bar)
    assert frozen_bar.kwds["scale"] == pytest.approx(scale_bar)
    method = getattr(type(frozen), name)
    dots = NoTangent(), tangent_of(frozen, [0.3], {"scale": -0.2}), *(NoTangent() for _ in args)
    y_dot = frule(dots, method, frozen, *args, **named)[1]
    y_dots, y_bars = (y_dot, y_bar) if isinstance(y, tuple) else ((y_dot,), (y_bar,))
    total = sum(np.sum(bar * dot) for bar, dot in zip(y_bars, y_dots, strict=True))
    assert total == pytest.approx(0.3 * a_bar - 0.2 * scale_bar)
    record_rules(method, frozen, *args)


def test_programs():
    """With constant parameters, and with traced ones, to second order."""
    frozen = stats.norm(1.0, 2.0)
    assert grad(frozen.logpdf)(1.3) == pytest.approx(-0.3 / 4.0)

    def program(v):
        return np.sum(stats.weibull_min(v[0], scale=v[1]).logpdf(X))

    h = 1e-5
    steps = h * np.eye(2)
    v = np.array([1.7, 1.2])
    expected = [(grad(program)(v + step) - grad(program)(v - step)) / (2 * h) for step in steps]
    np.testing.assert_allclose(hessian(program)(v), expected, rtol=1e-6)


def test_without_rules():
    """A distribution whose method has no rule has none when it is frozen, nor has an unusual call."""
    norm = stats.norm(0.3)
    assert rrule(norm.expect, loc=2.0) is None
    assert rrule(norm.interval, confidence=0.8) is None
    no_tangents = NoTangent(), NoTangent()
    assert frule((*no_tangents, 1.0), type(norm).logpdf, norm, 0.4)[1] == pytest.approx(-0.1)
    assert frule(no_tangents, type(norm).interval, norm, confidence=0.8) is None
    frozen = stats.levy_stable(1.3, 0.2)
    assert rrule(frozen.logpdf, 0.4) is None
