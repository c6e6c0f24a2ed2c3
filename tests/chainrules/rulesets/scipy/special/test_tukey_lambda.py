"""The rules of Tukey's lambda distribution, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules_core import rrule, unthunk
from tests.chainrules.rule_checks import check_rule_in_double


def test_probability():
    """Inside of the support, for powers of both signs and 0."""
    check_rule_in_double(special.tklmbda, np.array([[0.3], [-0.5]]), np.array([0.5, -0.3, 0.0, 1.5]))


def test_single_precision():
    """It stays."""
    x, power = np.array([0.3, -0.5], np.float32), np.float32(0.5)
    bars = rrule(special.tklmbda, x, power)[1](np.ones(2, np.float32))[1:]
    assert [bar.dtype for bar in bars] == [np.float32, np.float32]


def test_outside():
    """Where the probability is 0 or 1 it does not change with the power."""
    assert rrule(special.tklmbda, 3.0, 1.0)[1](1.0)[2] == 0.0
    assert rrule(special.tklmbda, np.array([-3.0]), 1.0)[1](np.ones(1))[2] == 0.0


@pytest.mark.parametrize("x", [-3.0, 3.0, -300.0])
def test_outside_of_the_support(x):
    """The probability is constant."""
    assert [*map(unthunk, rrule(special.tklmbda, x, 1.0)[1](1.0))][1:] == [0.0, 0.0]
