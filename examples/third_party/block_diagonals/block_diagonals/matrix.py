"""`BlockDiagonal`, and the functions of it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class BlockDiagonal:
    """A matrix that is zero outside of `k` blocks on its diagonal, an array of shape ``(k, n, n)``."""

    blocks: np.ndarray

    def to_dense(self) -> np.ndarray:
        """The matrix with its zeros, of shape ``(k n, k n)``."""
        k, n, _ = self.blocks.shape
        dense = np.einsum("aij,ab->aibj", self.blocks, np.eye(k))
        return dense.reshape(k * n, k * n)

    def __add__(self, other: "BlockDiagonal") -> "BlockDiagonal":
        return (
            BlockDiagonal(self.blocks + other.blocks) if isinstance(other, BlockDiagonal) else NotImplemented
        )

    def __rmul__(self, factor: complex) -> "BlockDiagonal":
        return BlockDiagonal(factor * self.blocks)


def multiply(A: BlockDiagonal, x: np.ndarray) -> np.ndarray:
    """The product of a matrix and a vector, block by block."""
    return (A.blocks @ x.reshape(*A.blocks.shape[:2], 1)).reshape(x.shape)


def logdet(A: BlockDiagonal) -> float:
    """The logarithm of the absolute value of the determinant."""
    return np.sum(np.linalg.slogdet(A.blocks)[1])
