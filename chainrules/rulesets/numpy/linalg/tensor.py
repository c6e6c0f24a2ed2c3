"""Rules for linear systems and inverses of tensors, which are flattened to matrices."""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, rrule, thunk, typeof_


@frule.dispatch
def tensorinv_frule(tangents, f: typeof_(np.linalg.tensorinv), A: ArrayOperand, *options: Any, **named: int):
    A_dot = tangents[1]
    Y = np.linalg.tensorinv(A, *options, **named)
    inverse = _inverse_matrix(Y, A, *options, **named)
    flat = -(inverse @ np.reshape(A_dot, shape_of(inverse)) @ inverse)
    return Y, np.reshape(flat, shape_of(Y))


@rrule.dispatch
def tensorinv_rrule(f: typeof_(np.linalg.tensorinv), A: ArrayOperand, *options: Any, **named: int):
    Y = np.linalg.tensorinv(A, *options, **named)
    project = ProjectTo(A)

    def tensorinv_pullback(Y_bar):
        inverse = _inverse_matrix(Y, A, *options, **named)
        inverse_adjoint = adjoint(inverse)
        flat = -(inverse_adjoint @ np.reshape(Y_bar, shape_of(inverse)) @ inverse_adjoint)
        return NO_TANGENT, project(np.reshape(flat, shape_of(A))), *(NO_TANGENT,) * len(options)

    return Y, tensorinv_pullback


def _inverse_matrix(Y, A, ind: int = 2):
    size = int(np.prod(shape_of(A)[:ind]))
    return np.reshape(Y, (size, size))


@frule.dispatch
def tensorsolve_frule(
    tangents, f: typeof_(np.linalg.tensorsolve), A: ArrayOperand, b: ArrayOperand, *options, **named
):
    _, A_dot, b_dot, *_ = tangents
    X = np.linalg.tensorsolve(A, b, *options, **named)
    right = b_dot if isinstance(b_dot, AbstractZero) else np.reshape(b_dot, -1)
    if not isinstance(A_dot, AbstractZero):
        right = right - _flattened_matrix(A_dot, X, *options, **named) @ np.reshape(X, -1)
    return X, np.reshape(np.linalg.solve(_flattened_matrix(A, X, *options, **named), right), shape_of(X))


@rrule.dispatch
def tensorsolve_rrule(f: typeof_(np.linalg.tensorsolve), A: ArrayOperand, b: ArrayOperand, *options, **named):
    X = np.linalg.tensorsolve(A, b, *options, **named)
    order = _order(A, *options, **named)
    project_A, project_b = ProjectTo(A), ProjectTo(b)

    def tensorsolve_pullback(X_bar):
        matrix = _flattened_matrix(A, X, *options, **named)
        flat_bar = np.linalg.solve(adjoint(matrix), np.reshape(X_bar, -1))

        @thunk
        def A_bar():  # noqa: N802 - the cotangent of a matrix
            outer = -(np.expand_dims(flat_bar, 1) * conjugate(np.reshape(X, -1)))
            ordered = np.reshape(outer, tuple(shape_of(A)[axis] for axis in order))
            return project_A(np.transpose(ordered, tuple(map(int, np.argsort(order)))))

        b_bar = project_b(np.reshape(flat_bar, shape_of(b)))
        return NO_TANGENT, A_bar, b_bar, *(NO_TANGENT,) * len(options)

    return X, tensorsolve_pullback


def _flattened_matrix(A, X, *options, **named):
    """The matrix that takes the elements of `X` to the elements of the right-hand side."""
    size = int(np.prod(shape_of(X)))
    return np.reshape(np.transpose(A, _order(A, *options, **named)), (size, size))


def _order(A, axes=None) -> tuple[int, ...]:
    """The axes of `A`, with the ones that are summed over at the end."""
    summed = () if axes is None else tuple(axes)
    return tuple(axis for axis in range(len(shape_of(A))) if axis not in summed) + summed
