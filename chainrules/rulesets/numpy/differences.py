"""Rules for differences of neighbours."""

from itertools import accumulate
from typing import Any

import numpy as np

from chainrules.formulas.arrays.neighbours import differences_back
from chainrules.formulas.arrays.places import size_of
from chainrules.shortcuts.numpy.differences import diff_of_array
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_as_array
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, shortened_by, typeof_, unbroadcast

_NO_VALUE = np._NoValue  # noqa: SLF001 - NumPy's own mark for no value


@frule.dispatch
def diff_frule(tangents: Any, f: typeof_(np.diff), x: Operand, *options: Any, **named: Any):
    n, axis, *ends = _read_diff(*options, **named)
    end_dots = (*tangents[4:], *(NO_TANGENT,) * 2)
    dots = {
        name: tangent_as_array(end, dot)
        for name, end, dot in zip(("prepend", "append"), ends, end_dots, strict=False)
        if end is not _NO_VALUE
    }
    return np.diff(x, *options, **named), np.diff(tangent_as_array(x, tangents[1]), n, axis, **dots)


@rrule.dispatch
@shortened_by(diff_of_array)
def diff_rrule(f: typeof_(np.diff), x: Operand, *options: Any, **named: Any):
    n, axis, prepend, append = _read_diff(*options, **named)
    axis %= len(shape_of(x))
    parts = (prepend, x, append)
    lengths = [_length(part, axis) for part in parts]

    def diff_pullback(y_bar):
        joined_bar = differences_back(y_bar, sum(lengths), axis, n)
        before = (slice(None),) * axis
        ends = accumulate(lengths)
        bars = [
            NO_TANGENT
            if part is _NO_VALUE
            else unbroadcast(part, joined_bar[(*before, slice(end - length, end))])
            for part, length, end in zip(parts, lengths, ends, strict=True)
        ]
        return NO_TANGENT, bars[1], *(NO_TANGENT, NO_TANGENT, bars[0], bars[2])[: len(options)]

    return np.diff(x, *options, **named), diff_pullback


def _read_diff(
    n: int = 1, axis: int = -1, prepend: Any = _NO_VALUE, append: Any = _NO_VALUE
) -> tuple[int, int, Any, Any]:
    return (n, axis, prepend, append) if n else (n, axis, _NO_VALUE, _NO_VALUE)  # without effect for n = 0


def _length(part: Any, axis: int) -> int:
    """How many places along the axis an end takes; a number is repeated along all others."""
    if part is _NO_VALUE:
        return 0
    shape = shape_of(part)
    return shape[axis] if shape else 1


@frule.dispatch
def ediff1d_frule(tangents: Any, f: typeof_(np.ediff1d), x: Operand, *ends: Any, **named: Any):
    to_end, to_begin = _read_ediff1d(*ends, **named)
    dots = (*tangents[2:], NO_TANGENT, NO_TANGENT)  # the tangents of ends that are given by name are zero
    end_dots: Any = (
        None if end is None else tangent_as_array(end, dot)
        for end, dot in zip((to_end, to_begin), dots, strict=False)
    )
    return np.ediff1d(x, *ends, **named), np.ediff1d(tangent_as_array(x, tangents[1]), *end_dots)


@rrule.dispatch
def ediff1d_rrule(f: typeof_(np.ediff1d), x: Operand, *ends: Any, **named: Any):
    to_end, to_begin = _read_ediff1d(*ends, **named)
    project = ProjectTo(x)
    start, size = _elements_in(to_begin), _elements_in(x)
    stop = start + max(size - 1, 0)

    def ediff1d_pullback(y_bar):
        x_bar = np.reshape(differences_back(y_bar[start:stop], size), shape_of(x))
        end_bars = _end_bar(to_end, y_bar[stop:]), _end_bar(to_begin, y_bar[:start])
        return NO_TANGENT, project(x_bar), *end_bars[: len(ends)]

    return np.ediff1d(x, *ends, **named), ediff1d_pullback


def _read_ediff1d(to_end: Any = None, to_begin: Any = None) -> tuple[Any, Any]:
    return to_end, to_begin


def _elements_in(x: Any) -> int:
    return 0 if x is None else size_of(shape_of(x))


def _end_bar(end: Any, bar: Any) -> Any:
    return NO_TANGENT if end is None else ProjectTo(end)(np.reshape(bar, shape_of(end)))
