"""Matrices with square blocks on the diagonal, and zeros elsewhere."""

from block_diagonals.matrix import BlockDiagonal, logdet, multiply
from block_diagonals.projection import BlockDiagonalProjector

__all__ = ["BlockDiagonal", "BlockDiagonalProjector", "logdet", "multiply"]
