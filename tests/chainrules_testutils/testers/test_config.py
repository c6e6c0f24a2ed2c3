"""`TestConfig`: rules where there are some, finite differences elsewhere."""

# ruff: noqa: D103 - a rule's name says whose rule it is

from collections.abc import Callable

import fdm
import numpy as np

from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    RuleConfig,
    Tangent,
    frule,
    frule_via_ad,
    rrule,
    rrule_via_ad,
    typeof_,
)
from chainrules_testutils import TestConfig, test_frule, test_rrule
from tests.chainrules_testutils.rules_under_test import scaled_by, square


def total_of(f, xs):
    """A function that calls back."""
    return sum(f(x) for x in xs)


@rrule.dispatch
def total_of_rrule(config: RuleConfig[HasReverseMode], f: typeof_(total_of), g: Callable, xs: list):
    ys, pullbacks = zip(*(rrule_via_ad(config, g, x) for x in xs), strict=True)

    def total_of_pullback(y_bar):
        g_bars, x_bars = zip(*(pullback(y_bar) for pullback in pullbacks), strict=True)
        return NoTangent(), sum(g_bars[1:], g_bars[0]), Tangent[list](*x_bars)

    return sum(ys), total_of_pullback


@frule.dispatch
def total_of_frule(
    config: RuleConfig[HasForwardsMode], tangents, f: typeof_(total_of), g: Callable, xs: list
):
    _, g_dot, xs_dot = tangents
    pairs = [frule_via_ad(config, (g_dot, xs_dot[i]), g, x) for i, x in enumerate(xs)]
    return sum(y for y, _ in pairs), sum(y_dot for _, y_dot in pairs)


def test_features():
    """The testers' configuration has both modes."""
    assert isinstance(TestConfig(), RuleConfig[HasReverseMode, HasForwardsMode])


def test_rules_are_used():
    """A call back gets the rule of a function that has one."""
    y, pullback = rrule_via_ad(TestConfig(), square, 3.0)

    assert y == 9.0
    assert pullback(1.0) == (NoTangent(), 6.0)
    assert frule_via_ad(TestConfig(), (NoTangent(), 1.0), square, 3.0) == (9.0, 6.0)


def test_finite_differences_are_used():
    """Where there is no rule, finite differences give cotangents of closures and arguments."""
    scale = scaled_by(5.0)
    y, pullback = rrule_via_ad(TestConfig(), scale, np.array([1.0, 2.0]))
    f_bar, x_bar = pullback(np.array([1.0, 10.0]))

    assert y.tolist() == [5.0, 10.0]
    assert np.isclose(f_bar.a, 21.0, rtol=1e-10)
    assert np.allclose(x_bar, [5.0, 50.0], rtol=1e-10)


def test_what_cannot_be_perturbed_gets_no_tangent():
    """Integers and functions without fields are not differentiated."""

    def take(x, i, *, scale):
        return scale * x[i]

    y, pullback = rrule_via_ad(TestConfig(), take, np.ones(2), 1, scale=3.0)
    f_bar, x_bar, i_bar = pullback(1.0)

    assert y == 3.0
    assert f_bar is i_bar is NoTangent()
    assert np.allclose(x_bar, [0.0, 3.0], atol=1e-10)


def test_finite_differences_forwards():
    """Forwards the tangent of the result is a tangent: `Tangent` for a tuple."""

    def both(x):
        return x**2, x**3

    y, y_dot = frule_via_ad(TestConfig(), (NoTangent(), 2.0), both, 1.0)

    assert y == (1.0, 1.0)
    assert type(y_dot) is Tangent[tuple]
    assert np.allclose([y_dot[0], y_dot[1]], [4.0, 6.0], rtol=1e-10)


def test_method():
    """The method of the differences can be chosen."""
    seen = []

    def spied(x):
        seen.append(x)
        return x

    rrule_via_ad(TestConfig(fdm.forward_fdm(3, 1)), spied, 1.0)[1](1.0)
    assert min(seen) == 1.0


def test_rules_that_call_back():
    """A rule that calls back into AD is tested with rules and with closures that have none."""
    for f in (square, scaled_by(2.0)):
        assert test_rrule(total_of, f, [1.0, 2.0]).failed == 0
        assert test_frule(total_of, f, [1.0, 2.0]).failed == 0
