"""The jump of an integrand."""

import numpy as np
import pytest

from chainrules.numerics.jumps import jump_at
from chainrules_core import NoDerivativeError


def step(t):
    """Jumps from 1 to 3 at 0.1, which is no number of Python's: the place may differ by a rounding."""
    return np.array([1.0 if 10.0 * t < 0.1 + 0.2 + 0.7 else 3.0])


def test_what_one_side_takes_of_the_other():
    """The sign is that of the direction; outside of the interval there is no jump."""
    assert jump_at(step, 0.0, 1.0, [0.5, 0.1], 1) == -2.0
    assert jump_at(step, 1.0, 0.0, np.array([0.1]), 0) == 2.0
    assert jump_at(step, 0.2, 1.0, (0.1,), 0) == 0.0
    assert abs(jump_at(np.exp, -1.0, 1.0, (0.0,), 0)) < 1e-14


def test_conditions():
    """A pole, a jump that two points share, and one that is somewhat beside the point."""
    for f, points in ((lambda t: np.array([max(t - 0.1, 1e-20) ** -0.5]), [0.1]), (step, [0.1, 0.1])):
        with pytest.raises(NoDerivativeError, match=r"no derivative by 0.1, which is . times in `points`"):
            jump_at(f, 0.0, 1.0, points, 0)
    with pytest.raises(NoDerivativeError, match="at a distance of"):
        jump_at(step, 0.0, 1.0, [0.1 + 1e-14], 0)
