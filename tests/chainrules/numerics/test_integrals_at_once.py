"""Derivatives of integrals by one call of the integrand, where there are any."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from chainrules.ad import ADConfig
from chainrules.numerics.integrals_at_once import pulled_at_once, pushed_at_once
from chainrules.numerics.integrals_of_vectors import Domain, as_divided
from chainrules.values.held_numbers import places_in
from chainrules_core import NO_TANGENT, unthunk

OPTIONS = {"epsabs": 1e-10, "epsrel": 1e-10}
SMOOTH = Domain(0.2, 1.5, None, None, OPTIONS)


def scaled(t, a):
    """A smooth integrand."""
    return np.exp(-a * t)


def divided(f, domain):
    """The intervals that QUADPACK ends with."""
    more = {"weight": domain.weight, "wvar": domain.wvar, "points": domain.points}
    found = quad(f, domain.a, domain.b, (0.7,), full_output=1, **more, **domain.options)[2]
    return None if domain.weight else as_divided(found)


def pulled(f, domain):
    """The cotangents of `f` and of its argument."""
    return pulled_at_once(ADConfig(), f, (0.7,), places_in((f, (0.7,))), 2.0, domain, divided(f, domain))


def pushed(f, domain):
    """The tangent of the integral."""
    return pushed_at_once(ADConfig(), (NO_TANGENT, [3.0]), f, (0.7,), domain, divided(f, domain))


@pytest.mark.parametrize("domain", [SMOOTH, SMOOTH._replace(a=1.5, b=0.2)])
def test_a_smooth_integrand(domain):
    """Both modes, also where the limits are the other way round."""
    sign = np.sign(domain.b - domain.a)
    integral = -np.diff([(t / 0.7 + 1.0 / 0.49) * np.exp(-0.7 * t) for t in (1.5, 0.2)])[0]
    expected = sign * integral
    _, args_bar = pulled(scaled, domain)
    assert unthunk(args_bar[0]) == pytest.approx(2.0 * expected, rel=1e-12)
    y_dot = pushed(scaled, domain)
    assert y_dot == pytest.approx(3.0 * expected, rel=1e-12)


@pytest.mark.parametrize(
    ("f", "domain"),
    [
        (lambda t, a: math.exp(-a * t), SMOOTH),
        (lambda t, a: np.where(t > 0.7, a, 0.0), SMOOTH),
        (lambda t, a: a / np.sqrt(t - 0.2), SMOOTH),
        (scaled, SMOOTH._replace(weight="cos", wvar=2.0)),
        (lambda t, a: a * np.sum(np.exp(-t * np.arange(3.0))), SMOOTH),
    ],
)
def test_no_answer(f, domain):
    """Of functions of one number, jumps, singularities, weights, and sums over the places."""
    assert pulled(f, domain) is None
    assert pushed(f, domain) is None


def test_points():
    """A kink at one of them does no harm."""
    domain = SMOOTH._replace(points=[0.7, 3.0])
    expected = 3.0 * 0.5 * (0.5**2 + 0.8**2)
    assert pushed(lambda t, a: np.abs(t - 0.7) * a, domain) == pytest.approx(expected, rel=1e-12)


def bell(t, a):
    """A narrow part, which the places on the whole interval all miss, beside a kink."""
    return np.abs(t - 0.3) + a * np.exp(-(((t - 0.3) / 1e-3) ** 2))


@pytest.mark.parametrize(
    ("f", "domain", "expected"),
    [
        (lambda t, a: np.cos(30.0 * t) * a, SMOOTH, (np.sin(45.0) - np.sin(6.0)) / 30.0),
        (lambda t, a: np.abs(t - 0.7) * a, SMOOTH, 0.5 * (0.5**2 + 0.8**2)),
        (lambda t, a: np.sqrt(t - 0.2) * a, SMOOTH, 1.3**1.5 / 1.5),
        (bell, SMOOTH, np.sqrt(np.pi) * 1e-3),
        (bell, SMOOTH._replace(a=1.5, b=0.2), -np.sqrt(np.pi) * 1e-3),
        (lambda t, a: a * np.exp(-t), SMOOTH._replace(b=np.inf), np.exp(-0.2)),
        (lambda t, a: a * np.exp(t), SMOOTH._replace(a=-np.inf), np.exp(1.5)),
        (lambda t, a: a * np.exp(-t), SMOOTH._replace(a=np.inf, b=0.2), -np.exp(-0.2)),
        (lambda t, a: a * np.exp(-t * t), SMOOTH._replace(a=-np.inf, b=np.inf), np.sqrt(np.pi)),
        (lambda t, a: a / (t * t + 1e-4), SMOOTH._replace(a=-0.3), 100 * (np.arctan(150) + np.arctan(30))),
    ],
)
def test_divided_intervals(f, domain, expected):
    """The places are on the intervals that the integrand itself needs, mapped if they are infinite."""
    _, args_bar = pulled(f, domain)
    assert unthunk(args_bar[0]) == pytest.approx(2.0 * expected, rel=1e-9)
    assert pushed(f, domain) == pytest.approx(3.0 * expected, rel=1e-9)
