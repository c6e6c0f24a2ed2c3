"""The projection onto the tangents of block-diagonal matrices.

It is imported with the package: `ProjectTo` loads no rulesets.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from block_diagonals.matrix import BlockDiagonal
from chainrules_core import DimensionMismatchError, Projector, ProjectTo


@dataclass(slots=True, unsafe_hash=True)
class BlockDiagonalProjector(Projector):
    """Onto block-diagonal matrices, each of whose blocks is in a space of arrays."""

    blocks: tuple[Projector, ...]
    ends: tuple[int, ...]

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return BlockDiagonal

    def project(self, x_bar: Any) -> BlockDiagonal:
        """The blocks of a dense or block-diagonal cotangent."""
        if isinstance(x_bar, BlockDiagonal):
            blocks = x_bar.blocks
        elif np.shape(x_bar) == (self.ends[-1], self.ends[-1]):
            starts = (0, *self.ends[:-1])
            blocks = [x_bar[i:j, i:j] for i, j in zip(starts, self.ends, strict=True)]
        else:
            raise DimensionMismatchError(f"{self!r} cannot project a cotangent of shape {np.shape(x_bar)}.")
        pairs = zip(self.blocks, blocks, strict=True)
        return BlockDiagonal(tuple(project(block) for project, block in pairs))


@ProjectTo.dispatch
def project_block_diagonal(x: BlockDiagonal) -> Projector:
    """The projector of each block."""
    return BlockDiagonalProjector(tuple(map(ProjectTo, x.blocks)), tuple(x.ends))
