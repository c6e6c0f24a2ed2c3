"""Hermitian matrices that are read from one triangle, as LAPACK does, and the two halves of such matrices.

Let ``Φ(X)`` be one triangle of ``X`` with its diagonal halved. Then ``Φ(A) + Φ(A)ᴴ`` is the Hermitian matrix
that LAPACK sees in `A`: the other triangle, and the imaginary part of the diagonal, are not looked at. `Φ` is
its own adjoint, so the cotangent of `A` is ``Φ(S + Sᴴ)`` where `S` is the cotangent of that matrix.
"""

from typing import Any

import numpy as np

from chainrules.values.stacks import adjoint
from chainrules_core import is_lazy, primal_of


def half(X: Any, is_lower: bool = True) -> Any:
    """``Φ(X)``: one triangle of each matrix, its diagonal halved, and zeros."""
    value = primal_of(X)
    if is_lazy(value):  # weights would be a matrix in the memory of this process
        triangle: Any = np.tril if is_lower else np.triu
        return 0.5 * (triangle(X) + triangle(X, -1 if is_lower else 1))
    n = value.shape[-1]
    weights = np.tri(n, dtype=value.real.dtype)
    weights.flat[:: n + 1] = 0.5
    return X * (weights if is_lower else weights.T)


def hermitian_from(A: Any, is_lower: bool = True) -> Any:
    """The Hermitian matrix that is read from one triangle of `A`; in the other one there may be anything."""
    part = half(np.tril(A) if is_lower else np.triu(A), is_lower)
    return part + adjoint(part)


def onto_triangle(S: Any, is_lower: bool = True) -> Any:
    """The cotangent of `A`, on the triangle that is read, for a cotangent of ``hermitian_from(A)``."""
    return half(S + adjoint(S), is_lower)
