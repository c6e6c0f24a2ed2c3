"""The rules; loaded through the entry point.

``y = A x``: ``A_bar = y_bar xᴴ`` within the blocks, ``x_bar = Aᴴ y_bar``. ``y = log|det A|``:
``A_bar = y_bar A⁻ᵀ``.
"""

from typing import Any

import numpy as np

from block_diagonals.matrix import BlockDiagonal, logdet, multiply
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk


def blocks_of(A: BlockDiagonal, A_dot: Any) -> Any:
    """The tangent of the blocks, from a tangent in either form; zeros for a zero."""
    return unthunk(getattr(unthunk(A_dot), "blocks", 0 * A.blocks))


@frule.dispatch
def multiply_frule(tangents: Any, f: typeof_(multiply), A: BlockDiagonal, x: np.ndarray) -> Any:
    _, A_dot, x_dot = tangents
    by_matrix = multiply(BlockDiagonal(blocks_of(A, A_dot)), x)
    return multiply(A, x), by_matrix + multiply(A, 0 * x + unthunk(x_dot))


@rrule.dispatch
def multiply_rrule(f: typeof_(multiply), A: BlockDiagonal, x: np.ndarray) -> Any:
    project_A, project_x = ProjectTo(A), ProjectTo(x)
    parts = A.blocks.shape[:2]

    def multiply_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        A_bar = np.einsum("ai,aj->aij", y_bar.reshape(parts), np.conj(x).reshape(parts))
        adjoint = BlockDiagonal(np.conj(np.swapaxes(A.blocks, 1, 2)))
        return NoTangent(), project_A(BlockDiagonal(A_bar)), project_x(multiply(adjoint, y_bar))

    return multiply(A, x), multiply_pullback


@frule.dispatch
def logdet_frule(tangents: Any, f: typeof_(logdet), A: BlockDiagonal) -> Any:
    return logdet(A), np.einsum("aij,aji->", np.linalg.inv(A.blocks), blocks_of(A, tangents[1]))


@rrule.dispatch
def logdet_rrule(f: typeof_(logdet), A: BlockDiagonal) -> Any:
    project_A = ProjectTo(A)

    def logdet_pullback(y_bar: Any) -> Any:
        A_bar = unthunk(y_bar) * np.swapaxes(np.linalg.inv(A.blocks), 1, 2)
        return NoTangent(), project_A(BlockDiagonal(A_bar))

    return logdet(A), logdet_pullback
