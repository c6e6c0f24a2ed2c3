"""The rules; loaded through the entry point.

``y = A x``: ``A_bar = y_bar xᴴ`` within the blocks, ``x_bar = Aᴴ y_bar``. ``y = log|det A|``:
``A_bar = y_bar A⁻ᵀ``.
"""

from typing import Any

import numpy as np

from block_diagonals.matrix import BlockDiagonal, logdet, multiply, pieces
from chainrules_core import AbstractZero, NoTangent, ProjectTo, frule, rrule, typeof_


def blocks_of(A: BlockDiagonal, A_dot: Any) -> list[Any]:
    """The tangents of the blocks, from a tangent of the matrix in either form; zeros for a zero."""
    given = A_dot if isinstance(A_dot, AbstractZero) else A_dot.blocks
    if isinstance(given, AbstractZero):
        return [np.zeros_like(block) for block in A.blocks]
    pairs = zip(A.blocks, given, strict=True)
    return [np.zeros_like(block) if isinstance(dot, AbstractZero) else dot for block, dot in pairs]


@frule.dispatch
def multiply_frule(tangents: Any, f: typeof_(multiply), A: BlockDiagonal, x: np.ndarray) -> Any:
    _, A_dot, x_dot = tangents
    by_matrix = multiply(BlockDiagonal(tuple(blocks_of(A, A_dot))), x)
    return multiply(A, x), by_matrix + multiply(A, 0 * x + x_dot)


@rrule.dispatch
def multiply_rrule(f: typeof_(multiply), A: BlockDiagonal, x: np.ndarray) -> Any:
    project_A, project_x = ProjectTo(A), ProjectTo(x)

    def multiply_pullback(y_bar: Any) -> Any:
        pairs = zip(pieces(A, y_bar), pieces(A, np.conj(x)), strict=True)
        A_bar = BlockDiagonal(tuple(np.outer(y_piece, x_piece) for y_piece, x_piece in pairs))
        adjoint = BlockDiagonal(tuple(np.conj(block.T) for block in A.blocks))
        return NoTangent(), project_A(A_bar), project_x(multiply(adjoint, y_bar))

    return multiply(A, x), multiply_pullback


@frule.dispatch
def logdet_frule(tangents: Any, f: typeof_(logdet), A: BlockDiagonal) -> Any:
    pairs = zip(A.blocks, blocks_of(A, tangents[1]), strict=True)
    return logdet(A), sum(np.trace(np.linalg.solve(block, block_dot)) for block, block_dot in pairs)


@rrule.dispatch
def logdet_rrule(f: typeof_(logdet), A: BlockDiagonal) -> Any:
    project_A = ProjectTo(A)

    def logdet_pullback(y_bar: Any) -> Any:
        blocks = tuple(y_bar * np.linalg.inv(block).T for block in A.blocks)
        return NoTangent(), project_A(BlockDiagonal(blocks))

    return logdet(A), logdet_pullback
