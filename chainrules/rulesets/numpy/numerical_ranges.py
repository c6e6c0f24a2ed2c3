"""Rules for ranges of numbers: their elements are weighted sums of the ends, or exponentials of such sums.

``linspace``: ``y_i = (1 - t_i) start + t_i stop`` with ``t_i = i / divisions``. ``logspace`` is ``base`` to
these powers, and ``geomspace`` the exponential of the ``linspace`` between the logarithms of its ends.
"""

from typing import Any

import numpy as np

from chainrules.makers.linear_rules import tangent_like
from chainrules.values.operands import Operand
from chainrules.values.several_arrays import tangent_as_array, tangent_of, tangents_of
from chainrules_core import NO_TANGENT, frule, primitive, rrule, typeof_, unbroadcast

# --- linspace: a sum of the two ends, hence its own forward rule -----------------------------------


@frule.dispatch
def linspace_frule(tangents, f: typeof_(np.linspace), start: Operand, stop: Operand, *options, **named):
    start_dot, stop_dot = tangents_of((start, stop), tangents[1:3])
    y = np.linspace(start, stop, *options, **named)
    y_dot = np.linspace(start_dot, stop_dot, *options, **named)
    if isinstance(y, tuple):
        return y, tangent_of(y, map(tangent_like, y, y_dot))
    return y, tangent_like(y, y_dot)


@rrule.dispatch
def linspace_rrule(f: typeof_(np.linspace), start: Operand, stop: Operand, *options, **named):
    t, divisions, axis = _read_linspace(*options, **named)

    def linspace_pullback(y_bar):
        step_bar = 0
        if isinstance(y, tuple):
            y_bar, step_bar = tangents_of(y, y_bar)
            step_bar = step_bar / divisions if divisions > 0 else 0
        start_bar, stop_bar = _pulled_to_ends(y_bar, t, axis)
        bars = unbroadcast(start, start_bar - step_bar), unbroadcast(stop, stop_bar + step_bar)
        return NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

    y = np.linspace(start, stop, *options, **named)
    return y, linspace_pullback


def _read_linspace(
    num=50, endpoint: bool = True, retstep: bool = False, dtype=None, axis: int = 0, **_
) -> tuple[Any, int, int]:
    """The weights of the second end, the number of steps between the ends, and the axis of the result."""
    divisions = num - 1 if endpoint else num
    return np.arange(num) / max(divisions, 1), divisions, axis


def _pulled_to_ends(y_bar, t, axis: int):
    y_bar = np.moveaxis(y_bar, axis, -1)
    return y_bar @ (1 - t), y_bar @ t


def _between(start, stop, t):
    """The result of `np.linspace`, along the last axis."""
    return np.expand_dims(start, -1) * (1 - t) + np.expand_dims(stop, -1) * t


# --- logspace: base to the powers that linspace gives ----------------------------------------------


@frule.dispatch
def logspace_frule(tangents, f: typeof_(np.logspace), start: Operand, stop: Operand, *options, **named):
    t, base, axis = _read_logspace(*options, **named)
    start_dot, stop_dot, base_dot = tangents_of((start, stop, base), _three_of(tangents))
    y = np.logspace(start, stop, *options, **named)
    by_base = _between(start, stop, t) * np.expand_dims(base_dot / base, -1)
    by_ends = np.expand_dims(np.log(base), -1) * _between(start_dot, stop_dot, t)
    return y, tangent_like(y, y * np.moveaxis(by_ends + by_base, -1, axis))


@rrule.dispatch
def logspace_rrule(f: typeof_(np.logspace), start: Operand, stop: Operand, *options, **named):
    t, base, axis = _read_logspace(*options, **named)
    y = np.logspace(start, stop, *options, **named)

    def logspace_pullback(y_bar):
        powers_bar = np.moveaxis(y_bar * np.conj(y), axis, -1)
        ends_bar = powers_bar * np.conj(np.expand_dims(np.log(base), -1))
        bars = unbroadcast(start, ends_bar @ (1 - t)), unbroadcast(stop, ends_bar @ t)
        option_bars = [NO_TANGENT for _ in options]
        if len(options) > _BASE:
            base_bar = np.sum(powers_bar * np.conj(_between(start, stop, t)), axis=-1) / np.conj(base)
            option_bars[_BASE] = unbroadcast(base, base_bar)
        return NO_TANGENT, *bars, *option_bars

    return y, logspace_pullback


_BASE = 2  # its place after the ends


def _read_logspace(
    num=50, endpoint: bool = True, base=10.0, dtype=None, axis: int = 0
) -> tuple[Any, Any, int]:
    t, _, _ = _read_linspace(num, endpoint)
    return t, base, axis


def _three_of(tangents):
    """The tangents of the ends and of the base; a base that is not given by position has none."""
    place = 3 + _BASE
    return *tangents[1:3], tangents[place] if len(tangents) > place else NO_TANGENT


# --- geomspace: y_i = start^(1 - t_i) stop^t_i, so that relative changes are interpolated ----------


@frule.dispatch
def geomspace_frule(tangents, f: typeof_(np.geomspace), start: Operand, stop: Operand, *options, **named):
    t, axis = _read_geomspace(*options, **named)
    start_dot, stop_dot = tangents_of((start, stop), tangents[1:3])
    y = np.geomspace(start, stop, *options, **named)
    y_dot = y * np.moveaxis(_between(start_dot / start, stop_dot / stop, t), -1, axis)
    return y, tangent_like(y, y_dot)


@rrule.dispatch
def geomspace_rrule(f: typeof_(np.geomspace), start: Operand, stop: Operand, *options, **named):
    t, axis = _read_geomspace(*options, **named)
    y = np.geomspace(start, stop, *options, **named)

    def geomspace_pullback(y_bar):
        start_bar, stop_bar = _pulled_to_ends(y_bar * np.conj(y), t, axis)
        bars = unbroadcast(start, start_bar / np.conj(start)), unbroadcast(stop, stop_bar / np.conj(stop))
        return NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

    return y, geomspace_pullback


def _read_geomspace(num=50, endpoint: bool = True, dtype=None, axis: int = 0) -> tuple[Any, int]:
    t, _, _ = _read_linspace(num, endpoint)
    return t, axis


# --- arange: y_i = start + i step; where it stops has no influence on its elements -----------------


@frule.dispatch
def arange_frule(tangents, f: typeof_(np.arange), *ends, **named):
    y = primitive(np.arange)(*ends, **named)
    y_dot = np.zeros_like(y)
    for end, dot, weight in zip(ends, tangents[1:], _shares_of_ends(ends, y), strict=True):
        if weight is not None:
            y_dot = y_dot + tangent_as_array(end, dot) * weight
    return y, tangent_like(y, y_dot)


@rrule.dispatch
def arange_rrule(f: typeof_(np.arange), *ends, **named):
    y = primitive(np.arange)(*ends, **named)
    weights = _shares_of_ends(ends, y)

    def arange_pullback(y_bar):
        bars = (
            NO_TANGENT if weight is None else unbroadcast(end, np.sum(y_bar * weight))
            for end, weight in zip(ends, weights, strict=True)
        )
        return NO_TANGENT, *bars

    return y, arange_pullback


def _shares_of_ends(ends: tuple[Any, ...], y) -> list[Any]:
    """The share of each argument in each element; `None` for an argument on which none depends."""
    weights: list[Any] = [None] * len(ends)
    if len(ends) > 1:
        weights[0] = 1
    if len(ends) > 2:
        weights[2] = np.arange(len(y))
    return weights
