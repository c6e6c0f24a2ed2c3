"""Rules for the diagonals of matrices and of stacks of them, for diagonal matrices, and for the trace.

The cotangent of a diagonal goes where the diagonal was; the cotangent of its sum goes to all its elements.
"""

from typing import Any

import numpy as np

from chainrules.makers.linear_rules import linear_rule
from chainrules.operations.scatter import scatter
from chainrules.shortcuts.numpy.diagonals import trace_of_matrix
from chainrules.values.lazy_arrays import dask_array
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import read_reduction, shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    is_lazy,
    primal_of,
    rrule,
    shortened_by,
    typeof_,
)


@frule.dispatch
def diagonal_frule(tangents: Any, f: typeof_(np.diagonal), A: ArrayOperand, *options: Any, **named: int):
    return np.diagonal(A, *options, **named), np.diagonal(tangents[1], *options, **named)


@rrule.dispatch
def diagonal_rrule(f: typeof_(np.diagonal), A: ArrayOperand, *options: Any, **named: int):
    project = ProjectTo(A)

    def diagonal_pullback(y_bar):
        A_bar = project(_with_diagonal(A, y_bar, *options, **named))
        return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

    return np.diagonal(A, *options, **named), diagonal_pullback


@frule.dispatch
def diag_frule(tangents: Any, f: typeof_(np.diag), v: ArrayOperand, *options: Any, **named: int):
    return np.diag(v, *options, **named), np.diag(tangents[1], *options, **named)


@rrule.dispatch
def diag_rrule(f: typeof_(np.diag), v: ArrayOperand, *options: Any, **named: int):
    project = ProjectTo(v)
    (offset,) = (*options, *named.values()) or (0,)

    def diag_pullback(y_bar):
        is_vector = len(shape_of(v)) == 1
        v_bar = np.diagonal(y_bar, offset) if is_vector else _with_diagonal(v, y_bar, offset)
        return NO_TANGENT, project(v_bar), *(NO_TANGENT,) * len(options)

    return np.diag(v, *options, **named), diag_pullback


def _diagonal_of_flat(y_bar: Any, shape: tuple[int, ...], k: int = 0) -> Any:
    return np.reshape(np.diagonal(y_bar, k), shape)


linear_rule(np.diagflat, _diagonal_of_flat)


@frule.dispatch
def trace_frule(tangents: Any, f: typeof_(np.trace), A: ArrayOperand, *options: Any, **named: Any):
    _read_trace(A, *options, **named)
    return np.trace(A, *options, **named), np.trace(tangents[1], *options, **named)


@rrule.dispatch
@shortened_by(trace_of_matrix)
def trace_rrule(f: typeof_(np.trace), A: ArrayOperand, *options: Any, **named: Any):
    project = ProjectTo(A)
    axes = _read_trace(A, *options, **named)
    shape = np.diagonal(primal_of(A), *axes).shape
    y = np.trace(A, *options, **named)
    project_y = ProjectTo(y)

    def trace_pullback(y_bar):
        # Projected first: a cotangent in another shape might be broadcast.
        diagonal_bar = np.broadcast_to(np.expand_dims(project_y(y_bar), -1), shape)
        return NO_TANGENT, project(_with_diagonal(A, diagonal_bar, *axes)), *(NO_TANGENT,) * len(options)

    return y, trace_pullback


def _read_trace(  # noqa: PLR0913, PLR0917 - NumPy's signature
    A: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> tuple[int, int, int]:
    read_reduction("np.trace", A, dtype=dtype, out=out)
    return offset, axis1, axis2


def _with_diagonal(A: Any, y_bar: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """An array in the shape of `A` that is zero but for one diagonal of each matrix."""
    if isinstance(y_bar, AbstractZero):
        return y_bar
    shape = shape_of(A)
    matrix_axes = (axis1 % len(shape), axis2 % len(shape))
    order = (*(axis for axis in range(len(shape)) if axis not in matrix_axes), *matrix_axes)
    if is_lazy(A):
        stacks = _with_lazy_diagonal(np.transpose(primal_of(A), order), y_bar, offset)
        return np.transpose(stacks, tuple(int(place) for place in np.argsort(order)))
    rows = np.arange(max(0, -offset), max(0, -offset) + shape_of(y_bar)[-1])
    stacks = scatter(y_bar, np.transpose(primal_of(A), order), (..., rows, rows + offset))
    return np.transpose(stacks, tuple(int(place) for place in np.argsort(order)))


def _with_lazy_diagonal(like: Any, y_bar: Any, offset: int) -> Any:
    """The same of matrices in lazy arrays, whose elements are not assigned to one by one."""
    n_rows, n_columns = shape_of(like)[-2:]
    *_, row_chunks, column_chunks = like.chunks
    rows = dask_array().arange(n_rows, chunks=(row_chunks,))[:, np.newaxis]
    columns = dask_array().arange(n_columns, chunks=(column_chunks,))
    # In each row the element of the diagonal, if there is one.
    before = max(0, -offset)
    after = n_rows - before - shape_of(y_bar)[-1]
    in_rows = np.pad(y_bar, [(0, 0)] * (len(shape_of(y_bar)) - 1) + [(before, after)])
    return np.where(rows + offset == columns, in_rows[..., np.newaxis], 0)
