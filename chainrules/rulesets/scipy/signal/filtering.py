"""Rules for filters with feedback, by `chainrules.formulas.filters.recursive_filters`.

Filters in sections are one after the other.
"""

import functools
from typing import Any

import numpy as np
from scipy.signal import lfilter, lfilter_zi, sosfilt

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.formulas.filters.recursive_filters import (
    Filter,
    normalized,
    pull_inner,
    pull_signal,
    pull_signal_of_inner,
    pull_state_of_inner,
    pull_steady_state,
    pull_taps_of_inner,
    push_filter,
    push_steady_state,
)
from chainrules.values.operands import OperandInLists
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import (
    array_of,
    cotangent_in_lists,
    cotangents_of,
    tangent_as_array,
    tangent_of,
)
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)

_lfilter, _lfilter_zi, _sosfilt = map(primitive, (lfilter, lfilter_zi, sosfilt))


def _as_vector(x):
    return np.reshape(array_of(x), -1)


def _read(axis=-1, zi=None) -> tuple[int, Any]:
    return axis, zi


def _tangent(x, x_dot):
    return x_dot if isinstance(x_dot, AbstractZero) else tangent_as_array(x, x_dot)


def _of_results(y, y_dot, z_dot):
    """The tangent of the result, with the last state if there is one."""
    if not isinstance(y, tuple):
        return ZeroTangent() if y_dot is None else ProjectTo(y)(y_dot)
    return ZeroTangent() if y_dot is None else tangent_of(y, [ProjectTo(y[0])(y_dot), ProjectTo(y[1])(z_dot)])


def _state_tangent(options, tangents):
    """The tangent of the first state; `None` if there is no state."""
    _, zi = options
    if zi is None:
        return None
    return _tangent(zi, tangents[1]) if len(tangents) > 1 else ZeroTangent()


# --- One filter -------------------------------------------------------------------------------------


@frule.dispatch
def lfilter_frule(
    tangents, f: typeof_(lfilter), b: OperandInLists, a: OperandInLists, x: OperandInLists, *options, **named
):
    _, b_dot, a_dot, x_dot, *option_dots = tangents
    axis, zi = _read(*options, **named)
    y = _lfilter(b, a, x, axis, zi)
    result = y if zi is None else y[0]
    b_dot, a_dot = (
        v_dot if isinstance(v_dot, AbstractZero) else np.reshape(tangent_as_array(v, v_dot), -1)
        for v, v_dot in ((b, b_dot), (a, a_dot))
    )
    z_dot = _spread_state(_state_tangent((axis, zi), option_dots), result, axis)
    taps = normalized(_as_vector(b), _as_vector(a))
    pushed = push_filter(taps, array_of(x), result, axis, b_dot, a_dot, _tangent(x, x_dot), z_dot)
    return y, _of_results(y, *pushed)


def _spread_state(z, y, axis):
    """The state repeated for each sequence."""
    if z is None or isinstance(z, AbstractZero):
        return z
    shape = list(shape_of(y))
    shape[axis] = shape_of(z)[axis]
    return np.broadcast_to(z, tuple(shape))


@rrule.dispatch
def lfilter_rrule(
    f: typeof_(lfilter), b: OperandInLists, a: OperandInLists, x: OperandInLists, *options, **named
):
    axis, zi = _read(*options, **named)
    results = _lfilter(b, a, x, axis, zi)
    y = results if zi is None else results[0]

    def lfilter_pullback(results_bar):
        taps = normalized(_as_vector(b), _as_vector(a))
        y_bar, z_bar = (results_bar, None) if zi is None else cotangents_of(results, results_bar)
        inner = functools.cache(lambda: pull_inner(taps, y_bar, z_bar, axis))
        by_taps = functools.cache(lambda: pull_taps_of_inner(taps, inner(), array_of(x), y))

        def pull_x():
            x_bar = (
                pull_signal(taps, y_bar, axis) if zi is None else pull_signal_of_inner(taps, inner(), axis)
            )
            return cotangent_in_lists(x, x_bar)

        def pull_zi():
            z0_bar = pull_state_of_inner(taps, inner(), axis)
            return cotangent_in_lists(zi, unbroadcast(array_of(zi), z0_bar))

        bars: list[Any] = [NO_TANGENT for _ in options]
        if len(options) > 1 and zi is not None:
            bars[1] = Thunk(pull_zi)
        b_bar, a_bar = (Thunk(lambda v=v, k=k: _taps_like(v, by_taps()[k])) for k, v in enumerate((b, a)))
        return NO_TANGENT, b_bar, a_bar, Thunk(pull_x), *bars

    return results, lfilter_pullback


def _taps_like(v, v_bar):
    """The cotangent of coefficients, without those for zeros at the end."""
    shape = shape_of(array_of(v))
    return cotangent_in_lists(v, np.reshape(v_bar[: shape[0] if shape else 1], shape))


# --- Sections ---------------------------------------------------------------------------------------


