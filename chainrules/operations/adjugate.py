"""The adjugate of a matrix, which is ``det(A) A⁻¹`` where that exists, as a function that has rules.

By the singular values, ``A = U S Vᴴ``: the adjugate of a product is the product of the adjugates in reverse
order, the adjugate of a unitary matrix ``U`` is ``det(U) Uᴴ``, and ``adj(S)`` is diagonal, with the products
of all singular values but one. G. W. Stewart, "On the adjugate matrix", Linear Algebra and its Applications
283, 1998.
"""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, diagonal_matrix, diagonal_of, with_matrix_axes
from chainrules_core import NoTangent, ProjectTo, frule, primitive, rrule, typeof_, unthunk


@primitive
def adjugate(A: Any) -> Any:
    """The adjugate of each matrix of a stack: the transpose of its cofactors.

    Parameters
    ----------
    A
        Shape ``(..., n, n)``; its rank may be anything.
    """
    U, s, V_adjoint = np.linalg.svd(A)
    return _transformed(diagonal_matrix(_products_without(s)), U, V_adjoint)


@frule.dispatch
def adjugate_frule(tangents: Any, f: typeof_(adjugate), A: ArrayOperand) -> tuple[Any, Any]:
    """The derivative in the direction of the tangent."""
    return adjugate(A), derivative_of_adjugate(A, unthunk(tangents[1]))


@rrule.dispatch
def adjugate_rrule(f: typeof_(adjugate), A: ArrayOperand) -> tuple[Any, Any]:
    """The adjoint of the derivative, which is the derivative at the adjoint matrix."""
    project = ProjectTo(A)

    def adjugate_pullback(Y_bar: Any) -> Any:
        return NoTangent(), project(derivative_of_adjugate(adjoint(A), unthunk(Y_bar)))

    return adjugate(A), adjugate_pullback


def derivative_of_adjugate(A: Any, A_dot: Any) -> Any:
    """The derivative of the adjugate at `A` in the direction `A_dot`.

    For the singular values, with ``E = Uᴴ A_dot V`` and ``p[i, j]`` the product of all singular values but
    the `i`-th and the `j`-th, its elements are ``-p[i, j] E[i, j]`` beside the diagonal, and the sum of
    ``p[i, j] E[j, j]`` over ``j != i`` on it.
    """
    U, s, V_adjoint = np.linalg.svd(A)
    E = adjoint(U) @ A_dot @ adjoint(V_adjoint)
    p = _products_without_two(s)
    diagonal = np.matmul(p, diagonal_of(E)[..., np.newaxis])[..., 0]
    return _transformed(diagonal_matrix(diagonal) - p * E, U, V_adjoint)


def _transformed(D: Any, U: Any, V_adjoint: Any) -> Any:
    """Back from the basis of the singular vectors."""
    factor = np.linalg.det(U) * np.linalg.det(V_adjoint)
    return with_matrix_axes(factor) * (adjoint(V_adjoint) @ D @ adjoint(U))


def _products_without(s: Any) -> Any:
    """For each number the product of all others, along the last axis."""
    is_left_out = np.eye(s.shape[-1], dtype=bool)
    return np.prod(np.where(is_left_out, 1, s[..., np.newaxis, :]), axis=-1)


def _products_without_two(s: Any) -> Any:
    """For each pair of numbers the product of all others; zero for a number with itself."""
    is_one = np.eye(s.shape[-1], dtype=bool)
    is_left_out = is_one[:, np.newaxis] | is_one[np.newaxis]
    products = np.prod(np.where(is_left_out, 1, s[..., np.newaxis, np.newaxis, :]), axis=-1)
    return np.where(is_one, 0, products)
