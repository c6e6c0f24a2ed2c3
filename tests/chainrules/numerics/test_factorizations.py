"""Factorizations by LAPACK, against `numpy.linalg.solve`."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import LinAlgWarning

from chainrules.numerics.factorizations import (
    LU,
    BandedCholesky,
    BandedLU,
    Cholesky,
    InPrecision,
    Stack,
    Transposed,
    Triangular,
    Unfactored,
    factored,
    factored_in_precision,
    lapack_dtype,
    of_each,
)
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import positive_definite, regular
from tests.python_calls import functions_run_by

DTYPES = [np.float64, np.float32, complex, np.complex64]


def check(factorization, A, B):
    """Systems with the matrix and with its adjoint."""
    rtol = 1e4 * np.finfo(A.dtype).eps
    X = factorization.solve(B)
    B = np.broadcast_to(B, X.shape)
    np.testing.assert_allclose(A @ X, B, rtol=rtol, atol=rtol)
    adjoint = np.swapaxes(A, -1, -2).conj()
    np.testing.assert_allclose(adjoint @ factorization.solve(B, True), B, rtol=rtol, atol=rtol)
    assert X.dtype == A.dtype


@pytest.mark.parametrize("dtype", DTYPES)
def test_dense_matrices(dtype):
    """Each factorization, from one triangle where it reads one, of matrices stored by rows and by columns."""
    A, B, S = regular(4, 4, dtype=dtype), normal(4, 2, dtype=dtype), positive_definite(4, 4, dtype=dtype)
    check(LU(A), A, B)
    check(Transposed(LU(A)), A.T, B)
    for order in "CF":
        for is_lower in (False, True):
            triangle = np.tril if is_lower else np.triu
            matrix = np.asarray(A, order=order)
            check(Triangular(matrix, is_lower), triangle(A), B)
            unit = triangle(A) / 8 - np.diag(np.diag(A)) / 8 + np.eye(4, dtype=dtype)
            check(Triangular(np.asarray(unit + np.eye(4), order=order, dtype=dtype), is_lower, True), unit, B)
            check(Cholesky(np.asarray(triangle(S), order=order), is_lower), S, B)


def test_regular_matrices():
    """Neither zeros on the diagonal nor numbers that are not finite."""
    A = regular(3, 3)
    assert LU(A).is_regular()
    assert not any(LU(x * A).is_regular() for x in (0.0, np.inf, np.nan))


@pytest.mark.parametrize("dtype", DTYPES)
def test_bands(dtype):
    """The diagonals of a matrix, and those of one triangle of a Hermitian one."""
    bands, B = normal(3, 4, dtype=dtype), normal(4, 2, dtype=dtype)
    bands[1] = 5
    A = np.diag(bands[0, 1:], 1) + np.diag(bands[1]) + np.diag(bands[2, :-1], -1)
    check(BandedLU(bands, 1, 1), A, B)
    lower = np.tril(A, -1)
    S = lower + lower.conj().T + np.diag(np.diag(A))
    check(BandedCholesky(bands[1:], True), S, B)
    upper = np.stack((np.append(0, bands[2, :-1].conj()), bands[1])).astype(dtype)
    check(BandedCholesky(upper, False), S, B)


def test_stacks():
    """Each matrix of a stack, right sides that broadcast, and one matrix with a stack of right sides."""
    A, B = regular(2, 3, 3), normal(4, 1, 3, 2)
    check(Stack(LU, (A, 2)), A, B)
    check(of_each(LU, (A, 2)), A, B)
    check(Unfactored(A), A, B)
    check(InPrecision(Unfactored(A), A.dtype), A, B)
    check(InPrecision(LU(A[0]), A.dtype), A[0], B)
    check(InPrecision(LU(A[0]), A.dtype), A[0], normal(5, 3, 2))
    check(InPrecision(of_each(LU, (A, 2)), A.dtype), A, B)
    assert isinstance(of_each(LU, (A[0], 2)), LU)


def test_kinds_of_numbers():
    """Real factors solve for complex columns; integers and single precision are brought to the right one."""
    A, B = regular(3, 3), normal(3, 2, dtype=complex)
    for matrix, columns in (
        (A, B),
        (A.astype(int), B.real),
        (A.astype(np.float32), B.real),
        (A + 0j, B.real),
        (A, B[:, :0]),
    ):
        factorization = factored_in_precision(matrix, columns, LU)
        X = factorization.solve(columns)
        np.testing.assert_allclose(matrix @ X, columns, atol=1e-12)
        assert X.dtype == np.linalg.solve(matrix, columns).dtype
    assert lapack_dtype(np.zeros(1, np.float16), np.zeros(1, np.complex64)).char == "f"
    assert lapack_dtype(np.zeros(1, np.complex64), np.zeros(1)).char == "D"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", [[0, 1, 2], [1, 0, 2], [1, 2, 0]])
def test_inverses_and_determinants(order, dtype):
    """As NumPy's, whichever rows are exchanged; of singular matrices too."""
    A = regular(3, 3, dtype=dtype)[order]
    factors = LU(A)
    # The digits that single precision has.
    np.testing.assert_allclose(factors.inverse(), np.linalg.inv(A), rtol=1e-4)
    np.testing.assert_allclose(factors.slogdet(), np.linalg.slogdet(A), rtol=1e-5)
    assert [part.dtype for part in factors.slogdet()] == [part.dtype for part in np.linalg.slogdet(A)]
    singular = LU(np.zeros((2, 2), dtype))
    assert singular.slogdet() == (0.0, -np.inf)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        singular.inverse()


