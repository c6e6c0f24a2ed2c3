"""Rules for joining arrays: each gets its part of the cotangent.

Numbers and vectors are first given the axes that they lack, as `np.atleast_2d` and its like do.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from chainrules.aliases import alias_rule
from chainrules.linear_rules import size_of
from chainrules.operands import ArrayOperand, refuse_out
from chainrules.reductions import shape_of
from chainrules.several_arrays import (
    places_in_several,
    projected,
    returned_to_several,
    shapes_of,
    tangent_as_array,
    tangents_of,
)
from chainrules_core import AbstractZero, NoTangent, ProjectTo, frule, rrule, typeof_, unthunk

Shape = tuple[int, ...]

_NO_TANGENT = NoTangent()


def _joining_rules(
    primal: Callable[..., Any], axis_and_lengths: Callable[..., tuple[int, list[int]]]
) -> None:
    """Define the rules of a function that joins a list, a tuple, or the items of an array.

    ``axis_and_lengths(shapes, *options, **named)`` says along which axis, and how long each part is.
    """
    name = f"np.{primal.__name__}"

    @frule.dispatch
    def join_frule(
        tangents: Any, f: typeof_(primal), xs: list | tuple | ArrayOperand, *options: Any, **named: Any
    ):
        y = primal(xs, *options, **named)
        if y.dtype.kind not in "fc":
            return y, NoTangent()
        return y, primal(tangents_of(xs, unthunk(tangents[1])), *options, **named)

    @rrule.dispatch
    def join_rrule(f: typeof_(primal), xs: list | tuple | ArrayOperand, *options: Any, **named: Any):
        _refuse_out(name, *options, **named)
        y = primal(xs, *options, **named)
        shapes = shapes_of(xs)
        axis, lengths = axis_and_lengths(shapes, *options, **named)
        without_tangents = (_NO_TANGENT,) * len(options)

        def join_pullback(y_bar: Any) -> tuple[Any, ...]:
            parts = _parts(unthunk(y_bar), axis, lengths)
            bars = [
                part if shape_of(part) == shape else np.reshape(part, shape)
                for part, shape in zip(parts, shapes, strict=True)
            ]
            return _NO_TANGENT, projected(xs, bars), *without_tangents

        return y, join_pullback


def _refuse_out(name: str, axis: Any = 0, out: Any = None, **_: Any) -> None:
    refuse_out(name, out)


def _parts(y_bar: Any, axis: int, lengths: list[int]) -> list[Any]:
    before = (slice(None),) * axis
    ends = itertools.accumulate(lengths)
    return [y_bar[(*before, slice(end - n, end))] for end, n in zip(ends, lengths, strict=True)]


def _concatenated(shapes: Sequence[Shape], axis: Any = 0, *_: Any, **__: Any) -> tuple[int, list[int]]:
    if axis is None:
        return 0, [size_of(shape) for shape in shapes]
    axis %= len(shapes[0])
    return axis, [shape[axis] for shape in shapes]


def _stacked(shapes: Sequence[Shape], axis: int = 0, *_: Any, **__: Any) -> tuple[int, list[int]]:
    return axis % (len(shapes[0]) + 1), [1] * len(shapes)


def _along(axis: int, ndim: int) -> Callable[..., tuple[int, list[int]]]:
    """How arrays are joined along an axis; those with fewer than `ndim` axes have length 1 there."""

    def axis_and_lengths(shapes: Sequence[Shape], **_: Any) -> tuple[int, list[int]]:
        return axis, [shape[axis] if len(shape) >= ndim else 1 for shape in shapes]

    return axis_and_lengths


def _side_by_side(shapes: Sequence[Shape], **_: Any) -> tuple[int, list[int]]:
    along = _along(0, 1) if len(shapes[0]) <= 1 else _along(1, 2)
    return along(shapes)


_joining_rules(np.concatenate, _concatenated)
_joining_rules(np.stack, _stacked)
_joining_rules(np.vstack, _along(0, 2))
_joining_rules(np.hstack, _side_by_side)
_joining_rules(np.dstack, _along(2, 3))
_joining_rules(np.column_stack, _along(1, 2))

_row_stack = getattr(np, "row_stack", np.vstack)  # deprecated in NumPy 2; another name before
if _row_stack is not np.vstack:
    alias_rule(_row_stack, np.vstack)


@frule.dispatch
def block_frule(tangents: Any, f: typeof_(np.block), xs: Any):
    return np.block(xs), np.block(_tangents_of_blocks(xs, tangents[1]))


@rrule.dispatch
def block_rrule(f: typeof_(np.block), xs: Any):
    project = ProjectTo(xs)
    shapes = shapes_of(_blocks(xs))
    places = np.ravel(np.block(_like_blocks(xs, iter(places_in_several(shapes)))))

    def block_pullback(y_bar: Any) -> tuple[Any, Any]:
        bars = returned_to_several(np.ravel(unthunk(y_bar)), shapes, places)
        return NoTangent(), project(_like_blocks(xs, iter(bars)))

    return np.block(xs), block_pullback


def _blocks(xs: Any) -> Iterator[Any]:
    """The blocks, row by row."""
    if isinstance(xs, list):
        for x in xs:
            yield from _blocks(x)
    else:
        yield xs


def _like_blocks(xs: Any, blocks: Iterator[Any]) -> Any:
    """Other blocks in the same lists."""
    return [_like_blocks(x, blocks) for x in xs] if isinstance(xs, list) else next(blocks)


def _tangents_of_blocks(xs: Any, dots: Any) -> Any:
    if not isinstance(xs, list):
        return tangent_as_array(xs, dots)
    if isinstance(dots, AbstractZero):
        return [_tangents_of_blocks(x, dots) for x in xs]
    return [_tangents_of_blocks(x, dot) for x, dot in zip(xs, dots, strict=True)]
