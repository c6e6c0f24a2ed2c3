"""The rules of powers and roots that leave the real numbers, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import positive
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, within


def test_square_root():
    """On positive, negative and complex numbers, and on arrays of both signs."""
    check_elementwise(np.emath.sqrt, positive, complex_numbers=True)
    check_elementwise(np.emath.sqrt, within(-3.0, -0.3))
    check_rule(np.emath.sqrt, np.array([0.5, 2.0, -3.0]))


@pytest.mark.parametrize("x", [0.0, np.zeros(2)])
def test_square_root_at_zero(x):
    """The slope is infinite."""
    assert np.all(rrule(np.emath.sqrt, x)[1](x + 1.0)[1] == np.inf)


def test_power():
    """On bases of both signs and any exponents."""
    check_elementwise(np.emath.power, positive, anywhere, complex_numbers=True)
    check_elementwise(np.emath.power, within(-3.0, -0.3), anywhere)
    check_rule(np.emath.power, np.array([0.5, 2.0, -3.0]), 2.5)


@pytest.mark.parametrize(
    ("x", "p"), [(np.array([1, 2, -3]), 1.5), (2.5, np.array([-2, -1, 0])), (-2.5, 3), (2, 1.5)]
)
def test_power_of_integers(x, p):
    """An integer is a number like any other."""
    check_rule(np.emath.power, x, p)


def test_power_of_zero():
    """As for `numpy.power`: ``0 ** 0.5`` has an infinite slope, ``0 ** 2`` none."""
    assert rrule(np.emath.power, 0.0, 0.5)[1](1.0)[1] == np.inf
    assert rrule(np.emath.power, 0.0, 2.0)[1](1.0)[1] == 0.0
    assert frule((NoTangent(), 0.0, 0.0), np.emath.power, 0.0, 0.5)[1] == 0.0
