"""Rules for padding.

`np.pad` pads one axis after the other. The elements that it adds along an axis are constant; or the maximum,
mean, median or minimum of elements near an edge; or, by all other modes, a linear combination
``a_i x_(g_i) + b_i x_0 + c_i x_(n-1)`` of one element and the two at the edges, whose places and weights do
not depend on `x`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.formulas.arrays.places import zeros_like
from chainrules.operations.scatter import scatter
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_as_array
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_, unthunk

Pair = tuple[Any, Any]

_STATISTICS = {"maximum": np.max, "mean": np.mean, "median": np.median, "minimum": np.min}


@frule.dispatch
def pad_frule(tangents: Any, f: typeof_(np.pad), x: Operand, widths: Any, *options: Any, **named: Any):
    mode = _read_mode(*options, **named)
    y = np.pad(x, widths, *options, **named)
    y_dot = tangent_as_array(x, tangents[1])
    if mode in _STATISTICS:
        for axis, pair, lengths in _padded_axes(x, widths, **named):
            answers = [
                frule((NO_TANGENT, dot), _STATISTICS[mode], edge, axis=axis, keepdims=True)
                for edge, dot in zip(_edges(x, axis, lengths), _edges(y_dot, axis, lengths), strict=True)
            ]
            (first, first_dot), (last, last_dot) = answers
            x, y_dot = _framed(x, first, last, axis, pair), _framed(y_dot, first_dot, last_dot, axis, pair)
        return y, y_dot
    if mode == "empty":
        return y, np.pad(y_dot, widths)
    linear = {key: value for key, value in named.items() if key not in {"constant_values", "end_values"}}
    return y, np.pad(y_dot, widths, *options, **linear)


@rrule.dispatch
def pad_rrule(f: typeof_(np.pad), x: Operand, widths: Any, *options: Any, **named: Any):
    mode = _read_mode(*options, **named)
    y = np.pad(x, widths, *options, **named)
    project = ProjectTo(x)
    steps: list[Callable[[Any], Any]] = []
    for axis, pair, lengths in _padded_axes(x, widths, **named):
        if mode in _STATISTICS:
            x, step = _pad_with_statistic(_STATISTICS[mode], x, axis, pair, lengths)
        else:
            step = _linear_step(mode, shape_of(x)[axis], axis, pair, named.get("reflect_type", "even"))
        steps.append(step)

    def pad_pullback(y_bar):
        for step in reversed(steps):
            y_bar = step(y_bar)
        return NO_TANGENT, project(y_bar), NO_TANGENT, *(NO_TANGENT,) * len(options)

    return y, pad_pullback


def _read_mode(mode: Any = "constant", **_: Any) -> Any:
    if callable(mode):
        raise TypeError(
            "np.pad(..., mode=<function>) cannot be differentiated: the function writes into an array. Pad "
            "with a mode of NumPy, or put the parts together with `np.concatenate`."
        )
    return mode


def _padded_axes(x: Any, widths: Any, stat_length: Any = None, **_: Any) -> Iterator[tuple[int, Pair, Pair]]:
    """Each axis that is padded, with the widths before and after it, and the lengths for statistics."""
    ndim = len(shape_of(x))
    if isinstance(widths, dict):
        widths = [widths.get(axis, widths.get(axis - ndim, 0)) for axis in range(ndim)]
        widths = [np.broadcast_to(pair, 2) for pair in widths]
    pairs = np.broadcast_to(np.asarray(widths), (ndim, 2)).tolist()
    lengths = np.broadcast_to(np.asarray(stat_length), (ndim, 2)).tolist()
    for axis, (pair, lengths_there) in enumerate(zip(pairs, lengths, strict=True)):
        if any(pair):
            yield axis, tuple(pair), tuple(lengths_there)


def _padded_parts(y: Any, axis: int, pair: Pair) -> tuple[Any, Any, Any]:
    """The elements before the array, the array itself, and the elements after it."""
    everything = (slice(None),) * axis
    start, stop = pair[0], shape_of(y)[axis] - pair[1]
    slices = slice(None, start), slice(start, stop), slice(stop, None)
    before, core, after = (y[(*everything, part)] for part in slices)
    return before, core, after


# --- statistics ------------------------------------------------------------------------------------


def _pad_with_statistic(
    f: Any, x: Any, axis: int, pair: Pair, lengths: Pair
) -> tuple[Any, Callable[[Any], Any]]:
    answers = [rrule(f, edge, axis=axis, keepdims=True) for edge in _edges(x, axis, lengths)]
    (first, pull_first), (last, pull_last) = answers
    n = shape_of(x)[axis]

    def step(y_bar):
        before, core, after = _padded_parts(y_bar, axis, pair)
        first_bar = unthunk(pull_first(np.sum(before, axis=axis, keepdims=True))[1])
        last_bar = unthunk(pull_last(np.sum(after, axis=axis, keepdims=True))[1])
        first_bar = zero_padded(first_bar, 0, n - shape_of(first_bar)[axis], axis)
        return core + first_bar + zero_padded(last_bar, n - shape_of(last_bar)[axis], 0, axis)

    return _framed(x, first, last, axis, pair), step


def _edges(x: Any, axis: int, lengths: Pair) -> tuple[Any, Any]:
    """The elements near both edges that a statistic is of."""
    everything = (slice(None),) * axis
    n = shape_of(x)[axis]
    first, last = (n if length is None else min(length, n) for length in lengths)
    return x[(*everything, slice(None, first))], x[(*everything, slice(n - last, None))]


def _framed(x: Any, first: Any, last: Any, axis: int, pair: Pair) -> Any:
    return np.concatenate((np.repeat(first, pair[0], axis), x, np.repeat(last, pair[1], axis)), axis)


# --- all other modes -------------------------------------------------------------------------------


def _linear_step(mode: Any, n: int, axis: int, pair: Pair, reflect_type: str) -> Callable[[Any], Any]:
    """The adjoint of padding an axis of length `n`."""
    if mode in {"constant", "empty"} or not n:
        return lambda y_bar: _padded_parts(y_bar, axis, pair)[1]
    places, inner, first, last = _combinations(mode, n, pair, reflect_type)
    index = (..., np.concatenate((places, [0, n - 1])))

    def step(y_bar):
        before, core, after = _padded_parts(np.moveaxis(y_bar, axis, -1), len(shape_of(y_bar)) - 1, pair)
        added = np.concatenate((before, after), axis=-1)
        at_edges = [np.expand_dims(added @ weights, -1) for weights in (first, last)]
        bars = np.concatenate((added * inner, *at_edges), axis=-1)
        x_bar = core + scatter(bars, zeros_like(core, shape_of(core)), index)
        return np.moveaxis(x_bar, -1, axis)

    return step


def _combinations(mode: Any, n: int, pair: Pair, reflect_type: str) -> tuple[Any, Any, Any, Any]:
    """For each added element: the place of the inner element that it is made of, and three weights.

    The weights belong to the inner element, to the first one and to the last. They are found by padding unit
    vectors with `np.pad`.
    """
    is_reflection = mode in {"reflect", "symmetric"}
    units = np.zeros((n, 3))
    units[1:-1, 0] = units[-1, 2] = 1
    units[0] = 0, 1, 0
    options: Any = {"reflect_type": reflect_type} if is_reflection else {}
    padded = np.pad(units, (pair, (0, 0)), mode, **options)
    places = np.pad(np.arange(n), pair, mode if is_reflection or mode == "wrap" else "edge")
    added = np.r_[: pair[0], pair[0] + n : sum(pair) + n]
    return places[added], *padded[added].T
