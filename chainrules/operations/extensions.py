"""Arrays extended beyond their ends along an axis, and what is beyond the ends folded back: each the adjoint.

Beyond the ends stand, by the names that `scipy.ndimage` has for them::

    reflect       d c b a | a b c d | d c b a
    mirror          d c b | a b c d | c b a
    nearest       a a a a | a b c d | d d d d
    wrap          a b c d | a b c d | a b c d
    constant      0 0 0 0 | a b c d | 0 0 0 0

and by those that `scipy.signal.upfirdn` has for combinations of elements::

    antisymmetric  -d  -c  -b  -a | a b c d |  -d  -c  -b  -a
    antireflect  2a-d 2a-c 2a-b   | a b c d | 2d-c 2d-b 2d-a
    smooth       straight on by the last two | a b c d | the same
    line         on the line through a and d | a b c d | the same
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
    if mode in _COMBINED:
        terms = _terms_beyond(x.shape[axis], before, after, mode)
        return sum(_weighted(np.take(x, places, axis), weights, axis) for places, weights in terms)
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
    if mode in _COMBINED and length:
        x[...] = 0.0
        for places, weights in _terms_beyond(length, before, after, mode):
            np.add.at(x, _at(places, axis, y.ndim), _weighted(y, weights, axis))
        return x
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


_COMBINED = frozenset({"antisymmetric", "antireflect", "smooth", "line"})


@functools.lru_cache(maxsize=64)  # as above
def _terms_beyond(length: int, before: int, after: int, mode: str) -> list[tuple[Any, Any]]:
    """The places and weights of the elements whose sum stands at each place of the extended array.

    There are two elements at least, unless the sign alone changes.
    """
    i = np.arange(-before, length + after)
    inside, last = np.clip(i, 0, length - 1), length - 1
    beyond = i - inside
    if mode == "antisymmetric":
        return [(places_beyond(length, before, after, "reflect"), (-1.0) ** (i // length))]
    if mode == "smooth":
        return [(inside, 1.0 + np.abs(beyond)), (inside - np.sign(beyond), -1.0 * np.abs(beyond))]
    places, sign = inside, np.where(beyond == 0, 1.0, 0.0)
    if mode == "antireflect":
        places, sign = (
            places_beyond(length, before, after, "mirror"),
            np.where(i % (2 * last) > last, -1.0, 1.0),
        )
    along = (i - sign * places) / last  # the line, without what the element has of it
    return [(places, sign), (0 * i, 1.0 - sign - along), (0 * i + last, along)]


def _weighted(x: Any, weights: Any, axis: int) -> Any:
    """The products along an axis, in the precision of the array."""
    weights = weights.astype(np.result_type(x, np.float32), copy=False)
    return np.reshape(weights, (-1, *(1,) * (x.ndim - 1 - axis % x.ndim))) * x


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
