"""The derivatives of the Cholesky decomposition of a matrix with few diagonals, in time proportional to them.

The matrix is seen as block tridiagonal, with blocks as large as its bandwidth or larger. For the blocks ``D``
on the diagonal of ``L``, and ``E`` below them,

    A[k, k] = D[k] D[k]ᴴ + E[k-1] E[k-1]ᴴ,    A[k+1, k] = E[k] D[k]ᴴ

and each block is differentiated as in `chainrules.formulas.factorizations.cholesky_factors`, one after
another. For an upper factor ``L`` is its adjoint. The elements of the arrays that belong to no element of the
matrix are returned by SciPy as they were.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.matrices.hermitian import half, hermitian_from, onto_triangle
from chainrules.operations.triangular_systems import solve_lower
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate
from chainrules_core import primal_of

_SMALLEST_BLOCK = 32  # smaller ones take more steps, each of which takes as long


def push_banded_cholesky(c: Any, ab_dot: Any, is_lower: bool) -> Any:
    """The tangent of the factor `c`, in the array that SciPy returns."""
    blocks = _blocks(shape_of(c), is_lower)
    columns_dot, s = blocks.columns(ab_dot), blocks.size
    found: list[Any] = []
    E: Any = None
    for D, E_next, column_dot in zip(*_factors(blocks, c), _along(columns_dot), strict=True):
        S_dot = hermitian_from(column_dot[..., :s, :])
        if found:
            product = found[-1][..., s:, :] @ adjoint(E)
            S_dot = S_dot - product - adjoint(product)
        D_dot = D @ half(solve_lower(D, adjoint(solve_lower(D, S_dot))))
        E_dot = adjoint(solve_lower(D, adjoint(column_dot[..., s:, :] - E_next @ adjoint(D_dot))))
        found.append(np.concatenate((D_dot, E_dot), axis=-2))
        E = E_next
    return blocks.bands(np.stack(found, axis=-3), ab_dot)


def pull_banded_cholesky(c: Any, c_bar: Any, is_lower: bool) -> Any:
    """The cotangent of the array that is read, for the cotangent of the factor `c`."""
    blocks = _blocks(shape_of(c), is_lower)
    columns_bar, s = blocks.columns(c_bar), blocks.size
    found: list[Any] = []
    S_bar: Any = None
    for D, E, column_bar in reversed(list(zip(*_factors(blocks, c), _along(columns_bar), strict=True))):
        D_bar, E_bar = np.tril(column_bar[..., :s, :]), column_bar[..., s:, :]
        if found:
            E_bar = E_bar - (S_bar + adjoint(S_bar)) @ E
        below_bar = adjoint(solve_lower(D, adjoint(E_bar), True))
        D_bar = D_bar - adjoint(below_bar) @ E
        S_bar = solve_lower(D, adjoint(solve_lower(D, half(adjoint(D) @ D_bar), True)), True)
        found.append(np.concatenate((onto_triangle(S_bar), below_bar), axis=-2))
    return blocks.bands(np.stack(found[::-1], axis=-3), c_bar)


class _Blocks(NamedTuple):
    """Where the elements of the stored diagonals are among columns of blocks, and the way back.

    Column `k` of the blocks holds the blocks ``[k, k]`` and ``[k+1, k]`` of the lower triangle.

    Attributes
    ----------
    size
        Rows and columns of a block.
    in_bands
        For each element of the columns the row and the column of the array.
    is_stored
        Which elements of the columns are stored.
    in_columns
        For each element of the array its place in the columns: which column, and the row and column there.
    is_used
        Which elements of the array belong to the matrix.
    is_lower
        Whether it is the lower triangle that is stored.
    """

    size: int
    in_bands: tuple[Any, Any]
    is_stored: Any
    in_columns: tuple[Any, Any, Any]
    is_used: Any
    is_lower: bool

    def columns(self, bands: Any) -> Any:
        """The blocks, shape ``(..., k, 2 * size, size)``, of an array of stored diagonals."""
        stored = bands if self.is_lower else conjugate(bands)
        return np.where(self.is_stored, stored[(..., *self.in_bands)], 0)

    def bands(self, columns: Any, others: Any) -> Any:
        """The array of stored diagonals, with the elements of `others` that belong to no element."""
        bands = columns[(..., *self.in_columns)]
        return np.where(self.is_used, bands if self.is_lower else conjugate(bands), others)


def _blocks(shape: tuple[int, ...], is_lower: bool) -> _Blocks:
    count, n = shape[-2:]
    size = max(count - 1, _SMALLEST_BLOCK)
    steps = -(-n // size)
    k, row, column = np.ogrid[:steps, : 2 * size, :size]
    i, j, offset = np.broadcast_arrays(k * size + row, k * size + column, row - column)
    is_stored = (offset >= 0) & (offset < count) & (i < n)
    offset, i, j = (np.where(is_stored, x, 0) for x in (offset, i, j))
    in_bands = (offset, j) if is_lower else (count - 1 - offset, i)
    line, place = np.ogrid[:count, :n]
    offset = line if is_lower else count - 1 - line
    first = place + 0 * offset if is_lower else place - offset
    is_used = (first >= 0) & (first + offset < n)
    first, offset = np.where(is_used, first, 0), np.where(is_used, offset, 0)
    in_columns = first // size, first % size + offset, first % size
    return _Blocks(size, in_bands, is_stored, in_columns, is_used, is_lower)


def _factors(blocks: _Blocks, c: Any) -> tuple[list[Any], list[Any]]:
    """The blocks of ``L``; the rows beyond its last one are those of the identity."""
    columns, s = blocks.columns(c), blocks.size
    steps, n = columns.shape[-3], shape_of(c)[-1]
    is_beyond = np.arange(steps * s).reshape(steps, s, 1) >= n
    identity = np.eye(s, dtype=bool) & is_beyond
    diagonal = np.where(identity, primal_of(c).dtype.type(1), np.tril(columns[..., :s, :]))
    return _along(diagonal), _along(columns[..., s:, :])


def _along(blocks: Any) -> list[Any]:
    return [blocks[..., k, :, :] for k in range(shape_of(blocks)[-3])]
