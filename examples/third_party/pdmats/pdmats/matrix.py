"""`PDMat`, and the functions of it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class PDMat:
    """The matrix ``L Lᵀ``; of the array `L` only the lower triangle is looked at."""

    L: np.ndarray

    def to_dense(self) -> np.ndarray:
        """The matrix itself."""
        L = np.tril(self.L)
        return L @ L.T


def pdmat(A: np.ndarray) -> PDMat:
    """The positive-definite matrix with the elements of `A`, which is decomposed here, once."""
    return PDMat(np.linalg.cholesky(A))


def logdet(A: PDMat) -> float:
    """The logarithm of the determinant."""
    return 2 * np.sum(np.log(np.diagonal(A.L)))


def quad(A: PDMat, x: np.ndarray) -> float:
    """The quadratic form ``xᵀ A⁻¹ x``."""
    z = np.linalg.solve(np.tril(A.L), x)
    return z @ z
