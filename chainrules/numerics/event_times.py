"""The time at which a solution of a differential equation meets an event, by the implicit function theorem.

Where ``g(t, y(t), p) = 0`` and ``r = dg/dt = ∂g/∂t + ∂g/∂y f`` is not zero, ``r t_dot + g_dot = 0`` with the
tangent ``g_dot`` of `g` at a fixed time, where the solution has the tangent ``s``. If ``r`` is zero, the
solution grazes the event: the least change of a parameter makes one meeting two, or none.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.values.iterables import zeros_if_zero
from chainrules_core import NO_TANGENT, NoDerivativeError, frule_via_ad, primal_of, rrule_via_ad

# A rate below this part of the one at the mean speed of the solution is none.
GRAZING = 1e-5


class Meeting(NamedTuple):
    """An event ``g(t, y, *args)``, where a solution with the derivative `slope` meets it.

    The mean speed of each number of the solution, on its way as a whole, is `speed`.
    """

    g: Any
    t: Any
    y: Any
    args: tuple[Any, ...]
    slope: Any
    speed: Any

    def check(self, by_time: Any, by_state: Any) -> Any:
        """The derivative of the event along the solution, which must not be zero."""
        rate = by_time + np.sum(np.real(np.conj(by_state) * self.slope))
        mean = np.abs(primal_of(by_time)) + np.sum(np.abs(primal_of(by_state)) * self.speed)
        if not np.abs(primal_of(rate)) > GRAZING * mean:
            raise NoDerivativeError(
                f"scipy.integrate.solve_ivp: the solution grazes an event at t = {primal_of(self.t)}, where "
                f"the event moves at the rate {primal_of(rate)}, so that its time has no derivative: with "
                "the least change of a parameter the solution meets it twice, or never."
            )
        return rate


def push_time(config: Any, meeting: Meeting, g_dot: Any, s: Any, arg_dots: Any) -> Any:
    """The tangent of the time, from those of the event, of the solution at a fixed time, and of `args`."""
    g, t, y, args, *_ = meeting

    def pushed(*dots: Any) -> Any:
        value, value_dot = frule_via_ad(config, dots, g, t, y, *args)
        return np.sum(zeros_if_zero(value, value_dot))

    still = [NO_TANGENT] * len(args)
    by_time = pushed(NO_TANGENT, 1.0, NO_TANGENT, *still)
    units = (1.0, 1.0j) if np.iscomplexobj(primal_of(y)) else (1.0,)
    by_parts = [
        np.stack([pushed(NO_TANGENT, NO_TANGENT, unit * row, *still) for row in np.eye(len(y))])
        for unit in units
    ]
    by_state = by_parts[0] if len(units) == 1 else by_parts[0] + 1j * by_parts[1]
    return -pushed(g_dot, NO_TANGENT, s, *arg_dots) / meeting.check(by_time, by_state)


def pull_time(config: Any, meeting: Meeting, t_bar: Any) -> tuple[Any, Any, list[Any]]:
    """The cotangents of the event, of the solution at a fixed time, and of `args`."""
    g, t, y, args, *_ = meeting
    value, pullback = rrule_via_ad(config, g, t, y, *args)

    def pulled(value_bar: Any) -> Any:
        shape = np.shape(primal_of(value))
        return pullback(np.broadcast_to(value_bar, shape) if shape else value_bar)

    _, by_time, by_state, *_ = pulled(1.0)
    rate = meeting.check(zeros_if_zero(t, by_time), zeros_if_zero(y, by_state))
    g_bar, _, s_bar, *arg_bars = pulled(-t_bar / rate)
    return g_bar, zeros_if_zero(y, s_bar), arg_bars