@pytest.mark.parametrize("is_lower", [True, False])
def test_warnings_of_the_condition(is_lower):
    """As SciPy's, with the reciprocal condition number; a small pivot alone does no harm."""
    good, bad = np.diag([1.0, 1e-9, 2.0]), np.diag([1.0, 1e-20, 2.0])
    for factors in (LU(good), Cholesky(good, is_lower)):
        factors.warn_of_condition(good if isinstance(factors, LU) else lambda: good)
    LU(np.eye(2)).warn_of_condition(np.full((2, 2), np.nan))  # which nobody looks at
    with pytest.warns(LinAlgWarning, match=r"rcond=5e-21"):
        LU(bad).warn_of_condition(bad)
    with pytest.warns(LinAlgWarning, match=r"rcond=5e-21"):
        Cholesky(bad, is_lower).warn_of_condition(lambda: bad)


@pytest.mark.parametrize("is_lower", [True, False])
def test_condition_numbers(is_lower):
    """They are those of the 1-norm."""
    S, scale = np.array([[2.0, 1.0, 0.3], [1.0, 3.0, 0.1], [0.3, 0.1, 1.0]]), np.array([1.0, 1.0, 1e-9])
    bad = scale[:, None] * S * scale
    inverse = np.linalg.inv(S) / (scale[:, None] * scale)
    expected = 1 / (np.linalg.norm(bad, 1) * np.linalg.norm(inverse, 1))
    with pytest.warns(LinAlgWarning, match=f"rcond={expected:.5g}"):
        Cholesky(bad, is_lower).warn_of_condition(lambda: bad)
    with pytest.warns(LinAlgWarning, match=f"rcond={expected:.5g}"):
        LU(bad).warn_of_condition(bad)


@pytest.mark.parametrize("dtype", DTYPES)
def test_conditions_in_each_precision(dtype):
    """A matrix is ill-conditioned where its condition number is as large as the precision, as in SciPy."""
    eps = float(np.finfo(dtype).eps)
    good, bad = (np.diag([1.0, ratio * eps]).astype(dtype) for ratio in (1.01, 0.99))
    Cholesky(good, True).warn_of_condition(lambda: good)
    LU(good).warn_of_condition(good)
    with pytest.warns(LinAlgWarning, match="Ill-conditioned"):
        Cholesky(bad, True).warn_of_condition(lambda: bad)
    with pytest.warns(LinAlgWarning, match="Ill-conditioned"):
        LU(bad).warn_of_condition(bad)


def test_short_way():
    """Columns that are no stack, and in the right precision, go to LAPACK as they are."""
    A, B = regular(3, 3), normal(3, 2)
    factorization = InPrecision(LU(A), A.dtype)
    calls = functions_run_by(lambda: factorization.solve(B))
    assert not calls["moveaxis"]
    seen = []
    InPrecision(SimpleNamespace(solve=lambda X, by_adjoint: seen.append(X) or X), A.dtype).solve(B)
    assert seen[0] is B


def test_what_lapack_does_not_take():
    """NumPy gets the matrices that are read."""
    stack = factored(regular(2, 2, 2), LU, np.tril)
    assert isinstance(stack, Unfactored)
    check(stack, np.tril(regular(2, 2, 2)), normal(2, 2, 1))
    assert isinstance(factored(regular(2, 2), LU, np.tril), LU)


def test_errors():
    """Singular and indefinite matrices, and right sides that do not fit."""
    with pytest.raises(ValueError, match=r"\(2, 2\), and of its right side, \(3, 2\)"):
        factored_in_precision(np.eye(2), np.ones((3, 2)), LU)
    Z = np.zeros((2, 2))
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        LU(Z).check_regular()
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        Triangular(Z, True)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        BandedLU(Z, 0, 1)
    with pytest.raises(np.linalg.LinAlgError, match="2-th leading minor"):
        Cholesky(np.diag([1.0, -1.0]), True)
    with pytest.raises(np.linalg.LinAlgError, match="1-th leading minor"):
        BandedCholesky(Z, True)
