"""Filters with feedback, ``Σ_k a_k y[n-k] = Σ_k b_k x[n-k]``, which begin in a state and end in one.

With ``a_0 = 1``, sequences as polynomials, and the state before the first of `N` samples ``z``, the sequence
``u = b x + z`` has a few terms more than `N`. The first `N` terms of ``y = u / a`` are the result, and the
state in the end is what is left over, the later terms of ``u - a y``, as in the transposed direct form II.
A tangent is therefore a filtered one: each of

    b x_dot + z_dot                     b_dot x                     -a_dot y

takes the place of `u`. Backwards, `ū` is made by the same filter with its coefficients conjugate and time
reversed, from the state that the cotangent of the last state is. Then

    x̄[n] = Σ_k conj(b_k) ū[n+k]         b̄_k = Σ_n ū[n+k] conj(x[n])         ā_k = -Σ_n ū[n+k] conj(y[n])

and `z̄` is the beginning of `ū`. A filter with any ``a_0`` is that of ``b / a_0`` and ``a / a_0``.

A. V. Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing", chapter 6.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.signal import correlate, lfilter

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.formulas.arrays.places import size_of
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import conjugate
from chainrules_core import AbstractZero, primitive

_filter, _correlate = primitive(lfilter), primitive(correlate)


class Filter(NamedTuple):
    """Coefficients divided by the first of the denominator.

    Attributes
    ----------
    b, a
        The coefficients, vectors of the same length.
    a0
        The number that they were divided by.
    """

    b: Any
    a: Any
    a0: Any


def normalized(b: Any, a: Any) -> Filter:
    """The filter with these coefficients, vectors of any lengths."""
    a0, lengths = a[0], (shape_of(b)[0], shape_of(a)[0])
    b, a = (zero_padded(v / a0, 0, max(lengths) - n) for v, n in zip((b, a), lengths, strict=True))
    return Filter(b, a, a0)


def push_filter(  # noqa: PLR0913, PLR0917 - all that a filter is given, and its tangents
    taps: Filter, x: Any, y: Any, axis: int, b_dot: Any, a_dot: Any, x_dot: Any, z_dot: Any
) -> tuple[Any, Any]:
    """The tangents of the result and of the last state, the latter `None` if `z_dot` is.

    The tangents of the coefficients are those that were given, before they are divided. Where nothing moves,
    the tangents are `None`.
    """
    order, b, a = shape_of(taps.b)[0] - 1, taps.b, taps.a
    b_dot, a_dot = push_normalized(taps, b_dot, a_dot)
    terms = []
    if not isinstance(x_dot, AbstractZero):
        terms.append((b, x_dot, z_dot))
    elif z_dot is not None and not isinstance(z_dot, AbstractZero):
        terms.append((b, np.zeros_like(x, dtype=y.dtype), z_dot))
    if not isinstance(b_dot, AbstractZero):
        terms.append((b_dot, x, None))
    if not isinstance(a_dot, AbstractZero):
        terms.append((-a_dot, y, None))
    y_dot = z_end_dot = None
    for numerator, sequence, z in terms:
        if z_dot is None:
            part, end = _filter(numerator, a, sequence, axis), None
        else:
            moved = z is not None and not isinstance(z, AbstractZero)
            part, end = _filter(numerator, a, sequence, axis, z if moved else _at_rest(sequence, order, axis))
        y_dot = part if y_dot is None else y_dot + part
        z_end_dot = end if z_end_dot is None else z_end_dot + end
    return y_dot, z_end_dot


def _at_rest(x: Any, order: int, axis: int) -> Any:
    shape = list(shape_of(x))
    shape[axis] = order
    return np.zeros(shape)


def pull_signal(taps: Filter, y_bar: Any, axis: int) -> Any:
    """The cotangent of the sequence, if the filter begins at rest, and nobody asks for its last state."""
    return _backwards(conjugate(taps.b), conjugate(taps.a), y_bar, axis)


def _backwards(b: Any, a: Any, y_bar: Any, axis: int) -> Any:
    return np.flip(_filter(b, a, np.flip(y_bar, axis), axis), axis)


def pull_inner(taps: Filter, y_bar: Any, z_end_bar: Any, axis: int) -> Any:
    """The cotangent of `u`, longer than that of the result by the order of the filter.

    `z_end_bar` is the cotangent of the last state, or `None`.
    """
    a, order, one = conjugate(taps.a), shape_of(taps.a)[0] - 1, np.ones(1)
    if z_end_bar is None:
        return zero_padded(_backwards(one, a, y_bar, axis), 0, order, axis)
    if not size_of(shape_of(z_end_bar)):  # no sequences
        return np.concatenate((y_bar, z_end_bar), axis)
    # The filter arrives at the cotangents of the state if it is given what they come from.
    before = _filter(a, one, np.flip(z_end_bar, axis), axis)
    reversed_bar = np.concatenate((before, np.flip(y_bar, axis)), axis)
    return np.flip(_filter(one, a, reversed_bar, axis), axis)


def pull_signal_of_inner(taps: Filter, u_bar: Any, axis: int) -> Any:
    """The cotangent of the sequence, from that of `u`."""
    order = shape_of(taps.b)[0] - 1
    if not size_of(shape_of(u_bar)):
        return along(u_bar, slice(-order or None), axis)
    return along(_backwards(conjugate(taps.b), np.ones(1), u_bar, axis), slice(-order or None), axis)


def pull_state_of_inner(taps: Filter, u_bar: Any, axis: int) -> Any:
    """The cotangent of the first state, from that of `u`."""
    return along(u_bar, slice(shape_of(taps.b)[0] - 1), axis)


def pull_taps_of_inner(taps: Filter, u_bar: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """The cotangents of the coefficients, before they were divided: vectors of the length of `taps`."""
    if not size_of(shape_of(x)):
        return np.zeros_like(taps.b), np.zeros_like(taps.a)
    b_bar = np.reshape(_correlate(u_bar, x, "valid"), -1)
    a_bar = -np.reshape(_correlate(u_bar, y, "valid"), -1)[1:]
    return pull_normalized(taps, b_bar, a_bar)


def push_normalized(taps: Filter, b_dot: Any, a_dot: Any) -> tuple[Any, Any]:
    """The tangents of the divided coefficients; a zero where nothing moves."""
    length, b, a, a0 = shape_of(taps.b)[0], *taps
    b_dot, a_dot = (
        v_dot if isinstance(v_dot, AbstractZero) else zero_padded(v_dot / a0, 0, length - shape_of(v_dot)[0])
        for v_dot in (b_dot, a_dot)
    )
    if isinstance(a_dot, AbstractZero):
        return b_dot, a_dot
    return b_dot - b * a_dot[0], a_dot - a * a_dot[0]


def pull_normalized(taps: Filter, b_bar: Any, a_bar: Any) -> tuple[Any, Any]:
    """The cotangents of the coefficients, from those of the divided ones but the first, which is one."""
    b, a, a0 = taps
    first = -np.sum(conjugate(b) * b_bar) - np.sum(conjugate(a[1:]) * a_bar)
    divisor = conjugate(a0)
    return b_bar / divisor, np.concatenate((np.reshape(first, 1), a_bar)) / divisor


def along(x: Any, part: slice, axis: int) -> Any:
    """The part of an array along an axis."""
    return x[(*(slice(None),) * (axis % len(shape_of(x))), part)]


def pull_steady_state(taps: Filter, z: Any, z_bar: Any) -> tuple[Any, Any]:
    """The cotangents of the coefficients of a filter, from that of its state for a constant sequence of ones.

    The state solves ``z_i - z_{i+1} + a_{i+1} z_0 = b_{i+1} - a_{i+1} b_0``. The sum of the equations says
    what ``z_0`` is, and the others follow from the last to the first.
    """
    b, a, _ = taps
    sums = np.cumsum(z_bar)
    r_bar = sums - np.sum(conjugate(a[1:]) * sums) / np.sum(conjugate(a))
    b_bar = np.concatenate((np.reshape(-np.sum(conjugate(a[1:]) * r_bar), 1), r_bar))
    return pull_normalized(taps, b_bar, -r_bar * conjugate(b[0] + z[0]))


def push_steady_state(taps: Filter, z: Any, b_dot: Any, a_dot: Any) -> Any:
    """The tangent of the state for a constant sequence of ones; see `pull_steady_state`."""
    b, a, _ = taps
    b_dot, a_dot = push_normalized(taps, b_dot, a_dot)
    r_dot: Any = 0.0
    if not isinstance(b_dot, AbstractZero):
        r_dot = b_dot[1:] - a[1:] * b_dot[0]
    if not isinstance(a_dot, AbstractZero):
        r_dot = r_dot - a_dot[1:] * (b[0] + z[0])
    first = np.sum(r_dot) / np.sum(a)
    return np.flip(np.cumsum(np.flip(r_dot - a[1:] * first)))
