"""Rules for building sparse arrays: from numbers and places, from dense arrays, from diagonals and blocks.

Each number becomes an entry, alone or together with others at its place, and has the entry's cotangent.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from chainrules.operations.scatter import scatter
from chainrules.operations.sparse_entries import (
    gathered,
    number_of_entries,
    numbered,
    stored_entries,
    with_entries,
    with_zeros,
)
from chainrules.operations.sparse_patterns import is_sparse_operand
from chainrules.values.reductions import shape_of
from chainrules.values.sparse import CLASSES
from chainrules_core import (
    NO_TANGENT,
    SPARSE_FORMATS,
    AbstractArray,
    AbstractZero,
    ProjectTo,
    StoredDiagonals,
    Tangent,
    flat_position,
    frule,
    primal_of,
    primitive,
    project_onto_pattern,
    rrule,
    typeof_,
    zero_tangent,
)

# --- Numbers with their places: csr_array((data, indices, indptr)), coo_array((data, (i, j))), ... --


def _placing_rules(cls: type[Any]) -> None:
    make = primitive(cls)

    @frule.dispatch
    def place_frule(tangents: Any, f: typeof_(cls), source: tuple, *options: Any, **named: Any):
        data, *places = source
        if not _is_array_of_numbers(data):
            return None  # it is a shape
        source_dot = tangents[1]
        y = make(source, *options, **named)
        if isinstance(source_dot, AbstractZero) or isinstance(source_dot[0], AbstractZero):
            return y, NO_TANGENT
        return y, make((source_dot[0], *places), *options, **named)

    @rrule.dispatch
    def place_rrule(f: typeof_(cls), source: tuple, *options: Any, **named: Any):
        data, *places = source
        if not _is_array_of_numbers(data):
            return None
        y = make(source, *options, **named)
        project_y, project = ProjectTo(y), ProjectTo(data)

        def place_pullback(y_bar):
            data_bar = y_bar
            if not isinstance(data_bar, AbstractZero):
                data_bar = project(
                    _at_places(project_onto_pattern(data_bar, project_y), project_y, data, places)
                )
            source_bar: Any = Tangent[tuple](data_bar, *(NO_TANGENT,) * len(places))
            return NO_TANGENT, source_bar, *(NO_TANGENT,) * len(options)

        return y, place_pullback


def _is_array_of_numbers(x: Any) -> bool:
    return isinstance(primal_of(x), AbstractArray)


def _whole(place: Any) -> Any:
    """Indices as SciPy reads them: the columns of a table of floats are made whole."""
    return np.asarray(primal_of(place)).astype(np.intp, copy=False)


def _at_places(y_bar: Any, project: Any, data: Any, places: list[Any]) -> Any:
    """The entry of a cotangent where each number of `data` went; several may have gone to one place."""
    shape, storage = shape_of(data), SPARSE_FORMATS[project.format]
    is_inside = np.ones(shape, bool)
    if isinstance(storage, StoredDiagonals):
        shape = (1,) * (2 - len(shape)) + shape  # of a single diagonal, as SciPy takes it
        pattern = np.atleast_1d(_whole(places[0])), shape[1]
        position, is_inside = (
            storage.position(pattern, project.shape),
            storage.is_inside(pattern, project.shape),
        )
    elif len(places) == 1:
        position = tuple(map(_whole, places[0]))
    else:
        block = [shape[1:]] if project.format == "bsr" else []
        position = storage.position((*map(_whole, places), *block), project.shape)
    stored = flat_position(project.position, project.shape)
    order = np.argsort(stored)
    place = order[np.searchsorted(stored[order], flat_position(position, project.shape))]
    entries = stored_entries(y_bar, project)[place]
    return scatter(entries, np.broadcast_to(0.0, shape), is_inside)


for _cls in CLASSES:
    if _cls((1, 1)).format not in ("lil", "dok"):  # which are not made of numbers and places
        _placing_rules(_cls)


# --- Arrays that become parts of another: conversions, stacks, blocks, diagonals ------------------


def _made(function: Callable[..., Any], parts: Any, options: Any, named: Any) -> Any:
    """The array with explicit zeros kept, unless it is made from dense arrays only."""
    y = primitive(function)(parts, *options, **named)
    if function in CLASSES and not is_sparse_operand(parts):
        return y
    return with_zeros(y, function(_numbered(parts, 0)[0], *options, **named))


def _assembling_rules(function: Callable[..., Any], *kinds: Any) -> None:
    make = primitive(function)

    def push(tangents, parts, options, named):
        parts_dot = tangents[1]
        y = _made(function, parts, options, named)
        if isinstance(parts_dot, AbstractZero):
            return y, parts_dot
        return y, make(_with_zeros(parts, parts_dot), *options, **named)

    def pull(parts, options, named):
        y = _made(function, parts, options, named)

        def assemble_pullback(y_bar):
            if not isinstance(y_bar, AbstractZero):
                numbers, length = _numbered(parts, 0)
                y_bar = _split(parts, gathered(y, y_bar, function(numbers, *options, **named), length), 0)[0]
            return NO_TANGENT, y_bar, *(NO_TANGENT,) * len(options)

        return y, assemble_pullback

    for kind in kinds:

        @frule.dispatch
        def assemble_frule(tangents: Any, f: typeof_(function), parts: kind, *options: Any, **named: Any):
            return push(tangents, parts, options, named)

        @rrule.dispatch
        def assemble_rrule(f: typeof_(function), parts: kind, *options: Any, **named: Any):
            return pull(parts, options, named)


for _cls in CLASSES:
    _assembling_rules(_cls, AbstractArray)
for _function in (
    *(scipy.sparse.hstack, scipy.sparse.vstack, scipy.sparse.block_diag),
    *(scipy.sparse.block_array, scipy.sparse.bmat, scipy.sparse.diags, scipy.sparse.diags_array),
):
    _assembling_rules(_function, list, tuple, AbstractArray)


def _numbered(parts: Any, done: int) -> tuple[Any, int]:
    """Like `parts`, but with numbered entries, counted on from `done`; and the last number."""
    if isinstance(parts, list | tuple):
        items = []
        for part in parts:
            item, done = _numbered(part, done)
            items.append(item)
        return type(parts)(items), done
    if not _has_entries(parts):
        return parts, done
    return numbered(parts, done + 1), done + number_of_entries(parts)


def _split(parts: Any, entries_bar: Any, done: int) -> tuple[Any, int]:
    """The cotangents of `parts`, from the cotangents of all their entries."""
    if isinstance(parts, list | tuple):
        bars = []
        for part in parts:
            bar, done = _split(part, entries_bar, done)
            bars.append(bar)
        tangent: Any = Tangent[type(parts)]  # type: ignore[misc] # made at run time
        return tangent(*bars), done
    if not _has_entries(parts):
        return NO_TANGENT, done
    project, stop = ProjectTo(parts), done + number_of_entries(parts)
    bars = entries_bar[done:stop]
    if is_sparse_operand(parts):
        return project(with_entries(bars, project)), stop
    return project(np.reshape(bars, shape_of(parts))), stop


def _with_zeros(parts: Any, parts_dot: Any) -> Any:
    """The tangents, in the containers of `parts`, with zeros where a tangent is missing."""
    if isinstance(parts, list | tuple):
        dots = [parts_dot] * len(parts) if isinstance(parts_dot, AbstractZero) else parts_dot
        return type(parts)([_with_zeros(part, dot) for part, dot in zip(parts, dots, strict=True)])
    if isinstance(parts_dot, AbstractZero):
        return zero_tangent(primal_of(parts)) if _has_entries(parts) else parts
    return parts_dot


def _has_entries(x: Any) -> bool:
    """Whether `x` is an array or a number; `None` stands for a block without entries."""
    return isinstance(primal_of(x), AbstractArray | float | complex)
