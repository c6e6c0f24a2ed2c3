"""The time at which a solution meets an event."""

import numpy as np
import pytest

from chainrules.ad import ADConfig
from chainrules.numerics.event_times import Meeting, pull_time, push_time
from chainrules_core import NO_TANGENT, NoDerivativeError


def level(t, y, a):
    """An event of two unknowns, at ``a``."""
    return y[0] * t + y[1] ** 2 - a


MEETING = Meeting(level, 1.5, np.array([0.4, 0.7]), (1.09,), np.array([2.0, -0.3]), np.ones(2))


def test_both_modes():
    """``r t_dot + g_dot = 0`` with the rate ``r`` along the solution."""
    rate = 0.4 + 1.5 * 2.0 + 2.0 * 0.7 * -0.3
    t_dot = push_time(ADConfig(), MEETING, NO_TANGENT, np.array([0.5, 0.25]), [2.0])
    assert t_dot == pytest.approx(-(1.5 * 0.5 + 1.4 * 0.25 - 2.0) / rate)
    _, s_bar, (a_bar,) = pull_time(ADConfig(), MEETING, 3.0)
    np.testing.assert_allclose(s_bar, [-1.5 * 3.0 / rate, -1.4 * 3.0 / rate])
    assert a_bar == pytest.approx(3.0 / rate)


def test_grazing():
    """An event that does not move has no time that does."""
    still = MEETING._replace(slope=np.array([0.0, -0.4 / 1.4]))
    with pytest.raises(NoDerivativeError, match=r"grazes an event at t = 1\.5"):
        pull_time(ADConfig(), still, 1.0)
