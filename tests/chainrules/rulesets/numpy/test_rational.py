"""Rational routines."""

import numpy as np
import pytest

from chainrules_testutils import test_frule, test_rrule


@pytest.mark.parametrize("f", [np.gcd, np.lcm], ids=lambda f: f.__name__)
def test_not_differentiable(f):
    """Functions of integers have no derivative."""
    test_frule(f, np.array([12, 8]), 18)
    test_rrule(f, np.array([12, 8]), 18)
