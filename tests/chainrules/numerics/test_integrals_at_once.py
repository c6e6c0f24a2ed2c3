"""Derivatives of integrals by one call of the integrand, where there are any."""

import math

import numpy as np
import pytest
import scipy.integrate

from chainrules.ad import ADConfig
from chainrules.numerics.integrals_at_once import first_estimates, pulled_at_once, pushed_at_once
from chainrules.operations.integrals import Domain
from chainrules_core import NO_TANGENT, unthunk

OPTIONS = {"epsabs": 1e-10, "epsrel": 1e-10}
SMOOTH = Domain(0.2, 1.5, None, None, OPTIONS)


def scaled(t, a):
    """A smooth integrand."""
    return np.exp(-a * t)


@pytest.mark.parametrize("domain", [SMOOTH, SMOOTH._replace(a=1.5, b=0.2)])
def test_a_smooth_integrand(domain):
    """Both modes, also where the limits are the other way round."""
    sign = np.sign(domain.b - domain.a)
    integral = -np.diff([(t / 0.7 + 1.0 / 0.49) * np.exp(-0.7 * t) for t in (1.5, 0.2)])[0]
    expected = sign * integral
    _, args_bar = pulled_at_once(ADConfig(), scaled, (0.7,), 2.0, domain)
    assert unthunk(args_bar[0]) == pytest.approx(2.0 * expected, rel=1e-12)
    y_dot = pushed_at_once(ADConfig(), (NO_TANGENT, [3.0]), scaled, (0.7,), domain)
    assert y_dot == pytest.approx(3.0 * expected, rel=1e-12)


@pytest.mark.parametrize(
    ("f", "domain"),
    [
        (lambda t, a: math.exp(-a * t), SMOOTH),
        (lambda t, a: np.abs(t - 0.7) * a, SMOOTH),
        (lambda t, a: np.where(t > 0.7, a, 0.0), SMOOTH),
        (scaled, SMOOTH._replace(b=np.inf)),
        (scaled, SMOOTH._replace(weight="cos", wvar=2.0)),
        (lambda t, a: a * np.sum(np.exp(-t * np.arange(3.0))), SMOOTH),
    ],
)
def test_no_answer(f, domain):
    """Of functions of one number, kinks, jumps, infinite intervals, weights, and sums over the places."""
    assert pulled_at_once(ADConfig(), f, (0.7,), 1.0, domain) is None
    assert pushed_at_once(ADConfig(), (NO_TANGENT, [1.0]), f, (0.7,), domain) is None


def test_points():
    """A kink at one of them does no harm."""
    domain = SMOOTH._replace(points=[0.7, 3.0])
    y_dot = pushed_at_once(ADConfig(), (NO_TANGENT, [1.0]), lambda t, a: np.abs(t - 0.7) * a, (0.7,), domain)
    assert y_dot == pytest.approx(0.5 * (0.5**2 + 0.8**2), rel=1e-12)


@pytest.mark.parametrize(
    "domain",
    [
        SMOOTH,
        SMOOTH._replace(a=1.5, b=0.2),
        SMOOTH._replace(is_smooth=True),
        SMOOTH._replace(points=[0.7, 3.0]),
        SMOOTH._replace(b=np.inf),
        SMOOTH._replace(a=np.inf),
        SMOOTH._replace(a=-np.inf),
        SMOOTH._replace(a=np.inf, b=-np.inf),
        SMOOTH._replace(b=0.2),
        SMOOTH._replace(b=np.inf, weight="cos", wvar=2.0),
    ],
)
def test_first_estimates(domain):
    """The places are those that QUADPACK asks for first, and so is the decision that they are enough."""
    asked = []

    def vector(t):
        asked.append(t)
        return np.array([np.exp(-t * t), t * np.exp(-t * t), np.abs(t - 0.7) ** 0.1 / (1.0 + t**4), 0.0])

    y, missing = first_estimates(vector, 4, domain)
    by_rule = set(asked)
    for i in range(4):
        asked.clear()
        expected, _, found, *_ = scipy.integrate.quad(
            lambda t, i=i: vector(t)[i],
            domain.a,
            domain.b,
            points=domain.points,
            weight=domain.weight,
            wvar=domain.wvar,
            full_output=1,
            **domain.options,
        )
        if by_rule and not domain.is_smooth:
            assert (i in missing) == (found["neval"] > len(by_rule))
            assert by_rule <= set(asked)
        assert i in missing or y[i] == pytest.approx(expected, rel=1e-9, abs=1e-14)
    assert 2 in missing
    assert first_estimates(vector, 0, domain)[1] == []
