"""The rules of bound methods: those of the function."""

import types
from dataclasses import dataclass

import pytest

from chainrules.ad import ADConfig, call, grad, interception
from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    RuleConfig,
    RuleNotFoundError,
    Tangent,
    frule,
    frule_via_ad,
    rrule,
    rrule_via_ad,
    typeof_,
)
from chainrules_testutils import test_frule, test_rrule


@dataclass
class Line:
    """A straight line through the origin."""

    slope: float

    def at(self, x):
        """Its height."""
        return self.slope * x

    def again(self, x):
        """The same, by a rule that calls back into AD."""
        return self.at(x)

    def without_rule(self, x):
        """Something that nobody has derived."""
        return self.slope + x


@frule.dispatch
def at_frule(tangents, f: typeof_(Line.at), line: Line, x: float):
    """Both may vary."""
    _, line_dot, x_dot = tangents
    return line.slope * x, line.slope * x_dot + line_dot.slope * x


@rrule.dispatch
def at_rrule(f: typeof_(Line.at), line: Line, x: float):
    """Both get a cotangent."""

    def at_pullback(y_bar):
        return NoTangent(), Tangent[Line](slope=x * y_bar), line.slope * y_bar

    return line.slope * x, at_pullback


def test_bound_methods():
    """The object has a tangent too, as the object of the method."""
    test_frule(Line(2.0).at, 3.0)
    test_rrule(Line(2.0).at, 3.0)


@rrule.dispatch
def again_rrule(config: RuleConfig[HasReverseMode], f: typeof_(Line.again), g: Line, x: float):
    """Call back into AD."""
    y, pullback = rrule_via_ad(config, g.at, x)
    return y, lambda y_bar: (NoTangent(), pullback(y_bar)[0].__self__, pullback(y_bar)[1])


@frule.dispatch
def again_frule(config: RuleConfig[HasForwardsMode], tangents, f: typeof_(Line.again), g: Line, x: float):
    """Likewise."""
    g_dot = Tangent[types.MethodType](__self__=tangents[1])
    return frule_via_ad(config, (g_dot, tangents[2]), g.at, x)


def test_methods_whose_rules_call_back():
    """They are given the configuration."""
    test_frule(Line(2.0).again, 3.0, config=ADConfig())
    test_rrule(Line(2.0).again, 3.0, config=ADConfig())
    assert rrule(Line(2.0).again, 3.0) is None


def test_constant_objects():
    """The argument alone may vary."""
    y, pullback = rrule(Line(2.0).at, 3.0)

    assert (y, pullback(1.0)[1]) == (6.0, 2.0)
    assert grad(lambda x: call(Line(2.0).at, x))(3.0) == 2.0


def test_methods_of_functions_without_rules():
    """A bound method of a function without a rule has none either, and is entered."""
    assert rrule(Line(2.0).without_rule, 3.0) is None
    assert frule((NoTangent(), 1.0), Line(2.0).without_rule, 3.0) is None
    assert grad(lambda x: call(Line(2.0).without_rule, x))(3.0) == 1.0
    with interception(False), pytest.raises(RuleNotFoundError):
        grad(lambda x: call(Line(2.0).without_rule, x))(3.0)
