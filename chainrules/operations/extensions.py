"""Arrays extended beyond their ends along an axis, and what is beyond the ends folded back: each the adjoint.

Beyond the ends stand, by the names that `scipy.ndimage` has for them::

    reflect       d c b a | a b c d | d c b a
    mirror          d c b | a b c d | c b a
    nearest       a a a a | a b c d | d d d d
    wrap          a b c d | a b c d | a b c d
    constant      0 0 0 0 | a b c d | 0 0 0 0
"""

import functools
from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, frule, primitive, rrule, typeof_


@primitive
def extend(x: Any, before: int, after: int, mode: str, axis: int) -> Any:
    """An array with some elements more before its first and after its last along an axis."""
    if not x.shape[axis]:  # nothing stands anywhere
        shape = list(x.shape)
        shape[axis] = before + after
        return np.zeros_like(x, shape=tuple(shape))
    places = places_beyond(x.shape[axis], before, after, mode)
    y = np.take(x, np.maximum(places, 0), axis)
    if mode == "constant":
        y[_at(places < 0, axis, y.ndim)] = 0
    return y


@primitive
def fold(y: Any, before: int, after: int, mode: str, axis: int) -> Any:
    """An array without so many elements at both ends; they are added to those that `extend` copied there."""
    length = y.shape[axis] - before - after
    x = y[_at(slice(before, before + length), axis, y.ndim)].copy()
    if mode != "constant" and length:
        places = places_beyond(length, before, after, mode)
        for k in (*range(before), *range(before + length, len(places))):
            x[_at(places[k], axis, y.ndim)] += y[_at(k, axis, y.ndim)]
    return x


def _at(part: Any, axis: int, ndim: int) -> tuple[Any, ...]:
    return (*(slice(None),) * (axis % ndim), part)


@functools.lru_cache(maxsize=64)  # a filter extends arrays of few lengths
def places_beyond(length: int, before: int, after: int, mode: str) -> Any:
    """The place in the array that stands at each place of the extended one; -1 where there is a zero."""
    i = np.arange(-before, length + after)
    if mode == "constant":
        return np.where((i >= 0) & (i < length), i, -1)
    if mode == "nearest":
        return np.clip(i, 0, length - 1)
    if mode == "wrap":
        return i % length
    if mode == "reflect":
        return np.minimum(i % (2 * length), -(i + 1) % (2 * length))
    period = max(2 * length - 2, 1)
    return np.minimum(i % period, -i % period)


def _rules(primal: Any, adjoint: Any) -> None:
    @frule.dispatch
    def linear_frule(tangents: Any, f: typeof_(primal), x: ArrayOperand, *how: Any) -> tuple[Any, Any]:
        x_dot = tangents[1]
        return primal(x, *how), x_dot if isinstance(x_dot, AbstractZero) else primal(x_dot, *how)

    @rrule.dispatch
    def linear_rrule(f: typeof_(primal), x: ArrayOperand, *how: Any) -> tuple[Any, Any]:
        def linear_pullback(y_bar: Any) -> Any:
            x_bar = y_bar if isinstance(y_bar, AbstractZero) else adjoint(y_bar, *how)
            return NO_TANGENT, x_bar, *(NO_TANGENT,) * len(how)

        return primal(x, *how), linear_pullback


_rules(extend, fold)
_rules(fold, extend)
