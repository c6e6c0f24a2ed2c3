"""Rules that call back into AD, which ChainRules' own documents teach with: maps, sums, integrals."""

import math
import types
from collections.abc import Callable

import numpy as np
import pytest

from chainrules.ad import ADConfig, grad
from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    NoForwardsMode,
    NoReverseMode,
    NoTangent,
    RuleConfig,
    Tangent,
    ZeroTangent,
    frule_via_ad,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
    unthunking,
)
from chainrules_testutils import test_approx, test_rrule


@pytest.fixture
def rng():
    """A seeded generator."""
    return np.random.default_rng(0)


class ForwardAD(RuleConfig[HasForwardsMode, NoReverseMode]):
    """An AD system with forward mode, which remembers what it was asked."""

    def __init__(self):
        self.asked = []


class ReverseAD(RuleConfig[HasReverseMode, NoForwardsMode]):
    """An AD system without forward mode."""


@frule_via_ad.dispatch
def frule_via_forward_ad(config: ForwardAD, tangents: tuple, f: object, *args: object):
    """Its forward mode knows one function: the square."""
    config.asked.append((tangents, f, args))
    (x,), (_, x_dot) = args, tangents
    return x**2, 2 * x * x_dot


def test_map_through_forward_mode():
    """A rule that asks for forward mode is there for AD systems that have it, and calls them back."""

    def mapped(f, x):
        return np.array([f(x_i) for x_i in x])

    def square(x):
        return x**2

    @rrule.dispatch
    def mapped_rrule(
        config: RuleConfig[HasForwardsMode], callee: typeof_(mapped), f: Callable, x: np.ndarray
    ):
        pairs = [frule_via_ad(config, (NoTangent(), 1.0), f, x_i) for x_i in x.tolist()]
        y, y_dot = map(np.array, zip(*pairs, strict=True))

        def mapped_pullback(y_bar):
            return NoTangent(), NoTangent(), y_bar * y_dot

        return y, mapped_pullback

    config, x = ForwardAD(), np.array([1.0, 2.0, 3.0])
    y, pullback = rrule(config, mapped, square, x)

    assert np.array_equal(y, x**2)
    assert np.array_equal(pullback(np.ones(3))[2], 2 * x)
    assert config.asked == [((NoTangent(), 1.0), square, (x_i,)) for x_i in (1.0, 2.0, 3.0)]
    assert rrule(ReverseAD(), mapped, square, x) is None
    assert rrule(mapped, square, x) is None
    assert test_rrule(mapped, square, x, rtol=1e-7).failed == 0


def test_a_rule_for_one_ad_system():
    """A rule that names the configuration of one AD system is there for no other."""

    def traced(x):
        return x

    @rrule.dispatch
    def traced_rrule(config: ReverseAD, f: typeof_(traced), x: float):
        return x, lambda y_bar: (NoTangent(), y_bar)

    assert rrule(ReverseAD(), traced, 1.0) is not None
    assert rrule(ForwardAD(), traced, 1.0) is None
    assert rrule(traced, 1.0) is None


def test_the_gradients_of_an_ad_system_can_be_tested(rng):
    """What differentiates a call in the place of `rrule` is checked like a rule."""

    def affine(x):
        return np.sum(3 * x**2) + 1

    config = ADConfig()
    assert rrule(config, affine, np.ones(2)) is None
    assert test_rrule(affine, rng.normal(size=3), rrule_f=rrule_via_ad, config=config).failed == 0


