"""Tests of `chainrules_core.structured.symmetric`."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import DimensionMismatchError
from chainrules_core.structured import Diagonal, Hermitian, Symmetric, SymTridiagonal
from tests.chainrules_core.structured.matrices import assert_holds_its_fields

DATA = np.array([[1 + 1j, 2 + 3j], [4 - 5j, 6 + 7j]])


def test_which_elements_count():
    """One triangle; the other is its mirror image, and a Hermitian diagonal is real."""
    assert Symmetric(DATA) == np.array([[1 + 1j, 2 + 3j], [2 + 3j, 6 + 7j]])
    assert Symmetric(DATA, "L") == np.array([[1 + 1j, 4 - 5j], [4 - 5j, 6 + 7j]])
    assert Hermitian(DATA) == np.array([[1, 2 + 3j], [2 - 3j, 6]])
    assert Hermitian(DATA, "L") == np.array([[1, 4 + 5j], [4 - 5j, 6]])


@pytest.mark.parametrize("kind", [Symmetric, Hermitian])
def test_fields_are_checked(kind):
    """The array is square, the triangle one of two."""
    with pytest.raises(DimensionMismatchError, match="square"):
        kind(np.ones((2, 3)))
    with pytest.raises(ValueError, match="uplo is 'u'"):
        kind(np.eye(2), "u")


@pytest.mark.parametrize("kind", [Symmetric, Hermitian])
def test_the_other_triangle_is_never_looked_at(kind):
    """Whatever is in it, does not come out."""
    A = kind(np.array([[4.0, 1.0], [np.nan, 9.0]]))

    for result in (A, A + A, A + kind(A.data.T, "L"), 2 * A, A @ A, A * A, A.inv(), A.T, A.real, A**2):
        assert np.all(np.isfinite(np.asarray(result)))


def test_infinite_elements_stay():
    """Infinite elements stay infinite: putting the triangles together subtracts nothing."""
    A = np.array([[1.0, np.inf], [np.inf, np.inf]])

    assert Symmetric(A) == A
    assert Hermitian(A) == A


def test_transposes():
    """A symmetric matrix is its transpose, a Hermitian one its conjugate transpose."""
    S, H = Symmetric(DATA), Hermitian(DATA)

    assert S.T is S
    assert H.H == H
    assert type(H.T) is Hermitian
    assert H.T == H.to_dense().T
    assert S.H == S.to_dense().conj().T


def test_kinds_of_results():
    """Sums, real multiples and inverses stay; complex multiples of a Hermitian matrix do not."""
    S, H = Symmetric(DATA), Hermitian(DATA)
    D, T = Diagonal([1.0, 2.0]), SymTridiagonal([1.0, 2.0], [3.0])

    for result in (
        S + S,
        S - S,
        S * S,
        2j * S,
        S / 2,
        S + D,
        T + S,
        S.inv(),
        S.real,
        S.imag,
        H.real,
        np.sin(S),
    ):
        assert type(result) is Symmetric
    for result in (H + H, H - H, H * H, 2 * H, H / 2, -H, H + D, T + H, H.inv(), H.conj(), H + Symmetric(D)):
        assert type(result) is Hermitian
    for result in (2j * H, H / 2j, H.imag, np.sin(H), S @ S, H @ H, S + H, H + 1j * D):
        assert type(result) is np.ndarray


@pytest.mark.parametrize("uplo", ["U", "L"])
@pytest.mark.parametrize("kind", [Symmetric, Hermitian])
def test_sparse_parents(kind, uplo):
    """The array may be sparse; products with vectors and sums do not make it dense."""
    A, dense = kind(scipy.sparse.csr_array(DATA), uplo), kind(DATA, uplo).to_dense()

    assert A == dense
    assert scipy.sparse.issparse(A.full())
    assert scipy.sparse.issparse((A + A).data)
    assert A + Diagonal(np.ones(2)) == dense + np.eye(2)
    np.testing.assert_allclose(A @ np.ones(2), dense @ np.ones(2))
    np.testing.assert_array_equal(A[0], dense[0])


def test_what_all_kinds_are():
    """Their fields stay, their text makes them again, and their elements decide whether they are equal."""
    for A in (Symmetric(DATA), Symmetric(DATA, "L"), Hermitian(DATA)):
        assert_holds_its_fields(A)


@pytest.mark.parametrize("kind", [Symmetric, Hermitian])
@pytest.mark.parametrize("uplo", ["U", "L"])
@pytest.mark.parametrize("factor", [3.0, 2, np.float32(0.5), 1.0 - 2.0j])
def test_multiples(kind, uplo, factor):
    """Products with numbers, and quotients, are those of the dense matrix; of the negative, too."""
    A = kind(DATA, uplo)

    np.testing.assert_allclose(np.asarray(A.scale(factor)), A.to_dense() * factor)
    np.testing.assert_allclose(np.asarray(A.divide(factor)), A.to_dense() / factor)
    np.testing.assert_allclose(np.asarray(A.negative()), -A.to_dense())
    assert type(A.negative()) is kind


@pytest.mark.parametrize("kind", [Symmetric, Hermitian])
@pytest.mark.parametrize("uplo", ["U", "L"])
def test_elements_and_diagonals(kind, uplo):
    """By rows and columns, and along each diagonal."""
    A = kind(np.arange(9.0).reshape(3, 3) + 1j * np.arange(9.0).reshape(3, 3) ** 2, uplo)
    dense, i = A.to_dense(), np.arange(3)

    for offset in range(-3, 4):
        np.testing.assert_array_equal(A.diagonal(offset), np.diagonal(dense, offset))
    np.testing.assert_array_equal(A.entries(i[:, np.newaxis], i), dense)
    assert [A[j, k] for j in range(3) for k in range(3)] == dense.ravel().tolist()
