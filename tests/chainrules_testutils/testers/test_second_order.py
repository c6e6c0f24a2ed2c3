"""`order=2`: derivatives of rules, which an AD system takes by tracing them."""

# ruff: noqa: D103 - a rule's name says what is wrong with it

import functools
import math
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import ADConfig
from chainrules_core import (
    HasReverseMode,
    NoForwardsMode,
    NoTangent,
    RuleConfig,
    Tangent,
    frule,
    primal_of,
    rrule,
    rrule_via_ad,
    typeof_,
    unthunk,
)
from chainrules_testutils import PrimalAndTangent, RuleTestError, test_frule, test_rrule, test_scalar
from chainrules_testutils.testers.trial import Options
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import V, X

RIGHT = {
    "a number": (np.sin, 0.7),
    "a complex number": (np.exp, 0.7 - 0.2j),
    "an array": (np.tanh, X),
    "two arrays": (np.multiply, V, X),
    "products": (np.matmul, X, X.T),
    "sums": (np.sum, X),
    "float32": (np.sin, V.astype(np.float32)),
    "an integer": (rules.power, 1.5, 3),
    "two results": (rules.sine_and_cosine, 0.7),
    "a linear function": (np.negative, V),
}


@pytest.mark.parametrize("mode", ["full", "fast"])
@pytest.mark.parametrize("call", RIGHT.values(), ids=RIGHT)
def test_right_pullbacks(call, mode):
    """The derivatives of right pullbacks are right."""
    report = test_rrule(*call, order=2, mode=mode)

    assert report.failed == 0
    assert any("derivative of the pullback, cotangent" in c.where for c in report.checks)


@pytest.mark.parametrize("call", RIGHT.values(), ids=RIGHT)
def test_right_pushforwards(call):
    """The derivatives of right pushforwards are right."""
    report = test_frule(*call, order=2)

    assert report.failed == 0
    assert any("derivative of the pushforward" in c.where for c in report.checks)


def test_both_at_once():
    """`test_scalar` checks the second derivatives of both modes."""
    wheres = [check.where for check in test_scalar(np.cos, 0.3, order=2).checks]

    assert "frule, tangent 1.0: derivative of the pushforward, cotangent for input 2" in wheres
    assert "rrule, cotangent 1.0: derivative of the pullback, cotangent for input 3" in wheres


def cube(x):
    """A function whose rules below get only first derivatives right."""
    return x**3


def leaves_numpy(config, f, x):
    return cube(x), lambda y_bar: (NoTangent(), 3.0 * math.pow(x, 2.0) * unthunk(y_bar))


def hides_the_argument(config, f, x):
    slope = 3.0 * float(primal_of(x)) ** 2
    return cube(x), lambda y_bar: (NoTangent(), slope * unthunk(y_bar))


def test_rules_that_cannot_be_traced():
    """A rule that leaves NumPy is right, and cannot be differentiated; the failure is the AD system's."""
    assert test_rrule(cube, 2.0, rrule_f=leaves_numpy).failed == 0
    with pytest.raises(RuleTestError, match="- derivative of the pullback: raised TypeError"):
        test_rrule(cube, 2.0, rrule_f=leaves_numpy, order=2)


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_rules_that_hide_their_arguments(mode):
    """A rule that takes its argument for a constant has a wrong derivative, with no error."""
    assert test_rrule(cube, 2.0, rrule_f=hides_the_argument, mode=mode).failed == 0
    with pytest.raises(RuleTestError, match=r"derivative of the pullback, cotangent for input 2") as caught:
        test_rrule(cube, 2.0, rrule_f=hides_the_argument, order=2, mode=mode)
    assert "input 3" not in str(caught.value)


def test_wrong_pushforwards():
    """An `frule` whose derivative is wrong fails with `order=2`."""

    def hides(config, tangents, f, x):
        return cube(x), 3.0 * float(primal_of(x)) ** 2 * tangents[1]

    assert test_frule(cube, 2.0, frule_f=hides).failed == 0
    with pytest.raises(RuleTestError, match="derivative of the pushforward, cotangent for input 2"):
        test_frule(cube, 2.0, frule_f=hides, order=2)


def test_wrong_rules_fail_for_their_first_derivatives():
    """Where the first derivatives are wrong nothing is said about the second ones."""

    def wrong(config, f, x):
        return cube(x), lambda y_bar: (NoTangent(), x**2 * y_bar)

    with pytest.raises(RuleTestError) as caught:
        test_rrule(cube, 2.0, rrule_f=wrong, order=2)
    assert "derivative of the pullback" not in str(caught.value)


class OtherAD(RuleConfig[HasReverseMode, NoForwardsMode]):
    """An AD system that counts what it is asked."""

    asked = 0


@rrule_via_ad.dispatch
def rrule_via_other_ad(config: OtherAD, f: object, *args: object, **kwargs: object):
    OtherAD.asked += 1
    return rrule_via_ad(ADConfig(), f, *args, **kwargs)


class BadAD(RuleConfig[HasReverseMode, NoForwardsMode]):
    """An AD system that returns too little."""


@rrule_via_ad.dispatch
def rrule_via_bad_ad(config: BadAD, f: object, *args: object, **kwargs: object):
    return f(*args, **kwargs)


