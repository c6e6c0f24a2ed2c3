"""How matrices are read from arrays: from a triangle, from diagonals, from the factors of the matrix.

Each reading is the linear map from the tangent of the array to the tangent of the matrix ``M``, applied to
columns, and its adjoint, for a cotangent that is given as ``U Vᴴ``; see
`chainrules.operations.linear_systems`.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.matrices.hermitian import half, hermitian_from, onto_triangle
from chainrules.formulas.matrices.row_orders import inverse_order, permutation_by, rows_in_order
from chainrules.numerics.lapack import is_for_lapack
from chainrules.operations.linear_systems import Reading
from chainrules.values.recorded_calls import in_one_line
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate, times_adjoint, transposed
from chainrules_core import primal_of


class Elements:
    """A matrix that is a linear function of an array of the same shape.

    Attributes
    ----------
    matrix
        From the array, or its tangent, to the matrix.
    cotangent
        From the cotangent of the matrix to the cotangent of the array.
    """

    __slots__ = ("cotangent", "matrix")

    def __init__(self: Any, matrix: Callable[[Any], Any], cotangent: Callable[[Any], Any]) -> None:
        self.matrix = matrix
        self.cotangent = cotangent

    def push(self: Any, A: Any, A_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``M_dot X`` or ``M_dotᴴ X``."""
        M_dot = self.matrix(A_dot)
        return (adjoint(M_dot) if by_adjoint else M_dot) @ X

    def pull(self: Any, A: Any, U: Any, V: Any) -> Any:
        """The part of ``U Vᴴ`` that is read."""
        return self.cotangent(times_adjoint(U, V))


def _itself(A: Any) -> Any:
    return A


class Triangle(Elements):
    """A triangle of the array, from the k-th diagonal on."""

    __slots__ = ("_is_lower", "_k")

    def __init__(self: Any, is_lower: bool, k: int) -> None:
        self._is_lower, self._k = is_lower, k
        super().__init__(self._cut, self._cut)

    def _cut(self: Any, A: Any) -> Any:
        return np.tril(A, self._k) if self._is_lower else np.triu(A, self._k)

    def pull(self: Any, A: Any, U: Any, V: Any) -> Any:
        """The triangle of ``U Vᴴ``: of two columns in memory without the other one."""
        if not (is_for_lapack(U) and is_for_lapack(V) and U.shape[1] == 1):
            return super().pull(A, U, V)
        is_kept = _triangle(len(U), self._k, self._is_lower)
        return _product_within(is_kept, U, V)


@in_one_line
def _product_within(is_kept: Any, U: Any, V: Any) -> Any:
    C = np.zeros(is_kept.shape, np.result_type(U, V))
    return np.multiply(U, adjoint(V), out=C, where=is_kept)


def _triangle(n: int, k: int, is_lower: bool) -> Any:
    """Where the triangle is; remembered, unless it takes more memory than a small matrix."""
    return (_remembered_triangle if n <= _SMALL else _new_triangle)(n, k, is_lower)


def _new_triangle(n: int, k: int, is_lower: bool) -> Any:
    return np.tri(n, n, k, bool) if is_lower else ~np.tri(n, n, k - 1, bool)


_SMALL = 512
_remembered_triangle = functools.lru_cache(8)(_new_triangle)


def _symmetric_from(is_lower: bool) -> Elements:
    def matrix(A: Any) -> Any:
        part = half(np.tril(A) if is_lower else np.triu(A), is_lower)
        return part + transposed(part)

    return Elements(matrix, lambda C: half(C + transposed(C), is_lower))


def _hermitian_from(is_lower: bool) -> Elements:
    return Elements(lambda A: hermitian_from(A, is_lower), lambda C: onto_triangle(C, is_lower))


def _near_diagonal(reach: int) -> Elements:
    def cut(A: Any) -> Any:
        return np.tril(np.triu(A, -reach), reach)

    return Elements(cut, cut)


