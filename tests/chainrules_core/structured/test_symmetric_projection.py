"""Tests of `chainrules_core.structured.symmetric_projection`; `test_cotangents` has what all kinds share."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import ProjectTo
from chainrules_core.structured import Diagonal, Hermitian, Symmetric, SymTridiagonal
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values

X_BAR = np.arange(9.0).reshape(3, 3) + 1j * np.arange(9.0, 0.0, -1).reshape(3, 3) ** 2


@pytest.mark.parametrize("uplo", ["U", "L"])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_dense_cotangents(uplo, dtype):
    """The mean of the cotangent and its mirror image, not one of its triangles; `uplo` is kept."""
    eye = np.eye(3, dtype=dtype)
    x_bar = X_BAR if dtype == "complex128" else X_BAR.real

    for kind, image in ((Symmetric, x_bar.T), (Hermitian, x_bar.conj().T)):
        projected = ProjectTo(kind(eye, uplo))(X_BAR)
        assert type(projected) is kind
        assert projected.uplo == uplo
        assert projected == (x_bar + image) / 2


def test_what_is_symmetric_is_not_copied():
    """An array that fits is wrapped."""
    x_bar = np.ones((3, 3))

    assert ProjectTo(Symmetric(x_bar))(x_bar).data is x_bar
    assert ProjectTo(Hermitian(x_bar))(x_bar).data is x_bar


def test_the_other_triangle_is_converted():
    """A cotangent stored in the other triangle is the same matrix."""
    A = Symmetric(X_BAR.real, "L")

    assert ProjectTo(Symmetric(np.eye(3)))(A) == A
    assert ProjectTo(Symmetric(np.eye(3)))(A).uplo == "U"


def test_diagonal_cotangents_stay_diagonal():
    """They are in the subspace, and smaller; for a Hermitian matrix the diagonal is real."""
    D, T = Diagonal(np.ones(3)), SymTridiagonal(np.ones(3), np.ones(2))
    eye = np.eye(3, dtype=complex)

    assert ProjectTo(Symmetric(np.eye(3)))(D) is D
    assert ProjectTo(Symmetric(np.eye(3)))(T) is T
    assert ProjectTo(Hermitian(np.eye(3)))(D) is D
    assert ProjectTo(Symmetric(eye))(1j * D) == 1j * np.eye(3)
    assert ProjectTo(Hermitian(eye))((1 + 1j) * D) == Diagonal(np.ones(3))
    assert ProjectTo(Hermitian(eye))((1 + 1j) * T) == T


@pytest.mark.parametrize("kind", [Symmetric, Hermitian])
@pytest.mark.parametrize("uplo", ["U", "L"])
@pytest.mark.parametrize(
    "container", [scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array]
)
def test_sparse_parents_that_store_one_triangle(kind, uplo, container):
    """The mean is taken before the pattern: what the pattern does not store is not taken for zero."""
    pattern = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=complex)
    stored = np.triu(pattern) if uplo == "U" else np.tril(pattern)
    project = ProjectTo(kind(container(stored), uplo))
    image = X_BAR.T if kind is Symmetric else X_BAR.conj().T

    projected = project(X_BAR)

    assert type(projected.data) is container
    assert projected == pattern * (X_BAR + image) / 2
    assert project(projected) is projected
    assert project(container(X_BAR)) == projected
    assert project(kind(X_BAR)) == pattern * kind(X_BAR).to_dense()


def test_the_pattern_may_store_both_triangles():
    """Only one of them counts."""
    A = Symmetric(scipy.sparse.csr_array(np.ones((3, 3))))

    assert ProjectTo(A)(X_BAR.real) == (X_BAR.real + X_BAR.real.T) / 2


def test_projectors_are_values():
    """Equal and of equal hash for equal tangent spaces, and for no others; the repr tells them apart."""
    primals = [Symmetric(np.eye(2)), Symmetric(np.eye(2), "L"), Hermitian(np.eye(2)), Symmetric(np.eye(3))]
    assert_are_values(*primals)
