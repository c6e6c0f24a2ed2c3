"""Rules for the diagonals of matrices and of stacks of them, for diagonal matrices, and for the trace.

The cotangent of a diagonal goes where the diagonal was; that of a sum of a diagonal goes to all its elements.
"""

from typing import Any

import numpy as np

from chainrules.makers.linear_rules import linear_rule
from chainrules.operations.scatter import scatter
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import read_reduction, shape_of
from chainrules_core import (
    NO_TANGENT,
    REAL_CLASSES,
    NoTangent,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    typeof_,
    unbroadcast,
    unthunk,
)


@frule.dispatch
def diagonal_frule(
    tangents: Any, f: typeof_(np.diagonal), A: ArrayOperand, *options: int, **named: int
) -> tuple[Any, Any]:
    return np.diagonal(A, *options, **named), np.diagonal(unthunk(tangents[1]), *options, **named)


@rrule.dispatch
def diagonal_rrule(f: typeof_(np.diagonal), A: ArrayOperand, *options: int, **named: int) -> tuple[Any, Any]:
    project = ProjectTo(A)

    def diagonal_pullback(y_bar: Any) -> Any:
        A_bar = project(_with_diagonal(A, unthunk(y_bar), *options, **named))
        return NoTangent(), A_bar, *(NoTangent() for _ in options)

    return np.diagonal(A, *options, **named), diagonal_pullback


@frule.dispatch
def diag_frule(
    tangents: Any, f: typeof_(np.diag), v: ArrayOperand, *options: int, **named: int
) -> tuple[Any, Any]:
    return np.diag(v, *options, **named), np.diag(unthunk(tangents[1]), *options, **named)


@rrule.dispatch
def diag_rrule(f: typeof_(np.diag), v: ArrayOperand, *options: int, **named: int) -> tuple[Any, Any]:
    project = ProjectTo(v)
    (offset,) = (*options, *named.values()) or (0,)

    def diag_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        is_vector = len(shape_of(v)) == 1
        v_bar = np.diagonal(y_bar, offset) if is_vector else _with_diagonal(v, y_bar, offset)
        return NoTangent(), project(v_bar), *(NoTangent() for _ in options)

    return np.diag(v, *options, **named), diag_pullback


def _diagonal_of_flat(y_bar: Any, shape: tuple[int, ...], k: int = 0) -> Any:
    return np.reshape(np.diagonal(y_bar, k), shape)


linear_rule(np.diagflat, _diagonal_of_flat)


@frule.dispatch
def trace_frule(
    tangents: Any, f: typeof_(np.trace), A: ArrayOperand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    _read_trace(A, *options, **named)
    return np.trace(A, *options, **named), np.trace(unthunk(tangents[1]), *options, **named)


@rrule.dispatch
def trace_rrule(f: typeof_(np.trace), A: ArrayOperand, *options: Any, **named: Any) -> tuple[Any, Any]:
    if A.__class__ is np.ndarray and A.ndim == 2 and not options and not named:
        return _plain_trace(A)
    project = ProjectTo(A)
    axes = _read_trace(A, *options, **named)
    shape = np.diagonal(primal_of(A), *axes).shape

    def trace_pullback(y_bar: Any) -> Any:
        diagonal_bar = np.broadcast_to(np.expand_dims(unthunk(y_bar), -1), shape)
        return NoTangent(), project(_with_diagonal(A, diagonal_bar, *axes)), *(NoTangent() for _ in options)

    return np.trace(A, *options, **named), trace_pullback


def _plain_trace(A: Any) -> tuple[Any, Any]:
    def trace_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        if y_bar.__class__ not in REAL_CLASSES:
            A_bar = _with_diagonal(A, np.broadcast_to(np.expand_dims(y_bar, -1), min(A.shape)))
            return NO_TANGENT, unbroadcast(A, A_bar)
        A_bar = np.zeros(A.shape)
        np.fill_diagonal(A_bar, y_bar)
        return NO_TANGENT, unbroadcast(A, A_bar)

    return A.trace(), trace_pullback


def _read_trace(  # noqa: PLR0913, PLR0917 - NumPy's signature
    A: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> tuple[int, int, int]:
    read_reduction("np.trace", A, dtype=dtype, out=out)
    return offset, axis1, axis2


def _with_diagonal(A: Any, y_bar: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """An array in the shape of `A` that is zero but for one diagonal of each matrix."""
    shape = shape_of(A)
    matrix_axes = (axis1 % len(shape), axis2 % len(shape))
    order = (*(axis for axis in range(len(shape)) if axis not in matrix_axes), *matrix_axes)
    rows = np.arange(max(0, -offset), max(0, -offset) + shape_of(y_bar)[-1])
    stacks = scatter(y_bar, np.transpose(primal_of(A), order), (..., rows, rows + offset))
    return np.transpose(stacks, tuple(int(place) for place in np.argsort(order)))