def test_a_sum_over_calls(rng):
    """A rule of a sum over calls adds the cotangents of what a closure holds; a function holds nothing."""
    differentiated_by_f = []

    def sum_over(f, xs):
        return sum(f(x) for x in xs)

    @rrule.dispatch
    def sum_over_rrule(
        config: RuleConfig[HasReverseMode], callee: typeof_(sum_over), f: Callable, xs: np.ndarray
    ):
        ys, pullbacks = zip(*(rrule_via_ad(config, f, x) for x in xs.tolist()), strict=True)

        @unthunking
        def sum_over_pullback(y_bar):
            f_bars, x_bars = zip(*(pullback(y_bar) for pullback in pullbacks), strict=True)
            if f.__closure__ is None:
                return NoTangent(), NoTangent(), np.array(x_bars)
            differentiated_by_f.append(f)
            return NoTangent(), sum(f_bars, start=ZeroTangent()), np.array(x_bars)

        return sum(ys), sum_over_pullback

    xs, w = rng.normal(size=3), 2.0
    assert test_rrule(sum_over, lambda x: x * x, xs, rtol=1e-7).failed == 0
    assert differentiated_by_f == []
    assert test_rrule(sum_over, lambda x: w * x * x, xs, rtol=1e-7).failed == 0
    assert differentiated_by_f
    assert grad(lambda w: primitive(sum_over)(lambda x: w * x, xs))(2.0) == pytest.approx(np.sum(xs))


GRID = np.linspace(0.0, 1.0, 101)
STEPS = np.diff(GRID)
POINTS = np.cumsum(STEPS)


def integrate(f):
    """A rectangle rule on a grid."""
    return sum(f(x) * dx for x, dx in zip(POINTS.tolist(), STEPS.tolist(), strict=True))


@rrule.dispatch
def integrate_rrule(config: RuleConfig[HasReverseMode], callee: typeof_(integrate), f: Callable):
    """The cotangent of what `f` closes over is the integral of its derivatives."""
    ys, pullbacks = zip(*(rrule_via_ad(config, f, x) for x in POINTS.tolist()), strict=True)

    @unthunking
    def integrate_pullback(y_bar):
        f_bar = ZeroTangent()
        for pullback, dx in zip(pullbacks, STEPS.tolist(), strict=True):
            f_bar = f_bar + pullback(y_bar * dx)[0]
        return NoTangent(), f_bar

    return math.fsum(y * dx for y, dx in zip(ys, STEPS.tolist(), strict=True)), integrate_pullback


def line_integral(p, integral):
    """The integral of a line with slope and offset `p`."""
    return integral(lambda x: p[0] * x + p[1])


def test_the_gradient_by_what_a_closure_holds():
    """Through the rule, which returns a cotangent of the closure, as through the body: [0.505, 1]."""
    p = np.array([2.0, 1.0])
    by_rule = grad(lambda p: line_integral(p, primitive(integrate)))(p)

    test_approx(by_rule, np.array([0.505, 1.0]))
    test_approx(by_rule, grad(lambda p: line_integral(p, integrate))(p))


def test_the_cotangent_of_a_closure():
    """It is a structural tangent with a field for each variable that the closure closes over."""
    p, config = np.array([2.0, 1.0]), ReverseAD()

    @rrule_via_ad.dispatch
    def rrule_via_reverse_ad(config: ReverseAD, f: object, x: float):
        def line_pullback(y_bar):
            return Tangent[types.FunctionType](p=y_bar * np.array([x, 1.0])), y_bar * p[0]

        return f(x), line_pullback

    y, pullback = rrule(config, integrate, lambda x: p[0] * x + p[1])
    f_bar = pullback(1.0)[1]

    test_approx(y, 2.01)
    assert isinstance(f_bar, Tangent[types.FunctionType])
    test_approx(f_bar.p, np.array([0.505, 1.0]))


def test_the_gradient_by_an_explicit_parameter():
    """Where the parameter is an argument of every function, the rule gives its cotangent in that place."""

    def integral(f, p):
        return integrate(lambda x: f(x, p))

    @rrule.dispatch
    def integral_rrule(
        config: RuleConfig[HasReverseMode], callee: typeof_(integral), f: Callable, p: np.ndarray
    ):
        p_bars = [
            rrule_via_ad(config, f, x, p)[1](dx)[2]
            for x, dx in zip(POINTS.tolist(), STEPS.tolist(), strict=True)
        ]

        @unthunking
        def integral_pullback(y_bar):
            return NoTangent(), NoTangent(), y_bar * sum(p_bars)

        return integral(f, p), integral_pullback

    p_bar = grad(lambda p: primitive(integral)(lambda x, p: p[0] * x + p[1], p))(np.array([2.0, 1.0]))
    test_approx(p_bar, np.array([0.505, 1.0]))
