"""The rules of bound methods: those of the function."""

from dataclasses import dataclass

import pytest

from chainrules.ad import call, grad
from chainrules_core import NoTangent, RuleNotFoundError, Tangent, frule, rrule, typeof_
from chainrules_testutils import test_frule, test_rrule


@dataclass
class Line:
    """A straight line through the origin."""

    slope: float

    def at(self, x):
        """Its height."""
        return self.slope * x

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


def test_constant_objects():
    """The argument alone may vary."""
    y, pullback = rrule(Line(2.0).at, 3.0)

    assert (y, pullback(1.0)[1]) == (6.0, 2.0)
    assert grad(lambda x: call(Line(2.0).at, x))(3.0) == 2.0


def test_methods_of_functions_without_rules():
    """There is none for the bound method either."""
    assert rrule(Line(2.0).without_rule, 3.0) is None
    assert frule((NoTangent(), 1.0), Line(2.0).without_rule, 3.0) is None
    with pytest.raises(RuleNotFoundError):
        grad(lambda x: call(Line(2.0).without_rule, x))(3.0)