def test_other_ad_systems():
    """The AD system is that of the configuration which is given; its answer has to be one."""
    assert test_rrule(np.sin, 0.7, order=2, second_order_via=OtherAD()).failed == 0
    assert OtherAD.asked == 1
    with pytest.raises(RuleTestError, match=r"rrule_via_ad should return \(y, pullback\), not \("):
        test_rrule(np.sin, 0.7, order=2, second_order_via=BadAD())


def test_without_an_ad_system(monkeypatch):
    """The error says what to install, or to give; derivatives of order one need nothing."""
    monkeypatch.setitem(sys.modules, "chainrules.ad", None)
    with pytest.raises(ModuleNotFoundError, match=r"not installed\. .* \./chainrules\. Or give"):
        test_rrule(np.sin, 0.7, order=2)
    assert test_rrule(np.sin, 0.7).failed == 0


def test_excluded_arguments():
    """An argument with `NoTangent()` is not differentiated in the second order either."""

    def scaled(x, a):
        return a * x

    @rrule.dispatch
    def scaled_rrule(f: typeof_(scaled), x: float, a: float):
        return a * x, lambda y_bar: (NoTangent(), a * y_bar, NoTangent())

    @frule.dispatch
    def scaled_frule(tangents, f: typeof_(scaled), x: float, a: float):
        return a * x, a * tangents[1]

    a = PrimalAndTangent(3.0, NoTangent())
    assert test_frule(scaled, 2.0, a, order=2).failed == 0
    assert test_rrule(scaled, 2.0, a, order=2).failed == 0


@dataclass
class Power:
    """A callable that holds a number."""

    p: float

    def __call__(self, x):
        """Its value."""
        return np.exp(self.p * x)


@rrule.dispatch
def power_rrule(f: Power, x: float):
    y = f(x)

    def power_pullback(y_bar):
        y_bar = unthunk(y_bar)
        return Tangent[Power](p=x * y * y_bar), f.p * y * y_bar

    return y, power_pullback


@frule.dispatch
def power_frule(tangents, f: Power, x: float):
    f_dot, x_dot = tangents
    y = f(x)
    return y, y * (f.p * x_dot + x * f_dot.p)


def closure_over(p):
    return lambda x: np.sin(p * x)


CALLABLES = {
    "functor": Power(0.7),
    "partial": functools.partial(np.multiply, 0.7),
    "closure": closure_over(0.7),
}


@pytest.mark.parametrize("f", CALLABLES.values(), ids=CALLABLES)
def test_what_a_function_holds(f):
    """The values that a function holds are differentiated by too, after the argument and the cotangent."""
    report = test_rrule(f, 1.2, rrule_f=with_rule_or_ad, order=2)

    assert "derivative of the pullback, cotangent for input 4" in [c.where for c in report.checks]


def with_rule_or_ad(config, f, x):
    return rrule(f, x) or rrule_via_ad(ADConfig(), f, x)


def test_pushforwards_of_what_a_function_holds():
    """A pushforward is differentiated by the held values and by their tangents."""
    wheres = [check.where for check in test_frule(Power(0.7), 1.2, order=2).checks]

    assert "derivative of the pushforward, cotangent for input 5" in wheres


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_rules_that_hide_what_a_function_holds(mode):
    """A rule that takes a captured number for a constant has a wrong derivative by it."""

    def hides(config, f, x):
        y, p = f(x), float(primal_of(f.p))
        return y, lambda y_bar: (Tangent[Power](p=x * y * unthunk(y_bar)), p * y * unthunk(y_bar))

    assert test_rrule(Power(0.7), 1.2, rrule_f=hides).failed == 0
    with pytest.raises(RuleTestError, match="derivative of the pullback, cotangent for input 4"):
        test_rrule(Power(0.7), 1.2, rrule_f=hides, order=2, mode=mode)


def test_structures():
    """Structural tangents are traced through."""
    wheres = [check.where for check in test_frule(np.add, V, V, order=2).checks]
    assert "derivative of the pushforward, cotangent for input 5" in wheres
    y_bar = Tangent[tuple](2.0, NoTangent())
    assert test_rrule(rules.sine_and_cosine, 0.7, output_tangent=y_bar, order=2).failed == 0


def test_orders():
    """Order 1 and order 2 are known, and no other."""
    with pytest.raises(ValueError, match="order=3: derivatives are checked up to order 1 or 2"):
        Options(order=3)


def test_rules_without_numbers_to_differentiate():
    """Where all cotangents are `NoTangent()` there is nothing to differentiate again."""
    assert test_rrule(rules.square, PrimalAndTangent(3, NoTangent()), order=2).failed == 0


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_what_is_not_linear_is_wrong(mode):
    """A pullback that is right for one cotangent, of both signs, and of another order in it."""

    def rule(config, f, x):
        return x * x, lambda y_bar: (NoTangent(), 2.0 * x * (y_bar**3 / 4.0))

    call = {"output_tangent": np.array([2.0, -2.0]), "rrule_f": rule, "mode": mode}
    test_rrule(np.square, np.array([1.5, 0.7]), **call)
    with pytest.raises(RuleTestError, match="derivative of the pullback, cotangent for input 3"):
        test_rrule(np.square, np.array([1.5, 0.7]), **call, order=2)