@frule.dispatch
def sosfilt_frule(tangents, f: typeof_(sosfilt), sos: OperandInLists, x: OperandInLists, *options, **named):
    _, sos_dot, x_dot, *option_dots = tangents
    axis, zi = _read(*options, **named)
    result = _sosfilt(sos, x, axis, zi)
    z_dot = _state_tangent((axis, zi), option_dots)
    sos_dot, x_dot = _tangent(sos, sos_dot), _tangent(x, x_dot)
    if not isinstance(sos_dot, AbstractZero):
        sos_dot = _in_rows(sos_dot)
    y, ends = array_of(x), []
    for s, taps in enumerate(_sections(sos)):
        y_next = _section(taps, y, axis, zi, s)
        b_dot, a_dot = (sos_dot, sos_dot) if isinstance(sos_dot, AbstractZero) else _taps_of(sos_dot[s])
        if not isinstance(a_dot, AbstractZero):
            a_dot = a_dot * np.array([0.0, 1.0, 1.0])  # SciPy takes only one as the first
        z = z_dot if z_dot is None or isinstance(z_dot, AbstractZero) else z_dot[s]
        y_dot, end = push_filter(taps, y, y_next, axis, b_dot, a_dot, x_dot, z)
        y, x_dot = y_next, ZeroTangent() if y_dot is None else y_dot
        ends.append(end)
    if zi is None:
        return result, ProjectTo(result)(x_dot)
    zeros = np.zeros_like(primal_of(result[1])[0])
    z_end_dot = np.stack([zeros if end is None else end for end in ends])
    return result, _of_results(result, x_dot, z_end_dot)


@rrule.dispatch
def sosfilt_rrule(f: typeof_(sosfilt), sos: OperandInLists, x: OperandInLists, *options, **named):
    axis, zi = _read(*options, **named)
    results = _sosfilt(sos, x, axis, zi)

    def sosfilt_pullback(results_bar):
        y_bar, z_bar = (results_bar, None) if zi is None else cotangents_of(results, results_bar)
        pulled = functools.cache(lambda: _pull_sections(sos, array_of(x), axis, zi, y_bar, z_bar))

        def pull_x():
            if zi is not None:
                return cotangent_in_lists(x, pulled()[1])
            # All sections at once.
            x_bar = np.flip(_sosfilt(array_of(sos), np.flip(y_bar, axis), axis), axis)
            return cotangent_in_lists(x, x_bar)

        bars: list[Any] = [NO_TANGENT for _ in options]
        if len(options) > 1 and zi is not None:
            bars[1] = Thunk(lambda: cotangent_in_lists(zi, pulled()[2]))
        sos_bar = Thunk(lambda: cotangent_in_lists(sos, np.reshape(pulled()[0], shape_of(array_of(sos)))))
        return NO_TANGENT, sos_bar, Thunk(pull_x), *bars

    return results, sosfilt_pullback


def _pull_sections(  # noqa: PLR0913, PLR0917 - all that the sections are given
    sos, x, axis: int, zi, y_bar, z_bar
) -> tuple[Any, Any, Any]:
    """The cotangents of the sections, of the sequence and of the first states."""
    sections = _sections(sos)
    sequences = [x]
    for s, taps in enumerate(sections):
        sequences.append(_section(taps, sequences[-1], axis, zi, s))
    taps_bars, states_bars = [], []
    for s in reversed(range(len(sections))):
        inner = pull_inner(sections[s], y_bar, None if z_bar is None else z_bar[s], axis)
        b_bar, a_bar = pull_taps_of_inner(sections[s], inner, *sequences[s : s + 2])
        taps_bars.append(np.concatenate((b_bar, np.zeros(1), a_bar[1:])))
        states_bars.append(pull_state_of_inner(sections[s], inner, axis))
        y_bar = pull_signal_of_inner(sections[s], inner, axis)
    return np.stack(taps_bars[::-1]), y_bar, np.stack(states_bars[::-1])


def _sections(sos) -> list[Filter]:
    rows = _in_rows(array_of(sos))
    return [normalized(*_taps_of(rows[s])) for s in range(shape_of(rows)[0])]


def _in_rows(sos):
    """A row of coefficients for each section; one section may be given without an axis for them."""
    return np.reshape(sos, (-1, 6))


def _taps_of(section) -> tuple[Any, Any]:
    return section[:3], section[3:]


def _section(taps: Filter, x, axis: int, zi, s: int):
    """The result of one section."""
    return _lfilter(taps.b, taps.a, x, axis) if zi is None else _lfilter(taps.b, taps.a, x, axis, zi[s])[0]


# --- The state of a filter for a constant sequence --------------------------------------------------


@frule.dispatch
def lfilter_zi_frule(tangents, f: typeof_(lfilter_zi), b: OperandInLists, a: OperandInLists):
    _, b_dot, a_dot = tangents
    z = _lfilter_zi(b, a)
    skipped = _zeros_before(a)
    b_dot, a_dot = (
        v_dot if isinstance(v_dot, AbstractZero) else np.reshape(tangent_as_array(v, v_dot), -1)
        for v, v_dot in ((b, b_dot), (a, a_dot))
    )
    a_dot = a_dot if isinstance(a_dot, AbstractZero) else a_dot[skipped:]
    taps = normalized(_as_vector(b), _as_vector(a)[skipped:])
    return z, ProjectTo(z)(push_steady_state(taps, z, b_dot, a_dot))


@rrule.dispatch
def lfilter_zi_rrule(f: typeof_(lfilter_zi), b: OperandInLists, a: OperandInLists):
    z = _lfilter_zi(b, a)

    def lfilter_zi_pullback(z_bar):
        if isinstance(z_bar, AbstractZero) or not shape_of(z)[0]:
            return NO_TANGENT, ZeroTangent(), ZeroTangent()
        skipped = _zeros_before(a)
        b_bar, a_bar = pull_steady_state(normalized(_as_vector(b), _as_vector(a)[skipped:]), z, z_bar)
        return NO_TANGENT, _taps_like(b, b_bar), _taps_like(a, zero_padded(a_bar, skipped, 0))

    return z, lfilter_zi_pullback


def _zeros_before(a) -> int:
    """How many zeros stand before the first coefficient of a denominator; SciPy leaves them out."""
    return int(np.argmax(primal_of(_as_vector(a)) != 0))
