"""`BlockDiagonal`, and the functions of it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class BlockDiagonal:
    """A matrix that is zero outside of the square blocks on its diagonal, which may differ in size."""

    blocks: tuple[np.ndarray, ...]

    @property
    def ends(self) -> list[int]:
        """The rows at which a block ends and the next one begins."""
        return np.cumsum([len(block) for block in self.blocks]).tolist()

    def to_dense(self) -> np.ndarray:
        """The matrix with its zeros."""
        dense = np.zeros((self.ends[-1], self.ends[-1]), np.result_type(*self.blocks))
        for block, end in zip(self.blocks, self.ends, strict=True):
            rows = slice(end - len(block), end)
            dense[rows, rows] = block
        return dense

    def __add__(self, other: "BlockDiagonal") -> "BlockDiagonal":
        if not isinstance(other, BlockDiagonal):
            return NotImplemented
        return BlockDiagonal(tuple(a + b for a, b in zip(self.blocks, other.blocks, strict=True)))

    def __rmul__(self, factor: complex) -> "BlockDiagonal":
        return BlockDiagonal(tuple(factor * block for block in self.blocks))


def pieces(A: BlockDiagonal, x: np.ndarray) -> list[np.ndarray]:
    """The part of a vector that each block meets."""
    return np.split(x, A.ends[:-1])


def multiply(A: BlockDiagonal, x: np.ndarray) -> np.ndarray:
    """The product of a matrix and a vector, block by block."""
    return np.concatenate([block @ piece for block, piece in zip(A.blocks, pieces(A, x), strict=True)])


def logdet(A: BlockDiagonal) -> float:
    """The logarithm of the absolute value of the determinant."""
    return sum(np.linalg.slogdet(block)[1] for block in A.blocks)
