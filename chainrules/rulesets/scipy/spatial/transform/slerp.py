"""Rules for the interpolation of rotations along great circles, `Slerp`: its constructor and calls.

The tangent of an instance has those of its attributes: times and their differences, rotations, and the
vectors from each of these to the next.
"""

import operator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.formulas.rotations import quaternions
from chainrules.makers.rotation_rules import numbers_of, tangent_of_numbers
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)

_FIELDS = ("times", "timedelta", "rotations", "rotvecs")


def _parts(times, q):
    """The attributes, from the times and all quaternions."""
    q = quaternions.unit(q)
    steps = quaternions.vector_of(quaternions.product(quaternions.conjugate(q[:-1]), q[1:]))
    return times, times[1:] - times[:-1], q[:-1], steps


def _times(times):
    return numbers_of(times) * np.float64(1.0)


@frule.dispatch
def slerp_frule(tangents: Any, f: typeof_(Slerp), times: Any, rotations: Rotation):
    dots = [tangents[1], tangent_of_numbers(tangents[2])]
    parts_dot = push_composition(_parts, [_times(times), numbers_of(rotations)], dots)
    return primitive(f)(times, rotations), _tangent(parts_dot)


def _tangent(parts_dot):
    times_dot, timedelta_dot, q_dot, rotvecs_dot = parts_dot
    rotations_dot = q_dot if isinstance(q_dot, AbstractZero) else Tangent[Rotation](quat=q_dot)
    return Tangent[Slerp](
        times=times_dot, timedelta=timedelta_dot, rotations=rotations_dot, rotvecs=rotvecs_dot
    )


@rrule.dispatch
def slerp_rrule(f: typeof_(Slerp), times: Any, rotations: Rotation):
    def slerp_pullback(y_bar: Any) -> Any:
        given = [_times(times), numbers_of(rotations)]
        times_bar, q_bar = pull_composition(_parts, given, tuple(_parts_of_tangent(y_bar)))
        if not isinstance(q_bar, AbstractZero):
            q_bar = Tangent[Rotation](quat=q_bar)
        return NO_TANGENT, ProjectTo(times)(times_bar), q_bar

    return primitive(f)(times, rotations), slerp_pullback


def _parts_of_tangent(y_dot):
    if isinstance(y_dot, AbstractZero):
        return [y_dot] * len(_FIELDS)
    parts = [unthunk(getattr(y_dot, name)) for name in _FIELDS]
    return [
        tangent_of_numbers(part) if name == "rotations" else part
        for name, part in zip(_FIELDS, parts, strict=True)
    ]


def _numbers(slerp):
    return [numbers_of(getattr(slerp, name)) for name in _FIELDS]


def _interpolation(slerp, y, t):
    """The composition of a call: of the attributes and the times."""
    knots = primal_of(slerp).times
    places = np.clip(np.searchsorted(knots, primal_of(t)) - 1, 0, None)

    def composition(times, timedelta, q, rotvecs, t):
        share = (t - times[places]) / timedelta[places]
        step = quaternions.of_vector(rotvecs[places] * share[..., np.newaxis])
        return quaternions.like(quaternions.product(quaternions.unit(q[places]), step), y)

    return composition


@frule.dispatch
def call_frule(tangents: Any, f: Slerp, times: Any):
    y, t = primitive(operator.call)(f, times), _times(times)
    composition = _interpolation(f, numbers_of(y), t)
    dots = [*_parts_of_tangent(tangents[0]), tangents[1]]
    y_dot = push_composition(composition, [*_numbers(f), t], dots)
    return y, y_dot if isinstance(y_dot, AbstractZero) else Tangent[Rotation](quat=y_dot)


@rrule.dispatch
def call_rrule(f: Slerp, times: Any):
    y, t = primitive(operator.call)(f, times), _times(times)

    def call_pullback(y_bar: Any) -> Any:
        composition = _interpolation(f, numbers_of(y), t)
        *bars, t_bar = pull_composition(composition, [*_numbers(f), t], tangent_of_numbers(y_bar))
        return _tangent(bars), ProjectTo(times)(t_bar)

    return y, call_pullback
