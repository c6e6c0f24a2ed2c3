"""The stored entries of a sparse array as a vector, and back; and the places to which functions move them.

Functions that move entries, and neither change nor add them, need no formula. Applied to an array whose
entries are numbered, they show where each entry goes, whatever the format and the options.
"""

import copy
from dataclasses import replace
from typing import Any

import numpy as np

from chainrules.operations.scatter import scatter
from chainrules.operations.sparse_patterns import fitted_to_pattern, is_sparse_operand
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    SPARSE_FORMATS,
    ProjectTo,
    SparseArray,
    SparseProjector,
    frule,
    primal_of,
    primitive,
    project_onto_pattern,
    rrule,
    typeof_,
)


@primitive
def stored_entries(A: Any, project: Any) -> Any:
    """The entries of a sparse array on the pattern of a projector, as a vector in the order of its format."""
    return SPARSE_FORMATS[project.format].entries(project(A))


@frule.dispatch
def stored_entries_frule(
    tangents: Any, f: typeof_(stored_entries), A: SparseArray, project: SparseProjector
) -> tuple[Any, Any]:
    """The entries of the tangent."""
    A_dot = tangents[1]
    y_dot = stored_entries(A_dot, project)
    return stored_entries(A, project), y_dot


@rrule.dispatch
def stored_entries_rrule(
    f: typeof_(stored_entries), A: SparseArray, project: SparseProjector
) -> tuple[Any, Any]:
    """The array whose entries are the cotangent."""

    def stored_entries_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, fitted_to_pattern(A, with_entries(y_bar, project)), NO_TANGENT

    return stored_entries(A, project), stored_entries_pullback


@primitive
def with_entries(entries: Any, project: Any) -> Any:
    """The sparse array with these entries on the pattern of a projector."""
    return project.with_entries(entries)


@frule.dispatch
def with_entries_frule(
    tangents: Any, f: typeof_(with_entries), entries: ArrayOperand, project: SparseProjector
) -> tuple[Any, Any]:
    """The array whose entries are the tangent."""
    entries_dot = tangents[1]
    y_dot = with_entries(entries_dot, project)
    return with_entries(entries, project), y_dot


@rrule.dispatch
def with_entries_rrule(
    f: typeof_(with_entries), entries: ArrayOperand, project: SparseProjector
) -> tuple[Any, Any]:
    """The entries of the cotangent."""
    y = with_entries(entries, project)
    project_entries, project_y = ProjectTo(entries), ProjectTo(y)

    def with_entries_pullback(y_bar: Any) -> Any:
        entries_bar = stored_entries(project_onto_pattern(y_bar, project_y), project_y)
        return NO_TANGENT, project_entries(entries_bar), NO_TANGENT

    return y, with_entries_pullback


# --- Where entries go ------------------------------------------------------------------------------


def number_of_entries(x: Any) -> int:
    """How many entries a sparse array stores, each position once; of another array, its size."""
    project = ProjectTo(x)
    return project.position[0].size if isinstance(project, SparseProjector) else int(np.prod(shape_of(x)))


def numbered(x: Any, first: int = 1) -> Any:
    """An array like `x` whose entries are numbered, from `first` on; in double precision, where they fit."""
    numbers = np.arange(first, first + number_of_entries(x), dtype=np.float64)
    project = ProjectTo(x)
    return (
        project.with_entries(numbers)
        if isinstance(project, SparseProjector)
        else numbers.reshape(shape_of(x))
    )


def with_zeros(y: Any, places: Any) -> Any:
    """A sparse result with the entries that are zero by chance, which SciPy does not store.

    Derivatives by these would be lost: a sum that cancels, or a diagonal of zeros, still moves.

    Parameters
    ----------
    y
        The result of a function.
    places
        The result for operands with the same places, and positive entries: see `numbered` and `ones_like`.
    """
    if not is_sparse_operand(y) or primal_of(y).nnz >= places.nnz:
        return y
    project: Any = ProjectTo(_with_tangents(places))
    return project_onto_pattern(y, replace(project, dtype=primal_of(y).dtype))


def ones_like(A: Any) -> Any:
    """A sparse array of ones in the places where `A` stores entries; in double precision."""
    A = primal_of(A)
    if A.format in {"csr", "csc", "dia"} and getattr(A, "has_canonical_format", True):
        ones = copy.copy(A)  # which shares the places, and is quicker in sums and products
        ones.data = np.ones(A.data.shape)
        return ones
    project: Any = ProjectTo(_with_tangents(A))
    return project.with_entries(np.ones(project.position[0].size))


def _with_tangents(A: Any) -> Any:
    """The array itself; in double precision if it is one of integers, which have no tangents."""
    return A if A.dtype.kind in "fc" else A.astype(np.float64)


def without_losses(f: Any, *operands: Any) -> Any:
    """``f(*operands)``, a product of sparse arrays, with the entries that are zero by chance."""
    y = f(*operands)
    if not all(map(is_sparse_operand, operands)):
        return y
    return with_zeros(y, f(*map(ones_like, operands)))


def with_moving_entries(y: Any, y_dot: Any, complete: Any) -> Any:
    """A sparse result with all entries that its tangent has: as it is where both store the same ones.

    Whether they do is seen in a hundredth of the time in which the places of a product are found out.

    Parameters
    ----------
    y, y_dot
        The result of a function, and its tangent.
    complete
        A function without arguments, which returns the result `with_zeros`.
    """
    if not is_sparse_operand(y) or (is_sparse_operand(y_dot) and have_same_places(y, y_dot)):
        return y
    return complete()


def have_same_places(*arrays: Any) -> bool:
    """Whether it is plain that sparse arrays store entries in the same places, and in the same order."""
    x, *others = map(primal_of, arrays)
    if x.format not in {"csr", "csc"} or any(other.format != x.format for other in others):
        return False
    return all(
        other.nnz == x.nnz
        and np.array_equal(other.indptr, x.indptr)
        and np.array_equal(other.indices, x.indices)
        for other in others
    )


def gathered(y: Any, y_bar: Any, places: Any, length: int) -> Any:
    """The cotangents of numbered entries, as a vector, from the cotangents of the elements that they became.

    Parameters
    ----------
    y
        The result of a function that moves entries.
    y_bar
        Its cotangent.
    places
        The result for numbered entries: it stores their numbers, or zero for no entry.
    length
        How many numbers there are. An entry that became several elements has the sum of their cotangents.
    """
    if places.dtype != np.float64:
        raise TypeError(f"the numbers of entries were converted to {places.dtype}: do not ask for a dtype.")
    if is_sparse_operand(places):
        project_places: Any = ProjectTo(places)
        numbers = stored_entries(places, project_places)
        # Not by `astype`, which may put the entries into another order.
        project = replace(project_places, dtype=primal_of(y).dtype)
        y_bar = stored_entries(project_onto_pattern(y_bar, project), project)
    else:
        numbers = np.reshape(places, (-1,))
        y_bar = np.reshape(y_bar, (-1,))
    is_entry = numbers > 0
    index = numbers[is_entry].astype(np.intp) - 1
    return scatter(y_bar[is_entry], np.broadcast_to(0.0, (length,)), (index,))
