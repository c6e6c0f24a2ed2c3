"""The projection onto the tangents of such matrices.

It is imported with the package: `ProjectTo` loads no rulesets.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from block_diagonals.matrix import BlockDiagonal
from chainrules_core import DimensionMismatchError, Projector, ProjectTo


@dataclass(slots=True, unsafe_hash=True)
class BlockDiagonalProjector(Projector):
    """Onto block-diagonal matrices whose blocks, of shape ``(k, n, n)``, are in a space of arrays."""

    blocks: Projector
    shape: tuple[int, int, int]

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return BlockDiagonal

    def project(self, x_bar: Any) -> BlockDiagonal:
        """The blocks of a dense cotangent, or those of a block-diagonal one."""
        if isinstance(x_bar, BlockDiagonal):
            return BlockDiagonal(self.blocks(x_bar.blocks))
        k, n, _ = self.shape
        if np.shape(x_bar) != (k * n, k * n):
            raise DimensionMismatchError(f"{self!r} cannot project a cotangent of shape {np.shape(x_bar)}.")
        return BlockDiagonal(self.blocks(np.einsum("aiaj->aij", x_bar.reshape(k, n, k, n))))


@ProjectTo.dispatch
def project_block_diagonal(x: BlockDiagonal) -> Projector:
    """The projector of the blocks."""
    return BlockDiagonalProjector(ProjectTo(x.blocks), x.blocks.shape)