WHOLE = Elements(_itself, _itself)
LOWER, UPPER = Triangle(True, 0), Triangle(False, 0)
# The tangent of a matrix with ones on its diagonal has zeros there.
UNIT_LOWER, UNIT_UPPER = Triangle(True, -1), Triangle(False, 1)
SYMMETRIC = {is_lower: _symmetric_from(is_lower) for is_lower in (True, False)}
HERMITIAN = {is_lower: _hermitian_from(is_lower) for is_lower in (True, False)}
DIAGONAL, TRIDIAGONAL = _near_diagonal(0), _near_diagonal(1)


def triangle(is_lower: bool, is_unit: bool = False) -> Elements:
    """The reading of a triangle, without its diagonal if ones are taken to be there."""
    if is_unit:
        return UNIT_LOWER if is_lower else UNIT_UPPER
    return LOWER if is_lower else UPPER


class Bands:
    """A matrix whose diagonals are the rows of the array: ``array[upper + i - j, j]`` is ``M[i, j]``.

    Attributes
    ----------
    lower, upper
        The numbers of diagonals below and above the main one.
    """

    __slots__ = ("lower", "upper")

    def __init__(self: Any, lower: int, upper: int) -> None:
        self.lower = lower
        self.upper = upper

    def times(self: Any, bands: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``M X`` or ``Mᴴ X``."""
        offsets, places = self._offsets(), np.arange(shape_of(X)[-2])
        if by_adjoint:
            rows = places - offsets
            used = np.where((rows >= 0) & (rows < len(places)), bands, 0)
            return np.sum(conjugate(used)[..., None] * self._rows(X), axis=-3)
        products = _with_rows_of_zeros(bands[..., None] * X[..., None, :, :], self.lower, self.upper)
        lines = np.arange(len(offsets))[:, None]
        return np.sum(products[..., lines, places + offsets + self.lower, :], axis=-3)

    def push(self: Any, A: Any, A_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``M_dot X`` or ``M_dotᴴ X``."""
        return self.times(A_dot, X, by_adjoint)

    def pull(self: Any, A: Any, U: Any, V: Any) -> Any:
        """The diagonals of ``U Vᴴ``."""
        products = self._rows(U) * conjugate(V)[..., None, :, :]
        return products[..., 0] if shape_of(V)[-1] == 1 else np.sum(products, axis=-1)

    def _offsets(self: Any) -> Any:
        """How far each diagonal is above the main one, in the order of the rows, as a column."""
        return np.arange(self.upper, -self.lower - 1, -1)[:, None]

    def _rows(self: Any, X: Any) -> Any:
        """For each element of the array the row of `X` of its row in the matrix, or zeros."""
        rows = np.arange(shape_of(X)[-2]) - self._offsets() + self.upper
        return _with_rows_of_zeros(X, self.upper, self.lower)[..., rows, :]


class HermitianBands:
    """A Hermitian matrix, the diagonals of one triangle of which are the rows of the array.

    With the main diagonal halved, these are a triangular matrix ``T``, and ``M`` is ``T + Tᴴ``.
    """

    __slots__ = ("_main", "_triangle")

    def __init__(self: Any, count: int, is_lower: bool) -> None:
        self._triangle = triangular_bands(count, is_lower)
        self._main = np.ones((count, 1))
        self._main[0 if is_lower else -1] = 0.5

    def push(self: Any, A: Any, A_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``M_dot X``: the matrix is its own adjoint."""
        T_dot = A_dot * self._weights(A_dot)
        return self._triangle.times(T_dot, X) + self._triangle.times(T_dot, X, True)

    def pull(self: Any, A: Any, U: Any, V: Any) -> Any:
        """The diagonals of one triangle of ``U Vᴴ + V Uᴴ``, the main one halved."""
        bands = self._triangle.pull(A, *_both_ways(U, V))
        return bands * self._weights(bands)

    def _weights(self: Any, bands: Any) -> Any:
        return self._main.astype(np.finfo(primal_of(bands).dtype).dtype)


def triangular_bands(count: int, is_lower: bool) -> Bands:
    """The reading of a triangular matrix with so many diagonals."""
    return Bands(count - 1, 0) if is_lower else Bands(0, count - 1)


class CholeskyFactor:
    """The matrix ``L Lᴴ`` or ``Uᴴ U`` whose triangular factor is read from the array.

    The cotangent of ``L`` is the triangle of ``(M_bar + M_barᴴ) L``.
    """

    __slots__ = ("_is_lower", "_triangle")

    def __init__(self: Any, triangle: Reading, is_lower: bool) -> None:
        self._triangle = triangle
        self._is_lower = is_lower

    def push(self: Any, A: Any, A_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``M_dot X``: the matrix is its own adjoint."""
        times, is_lower = self._triangle.push, self._is_lower
        first = times(A, A_dot, times(A, A, X, is_lower), not is_lower)
        return first + times(A, A, times(A, A_dot, X, is_lower), not is_lower)

    def pull(self: Any, A: Any, U: Any, V: Any) -> Any:
        """The triangle of ``(U Vᴴ + V Uᴴ) L``, or of ``R (U Vᴴ + V Uᴴ)``."""
        left, right = _both_ways(U, V)
        if self._is_lower:
            return self._triangle.pull(A, left, self._triangle.push(A, A, right, True))
        return self._triangle.pull(A, self._triangle.push(A, A, left), right)


class LUFactors:
    """The matrix ``P L U``, whose factors are the triangles of the array.

    ``L_bar`` is the strict lower triangle of ``Pᵀ M_bar Uᴴ``, and ``U_bar`` the upper one of ``Lᴴ Pᵀ M_bar``.
    """

    __slots__ = ("_inverse", "_permutation")

    def __init__(self: Any, pivots: Any) -> None:
        self._permutation = permutation_by(pivots, np.shape(pivots)[-1])
        self._inverse = inverse_order(self._permutation)

    def push(self: Any, A: Any, A_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``P (L_dot U + L U_dot) X``, or the adjoint of that matrix times `X`."""
        if by_adjoint:
            X = self._undone(X)
            first = UPPER.push(A, A, UNIT_LOWER.push(A, A_dot, X, True), True)
            return first + UPPER.push(A, A_dot, _times_unit_lower(A, X, True), True)
        first = UNIT_LOWER.push(A, A_dot, UPPER.push(A, A, X))
        return rows_in_order(first + _times_unit_lower(A, UPPER.push(A, A_dot, X)), self._inverse)

    def pull(self: Any, A: Any, U: Any, V: Any) -> Any:
        """Both triangles, in one array."""
        Q = self._undone(U)
        L_bar = UNIT_LOWER.pull(A, Q, UPPER.push(A, A, V))
        return L_bar + UPPER.pull(A, _times_unit_lower(A, Q, True), V)

    def _undone(self: Any, X: Any) -> Any:
        """``Pᵀ X``."""
        return rows_in_order(X, self._permutation)


def _times_unit_lower(A: Any, X: Any, by_adjoint: bool = False) -> Any:
    return UNIT_LOWER.push(A, A, X, by_adjoint) + X


class TransposedReading:
    """The transpose of a matrix that is read: ``Mᵀ X`` is the conjugate of ``Mᴴ conj(X)``."""

    __slots__ = ("_reading",)

    def __init__(self: Any, reading: Reading) -> None:
        self._reading = reading

    def push(self: Any, A: Any, A_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """The transpose of ``M_dot`` times `X`, or its conjugate."""
        return conjugate(self._reading.push(A, A_dot, conjugate(X), not by_adjoint))

    def pull(self: Any, A: Any, U: Any, V: Any) -> Any:
        """For the transpose of ``U Vᴴ``."""
        return self._reading.pull(A, conjugate(V), conjugate(U))


def _with_rows_of_zeros(X: Any, before: int, after: int) -> Any:
    zeros = np.zeros_like(primal_of(X)[..., :1, :])
    parts = [*[zeros] * before, X, *[zeros] * after]
    return np.concatenate(parts, axis=-2) if before or after else X


def _both_ways(U: Any, V: Any) -> tuple[Any, Any]:
    """The factors of ``U Vᴴ + V Uᴴ``."""
    shape = np.broadcast_shapes(shape_of(U)[:-2], shape_of(V)[:-2])
    if shape_of(U)[:-2] != shape_of(V)[:-2]:
        U, V = (np.broadcast_to(X, shape + shape_of(X)[-2:]) for X in (U, V))
    return np.concatenate((U, V), axis=-1), np.concatenate((V, U), axis=-1)
