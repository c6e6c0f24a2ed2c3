"""Rules for joining arrays: each gets its part of the cotangent.

Numbers and vectors are first given the axes that they lack, as `np.atleast_2d` and its like do.
"""

import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from chainrules.formulas.arrays.joined_arrays import Part, Shape, pull_joined
from chainrules.formulas.arrays.places import places_in_several, returned_to_several, size_of
from chainrules.makers.aliases import alias_rule
from chainrules.makers.versions import present
from chainrules.shortcuts.numpy.joining import joining_of_arrays
from chainrules.values.lazy_arrays import refuse_lazy_items
from chainrules.values.operands import ArrayOperand, refuse_out, refuse_out_among
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import shapes_of, tangent_as_array, tangents_of
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, rrule, shortened_by, typeof_


def _joining_rules(
    primal: Callable[..., Any], indices_of_parts: Callable[[Sequence[Shape], Any], list[Any]]
) -> None:
    """Define the rules of a function that joins a list, a tuple, or the items of an array.

    ``indices_of_parts(shapes, axis)`` says where each part stands in the result.
    """
    name = f"np.{primal.__name__}"

    @functools.lru_cache(maxsize=256)  # a program joins arrays of few shapes, and these many times
    def places_of_parts(shapes: tuple[Shape, ...], axis) -> list[Part]:
        return list(zip(shapes, indices_of_parts(shapes, axis), strict=True))

    @frule.dispatch
    def join_frule(
        tangents: Any, f: typeof_(primal), xs: list | tuple | ArrayOperand, *options: Any, **named: Any
    ):
        if primal is np.column_stack:  # Dask has none
            refuse_lazy_items(name, xs)
        refuse_out_among(name, options, named, 1)
        y = primal(xs, *options, **named)
        if y.dtype.kind not in "fc":
            return y, NO_TANGENT
        return y, primal(tangents_of(xs, tangents[1]), *options, **named)

    @rrule.dispatch
    @shortened_by(joining_of_arrays(primal, places_of_parts))
    def join_rrule(f: typeof_(primal), xs: list | tuple | ArrayOperand, *options: Any, **named: Any):
        if primal is np.column_stack:  # Dask has none
            refuse_lazy_items(name, xs)
        axis = _read_axis(name, *options, **named) if options or named else 0
        y = primal(xs, *options, **named)
        places = places_of_parts(tuple(shapes_of(xs)), axis)
        joined_shape = shape_of(y)
        without_tangents = (NO_TANGENT,) * len(options)

        def join_pullback(y_bar):
            return NO_TANGENT, pull_joined(xs, joined_shape, places, y_bar), *without_tangents

        return y, join_pullback


def _read_axis(name: str, axis: Any = 0, out: Any = None, **_: Any) -> int | None:
    refuse_out(name, out)
    return None if axis is None else operator.index(axis)


def _part_slices(axis: int, lengths: Iterable[int]) -> list[Any]:
    """The index of each part, for parts of these lengths along an axis."""
    before = (slice(None),) * axis
    ends = itertools.accumulate(lengths)
    slices = [slice(start, end) for start, end in itertools.pairwise((0, *ends))]
    return [(*before, part) for part in slices] if axis else slices


def _concatenated(shapes: Sequence[Shape], axis: Any) -> list[Any]:
    if axis is None:
        return _part_slices(0, [size_of(shape) for shape in shapes])
    axis %= len(shapes[0])
    return _part_slices(axis, [shape[axis] for shape in shapes])


def _stacked(shapes: Sequence[Shape], axis: Any) -> list[Any]:
    before = (slice(None),) * (axis % (len(shapes[0]) + 1))
    return [(*before, place) for place in range(len(shapes))]


def _joins_along(axis: int, ndim: int) -> Callable[[Sequence[Shape], Any], list[Any]]:
    """How arrays are joined along an axis; those with fewer than `ndim` axes have length 1 there."""

    def indices_of_parts(shapes: Sequence[Shape], _) -> list[Any]:
        return _part_slices(axis, [shape[axis] if len(shape) >= ndim else 1 for shape in shapes])

    return indices_of_parts


def _side_by_side(shapes: Sequence[Shape], axis: Any) -> list[Any]:
    along = _joins_along(0, 1) if len(shapes[0]) <= 1 else _joins_along(1, 2)
    return along(shapes, axis)


_joining_rules(np.concatenate, _concatenated)
_joining_rules(np.stack, _stacked)
_joining_rules(np.vstack, _joins_along(0, 2))
_joining_rules(np.hstack, _side_by_side)
_joining_rules(np.dstack, _joins_along(2, 3))
_joining_rules(np.column_stack, _joins_along(1, 2))

for _row_stack in present(np, "row_stack"):  # until NumPy 2.4
    alias_rule(_row_stack, np.vstack)


@frule.dispatch
def block_frule(tangents: Any, f: typeof_(np.block), xs: Any):
    refuse_lazy_items("np.block", xs)
    return np.block(xs), np.block(_tangents_of_blocks(xs, tangents[1]))


@rrule.dispatch
def block_rrule(f: typeof_(np.block), xs: Any):
    refuse_lazy_items("np.block", xs)
    project = ProjectTo(xs)
    shapes = shapes_of(_blocks(xs))
    places = np.ravel(np.block(_like_blocks(xs, iter(places_in_several(shapes)))))

    def block_pullback(y_bar):
        bars = returned_to_several(np.ravel(y_bar), shapes, places)
        return NO_TANGENT, project(_like_blocks(xs, iter(bars)))

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
