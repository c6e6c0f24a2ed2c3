"""Tests of `chainrules_core.structured.triangular_projection`; `test_cotangents` has what all kinds share."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import ProjectTo
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    LowerTriangular,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
)
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values

X_BAR = np.arange(1.0, 10.0).reshape(3, 3)
EYE = np.eye(3)
CASES = [
    (UpperTriangular, UpperTriangular, np.triu(X_BAR)),
    (LowerTriangular, LowerTriangular, np.tril(X_BAR)),
    (UnitUpperTriangular, UpperTriangular, np.triu(X_BAR, 1)),
    (UnitLowerTriangular, LowerTriangular, np.tril(X_BAR, -1)),
]


@pytest.mark.parametrize(("kind", "kind_bar", "expected"), CASES)
def test_dense_cotangents(kind, kind_bar, expected):
    """Their triangle; the diagonal of a unit triangular matrix is fixed, so there it is zero."""
    projected = ProjectTo(kind(EYE))(X_BAR)

    assert type(projected) is kind_bar
    np.testing.assert_array_equal(projected.data, expected)


@pytest.mark.parametrize(("kind", "kind_bar", "expected"), CASES)
@pytest.mark.parametrize("has_diagonal", [True, False])
def test_triangular_cotangents_of_another_precision(kind, kind_bar, expected, has_diagonal):
    """As dense ones; a fixed diagonal has no cotangent."""
    x_bar = (1 + 1j) * (X_BAR if has_diagonal else X_BAR - np.diag(X_BAR.diagonal()))

    projected = ProjectTo(kind(EYE))(kind_bar(x_bar))

    assert type(projected) is kind_bar
    assert projected.dtype == np.float64
    assert projected == (expected if has_diagonal else expected - np.diag(expected.diagonal()))


@pytest.mark.parametrize("kind", [UpperTriangular, LowerTriangular])
def test_diagonal_cotangents_stay_diagonal(kind):
    """They are in the subspace, and smaller; bidiagonal ones of the same side likewise."""
    D = Diagonal(np.ones(3))
    uplo, other = ("U", "L") if kind is UpperTriangular else ("L", "U")
    project = ProjectTo(kind(EYE))

    assert project(D) is D
    assert project(1j * D) == 0 * D
    assert project(B := Bidiagonal(np.ones(3), np.ones(2), uplo)) is B
    assert type(project(Bidiagonal(np.ones(3), np.ones(2), other))) is kind


@pytest.mark.parametrize("kind", [UnitUpperTriangular, UnitLowerTriangular])
def test_a_fixed_diagonal_has_no_cotangent(kind):
    """Of diagonal cotangents nothing is left, and nothing dense is made of them."""
    uplo = "U" if kind is UnitUpperTriangular else "L"
    project = ProjectTo(kind(EYE))

    assert type(project(Diagonal(np.ones(3)))) is Diagonal
    assert project(Diagonal(np.ones(3))) == np.zeros((3, 3))
    assert project(Bidiagonal(np.ones(3), [1.0, 2.0], uplo)) == Bidiagonal(np.zeros(3), [1.0, 2.0], uplo)
    assert np.all(project(kind(X_BAR)).diagonal() == 0.0)
    fitting = project(X_BAR)
    assert project(fitting) is fitting


@pytest.mark.parametrize(("kind", "kind_bar", "expected"), CASES)
def test_sparse_parents(kind, kind_bar, expected):
    """The stored pattern is the subspace."""
    data = scipy.sparse.csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 4.0], [5.0, 0.0, 6.0]]))
    projected = ProjectTo(kind(data))(X_BAR)

    assert type(projected) is kind_bar
    assert scipy.sparse.issparse(projected.data)
    assert projected == np.where(data.toarray() != 0, expected, 0.0)
    assert ProjectTo(kind(data))(projected) == projected


def test_projectors_are_values():
    """Equal and of equal hash for equal tangent spaces, and for no others; the repr tells them apart."""
    primals = [kind(np.eye(2)) for kind, *_ in CASES] + [UpperTriangular(np.eye(3))]
    assert_are_values(*primals)
