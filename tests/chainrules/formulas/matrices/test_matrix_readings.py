"""How matrices are read from arrays, against the matrices themselves."""

import numpy as np
import pytest

from chainrules.formulas.matrices.matrix_readings import (
    DIAGONAL,
    HERMITIAN,
    SYMMETRIC,
    TRIDIAGONAL,
    WHOLE,
    Bands,
    CholeskyFactor,
    HermitianBands,
    LUFactors,
    TransposedReading,
    triangle,
    triangular_bands,
)
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks
from tests.python_calls import functions_run_by


def dense_bands(ab, lower, upper):
    """The matrix whose diagonals are the rows of an array."""
    n = ab.shape[-1]
    M = np.zeros((n, n), ab.dtype)
    for i in range(n):
        for j in range(max(0, i - lower), min(n, i + upper + 1)):
            M[i, j] = ab[upper + i - j, j]
    return M


def from_triangle(ab, is_lower):
    """The Hermitian matrix, the diagonals of one triangle of which are stored."""
    count = len(ab)
    T = dense_bands(ab, *((count - 1, 0) if is_lower else (0, count - 1)))
    beside = T - np.diag(np.diag(T))
    return beside + beside.conj().T + np.diag(np.diag(T).real)


def by_cholesky(T, is_lower):
    """The product of a factor and its adjoint."""
    return T @ T.conj().T if is_lower else T.conj().T @ T


def by_lu(factors):
    """The product of both factors, with its rows in another order."""
    return ((np.tril(factors, -1) + np.eye(4)) @ np.triu(factors))[[1, 3, 0, 2]]


# LAPACK's pivots of the permutation above: row 0 changes with row 2, then row 1 with row 2, ...
PIVOTS = [2, 2, 3, 3]


def readings():
    """Each reading, the shape of its array, and the matrix that it reads."""
    yield WHOLE, (4, 4), lambda A: A
    yield DIAGONAL, (4, 4), lambda A: np.diag(np.diag(A))
    yield TRIDIAGONAL, (4, 4), lambda A: np.tril(np.triu(A, -1), 1)
    for is_lower in (False, True):
        cut = np.tril if is_lower else np.triu
        yield triangle(is_lower), (4, 4), cut
        yield triangle(is_lower, True), (4, 4), lambda A, c=cut: c(A) - np.diag(np.diag(A)) + np.eye(4)
        yield SYMMETRIC[is_lower], (4, 4), lambda A, c=cut: c(A) + c(A).T - np.diag(np.diag(A))
        yield (
            HERMITIAN[is_lower],
            (4, 4),
            lambda A, c=cut: (
                c(A) + c(A).conj().T - np.diag(np.diag(A).real) - 1j * np.diag(np.diag(A).imag) * 0
            ),
        )
        yield HermitianBands(3, is_lower), (3, 4), lambda A, low=is_lower: from_triangle(A, low)
        yield (
            CholeskyFactor(triangle(is_lower), is_lower),
            (4, 4),
            lambda A, c=cut, low=is_lower: by_cholesky(c(A), low),
        )
        yield (
            CholeskyFactor(triangular_bands(3, is_lower), is_lower),
            (3, 4),
            lambda A, low=is_lower: by_cholesky(dense_bands(A, *((2, 0) if low else (0, 2))), low),
        )
    for lower, upper in ((1, 1), (2, 1), (0, 0), (5, 0)):
        yield (
            Bands(lower, upper),
            (lower + upper + 1, 4),
            lambda A, low=lower, up=upper: dense_bands(A, low, up),
        )
    yield LUFactors(PIVOTS), (4, 4), by_lu
    yield TransposedReading(LUFactors(PIVOTS)), (4, 4), lambda A: by_lu(A).T
    yield TransposedReading(Bands(2, 1)), (4, 4), lambda A: dense_bands(A, 2, 1).T


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("case", list(readings()), ids=lambda case: type(case[0]).__name__)
def test_reading(case, dtype):
    """The tangent of the matrix is that of differences, and the cotangent is adjoint to it."""
    reading, shape, matrix = case
    A, A_dot = normal(*shape, dtype=dtype), normal(*shape, dtype=dtype, seed=1)
    X, U, V = (normal(4, 2, dtype=dtype, seed=seed) for seed in (2, 3, 4))
    h = 1e-6
    M_dot = (matrix(A + h * A_dot) - matrix(A - h * A_dot)) / (2 * h)
    np.testing.assert_allclose(reading.push(A, A_dot, X), M_dot @ X, atol=1e-7)
    np.testing.assert_allclose(reading.push(A, A_dot, X, True), M_dot.conj().T @ X, atol=1e-7)
    for columns in (slice(2), slice(1)):
        A_bar = reading.pull(A, U[:, columns], V[:, columns])
        expected = np.vdot(U[:, columns] @ V[:, columns].conj().T, M_dot).real
        np.testing.assert_allclose(np.vdot(A_bar, A_dot).real, expected, atol=1e-7)
    check_stacks(reading.push, A, A_dot, X)
    check_stacks(reading.pull, A, U, V)


def test_stacks_that_fit():
    """They need not be broadcast."""
    ab, U, V = normal(2, 3), normal(5, 1, 1, 3, 2), normal(5, 1, 1, 3, 2, seed=1)
    reading = HermitianBands(2, True)
    assert not functions_run_by(lambda: reading.pull(ab, U, V))["broadcast_to"]
    assert functions_run_by(lambda: reading.pull(ab, U, V[0]))["broadcast_to"]


def test_stacks_that_broadcast():
    """One array, and a stack of columns."""
    ab, U, V = normal(2, 3), normal(2, 3, 1), normal(3, 1)
    reading = HermitianBands(2, True)
    for place in range(2):
        np.testing.assert_allclose(reading.pull(ab, U, V)[place], reading.pull(ab, U[place], V))
