"""Reading fields, in both modes."""

from dataclasses import dataclass

import pytest

from chainrules.formulas.calls.fields import pull_field, push_field
from chainrules_core import NoTangent, Tangent, ZeroTangent, thunk


@dataclass
class Line:
    """A line, which is called something."""

    slope: float
    name: str = "no name"


LINE = Line(2.0)
LINE_DOT = Tangent[Line](slope=3.0)


@pytest.mark.parametrize("x_dot", [LINE_DOT, thunk(lambda: LINE_DOT)])
def test_push_field(x_dot):
    """The tangent of a field is the same field of the tangent; text has none."""
    assert push_field(LINE, "slope", x_dot) == (2.0, 3.0)
    assert push_field(LINE, "name", x_dot) == ("no name", NoTangent())


@pytest.mark.parametrize("y_bar", [3.0, thunk(lambda: 3.0), 3.0 + 1.0j])
def test_pull_field(y_bar):
    """The cotangent of an object has one field, in the tangent space of the field."""
    y, pull = pull_field(LINE, "slope")

    assert y == 2.0
    assert pull(y_bar) == LINE_DOT


def test_zeros():
    """A field without tangents gives none; a zero stays one."""
    assert pull_field(LINE, "name")[1](NoTangent()) is NoTangent()
    assert pull_field(LINE, "slope")[1](ZeroTangent()) == Tangent[Line](slope=ZeroTangent())


def test_others():
    """What is not a field has no rule."""
    assert push_field(LINE, "other", LINE_DOT) is None
    assert pull_field(LINE, "__class__") is None
