"""The adjugate of a matrix, which is ``det(A) A⁻¹`` where that exists, with derivatives of every order.

By the singular values, ``A = U S Vᴴ``: the adjugate of a product is the product of the adjugates in reverse
order, the adjugate of a unitary matrix ``U`` is ``det(U) Uᴴ``, and ``adj(S)`` is diagonal, with the products
of all singular values but one. G. W. Stewart, "On the adjugate matrix", Linear Algebra and its Applications
283, 1998.

Singular values and vectors have no derivatives where values are equal or zero, but the adjugate, a
polynomial, has. So for a traced matrix ``U`` and ``V`` are constants, computed from its value. With
``X = Uᴴ A V`` in blocks, of which ``X₁₁`` is regular and ``C = X₂₂ - X₂₁ X₁₁⁻¹ X₁₂`` is small, the inverse of
``X`` gives

    adj(X) = det(X₁₁) [det(C) X₁₁⁻¹ + L adj(C) R    -L adj(C)]    L = X₁₁⁻¹ X₁₂
                      [-adj(C) R                       adj(C)],   R = X₂₁ X₁₁⁻¹

with determinant and adjugate of ``C`` by sums and products, after D. K. Faddeev and U. J. J. Le Verrier.
"""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, diagonal_matrix, transposed, with_matrix_axes
from chainrules_core import primal_of

# Singular values below this part of the largest are small: between the rounding errors of those above, which
# are divided by, and of the many products of those below.
_SMALL = 1e-4


def adjugate(A: Any) -> Any:
    """The adjugate of each matrix of a stack: the transpose of its cofactors.

    Parameters
    ----------
    A
        Shape ``(..., n, n)``; its rank may be anything.
    """
    value = primal_of(A)
    U, s, V_adjoint = np.linalg.svd(value)
    if value is A:
        return _transformed(diagonal_matrix(_products_without(s)), U, V_adjoint)
    X = adjoint(U) @ A @ adjoint(V_adjoint)
    return _transformed(_by_blocks_of_each(X, s), U, V_adjoint)


def _transformed(D: Any, U: Any, V_adjoint: Any) -> Any:
    """The matrix, brought back from the basis of the singular vectors."""
    factor = np.linalg.det(U) * np.linalg.det(V_adjoint)
    return with_matrix_axes(factor) * (adjoint(V_adjoint) @ D @ adjoint(U))


def _products_without(s: Any) -> Any:
    """For each number the product of all others, along the last axis."""
    is_left_out = np.eye(s.shape[-1], dtype=bool)
    return np.prod(np.where(is_left_out, 1, s[..., np.newaxis, :]), axis=-1)


def _by_blocks_of_each(X: Any, s: Any) -> Any:
    """The adjugate of each matrix of a stack, whose rank may be different."""
    if s.ndim == 1:
        return _by_blocks(X, int(np.count_nonzero(s > _SMALL * s.max(initial=0))))
    if not len(s):
        return X
    return np.stack([_by_blocks_of_each(X[k], s[k]) for k in range(len(s))])


def _by_blocks(X: Any, rank: int) -> Any:
    """The adjugate of a matrix, the first `rank` rows and columns of which are regular."""
    X11, X12, X21, X22 = X[:rank, :rank], X[:rank, rank:], X[rank:, :rank], X[rank:, rank:]
    inverse = np.linalg.inv(X11)
    left, right = inverse @ X12, X21 @ inverse
    determinant, cofactors = _polynomial(X22 - X21 @ left)
    upper = np.concatenate([determinant * inverse + left @ cofactors @ right, -left @ cofactors], axis=1)
    lower = np.concatenate([-cofactors @ right, cofactors], axis=1)
    return np.linalg.det(X11) * np.concatenate([upper, lower])


def _polynomial(C: Any) -> tuple[Any, Any]:
    """The determinant and the adjugate, from the coefficients of the characteristic polynomial."""
    n = shape_of(C)[-1]
    identity = np.eye(n, dtype=primal_of(C).dtype)
    M, coefficient = identity, identity.dtype.type(1)
    for k in range(1, n + 1):
        M = identity if k == 1 else C @ M + coefficient * identity
        coefficient = -np.sum(C * transposed(M)) / k
    return (-1) ** n * coefficient, (-1) ** (n - 1) * M
