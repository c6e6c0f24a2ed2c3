"""The rules of attributes, against finite differences."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, frule, rrule
from tests.chainrules.container_checks import check_both_modes, check_no_derivative, check_refused
from tests.chainrules.rule_checks import normal


@dataclass(frozen=True)
class Line:
    """A line."""

    slope: float
    name: str

    @property
    def double(self):
        """A property."""
        return 2 * self.slope


class Pair(NamedTuple):
    """A named tuple."""

    first: float
    second: np.ndarray


class Plain:
    """A plain object."""

    def __init__(self, x):
        self.x = x


@pytest.mark.parametrize(
    ("x", "name"),
    [
        (Line(1.5, "a"), "slope"),
        (Pair(1.5, normal(2)), "second"),
        (Plain(normal(3)), "x"),
        (1.5 + 2.5j, "real"),
        (1.5 + 2.5j, "imag"),
        (1.5, "real"),
        (normal(2, 3), "T"),
        (normal(2, dtype=complex), "imag"),
        (normal(2, 3), "ndim"),
        (normal(2, 3), "size"),
    ],
)
def test_getattr(x, name):
    """Fields of objects, and attributes of arrays and numbers."""
    check_both_modes(getattr, x, name)


def test_getattr_with_a_default():
    """A default that is not needed changes nothing."""
    check_both_modes(getattr, Line(1.5, "a"), "slope", 2.5)


def test_attributes_without_derivative():
    """A text has none, nor has a dtype."""
    check_no_derivative(getattr, Line(1.5, "a"), "name")
    check_no_derivative(getattr, normal(2, 3), "shape")
    check_no_derivative(getattr, normal(2), "dtype")


def test_the_other_fields_are_zero():
    """The cotangent is structural."""
    assert rrule(getattr, Line(1.5, "a"), "slope")[1](3.0)[1] == Tangent[Line](slope=3.0)
    assert frule((NoTangent(), Line(3.0, "a"), NoTangent()), getattr, Line(1.5, "a"), "slope")[1] == 3.0


@pytest.mark.parametrize(
    ("x", "name"), [(Line(1.5, "a"), "double"), (normal(2), "flat"), (Line(1.5, "a"), "area")]
)
def test_no_rule(x, name):
    """A property is computed, and not every attribute of an array has a meaning."""
    assert rrule(getattr, x, name) is None
    assert frule((NoTangent(), NoTangent(), NoTangent()), getattr, x, name) is None


def test_changes_are_refused():
    """They would leave no trace."""
    check_refused(setattr, Plain(1.5), "x", 2.5, match=r"builtins\.setattr of a Plain .*dataclasses\.replace")
    check_refused(delattr, Plain(1.5), "x", match=r"builtins\.delattr")
