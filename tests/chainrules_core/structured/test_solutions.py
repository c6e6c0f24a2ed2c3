"""Tests of `chainrules_core.structured.solutions`."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core.structured import (
    Banded,
    Bidiagonal,
    Diagonal,
    LowerTriangular,
    Triangular,
    UnitUpperTriangular,
    UpperTriangular,
)
from tests.chainrules_core.structured.matrices import BANDED, MAKERS, elements, kinds, matrix


def regular(kind, n, dtype, seed):
    """A matrix that is far from singular, and its dense form."""
    A = matrix(kind, n, dtype, seed)
    shift = 4 * max(n, 1)
    A = A if kind.startswith("Unit") else A + shift * Diagonal(np.ones(n))
    return A, A.to_dense()


systems = st.builds(
    regular,
    kinds(),
    st.integers(1, 6),
    st.sampled_from(["float64", "complex128"]),
    st.integers(0, 2**32 - 1),
)


@given(systems)
def test_solutions_are_those_of_the_dense_matrices(system):
    """Solutions for vectors, matrices and stacks equal those of the dense matrix."""
    A, dense = system
    rng, n = np.random.default_rng(0), len(A)

    for shape in ((n,), (n, 3), (2, n, 3)):
        b = elements(rng, A.dtype, *shape)
        np.testing.assert_allclose(np.linalg.solve(A, b), np.linalg.solve(dense, b), rtol=1e-9, atol=1e-9)


@given(systems, st.data())
def test_structured_right_hand_sides(system, data):
    """The solution is as structured as both."""
    A, dense = system
    B = matrix(data.draw(kinds()), len(A), "float64", 1)

    result = np.linalg.solve(A, B)

    np.testing.assert_allclose(np.asarray(result), np.linalg.solve(dense, B.to_dense()), rtol=1e-9, atol=1e-9)


@given(systems)
def test_inverses_and_determinants(system):
    """Inverses and determinants equal those of the dense matrices."""
    A, dense = system

    np.testing.assert_allclose(np.asarray(np.linalg.inv(A)), np.linalg.inv(dense), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.linalg.det(A), np.linalg.det(dense), rtol=1e-9)
    sign, logabsdet = np.linalg.slogdet(A)
    expected = np.linalg.slogdet(dense)
    np.testing.assert_allclose(sign, expected.sign, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(logabsdet, expected.logabsdet, rtol=1e-9, atol=1e-9)


def test_kinds_of_solutions():
    """A triangular system with a triangular right-hand side of the same side has a triangular solution."""
    data = np.eye(3) + np.ones((3, 3))
    U, V, L, D = UpperTriangular(data), UnitUpperTriangular(data), LowerTriangular(data), Diagonal(np.ones(3))

    assert type(U.solve(U)) is type(U.solve(D)) is type(V.solve(U)) is type(D.solve(U)) is UpperTriangular
    assert type(V.solve(V)) is UnitUpperTriangular
    assert type(L.solve(D)) is LowerTriangular
    assert type(D.solve(D)) is Diagonal
    assert type(U.solve(L)) is np.ndarray
    assert scipy.sparse.issparse(D.solve(scipy.sparse.eye_array(3, format="csr")))
    np.testing.assert_allclose(U.solve(scipy.sparse.eye_array(3, format="csr")), U.inv().to_dense())


@pytest.mark.parametrize("kind", MAKERS)
def test_dense_matrices_with_structured_right_hand_sides(kind):
    """A dense matrix with a structured right-hand side has NumPy's solution."""
    A, B = np.eye(4) + 1.0, matrix(kind)

    np.testing.assert_allclose(np.linalg.solve(A, B), np.linalg.solve(A, B.to_dense()))


def test_sizes_are_checked():
    """The message names both shapes."""
    with pytest.raises(ValueError, match=r"\(2, 2\).*\(3,\)"):
        np.linalg.solve(Diagonal(np.ones(2)), np.ones(3))


@pytest.mark.parametrize(
    "kind", ["Diagonal", "Bidiagonal U", "Tridiagonal", "SymTridiagonal", "UpperTriangular"]
)
def test_singular_matrices(kind):
    """The error is NumPy's."""
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        np.linalg.solve(0 * matrix(kind), np.ones(4))


@pytest.mark.parametrize("kind", MAKERS)
def test_right_hand_sides_of_every_kind(kind):
    """The solution is that of the dense matrices, and triangular where both are on the same side."""
    A, dense = regular(kind, 4, "float64", 0)
    for other in MAKERS:
        B = matrix(other, seed=1)
        x = A.solve(B)
        np.testing.assert_allclose(np.asarray(x), np.linalg.solve(dense, B.to_dense()), rtol=1e-9, atol=1e-9)
        lo, hi = min(A.extent[0], B.extent[0]), max(A.extent[1], B.extent[1])
        is_sided = isinstance(A, Diagonal | Bidiagonal | Triangular) and (lo >= 0 or hi <= 0)
        assert isinstance(x, Triangular | Banded) is (
            is_sided or (isinstance(A, Diagonal) and isinstance(B, Banded))
        )
    for shape in ((), (3,), (3, 1), (2, 3, 1)):
        with pytest.raises(ValueError, match="solve: a matrix of shape"):
            A.solve(np.ones(shape))
    for b in ([1.0] * 4, [[1.0]] * 4):
        np.testing.assert_allclose(A.solve(b), np.linalg.solve(dense, np.array(b)), rtol=1e-9)


@pytest.mark.parametrize("kind", BANDED)
@pytest.mark.parametrize("shape", [(4,), (4, 3)])
def test_banded_systems_stay_narrow(monkeypatch, kind, shape):
    """They are solved in work that is linear in the rows."""
    (A, dense), b = regular(kind, 4, "float64", 0), np.arange(float(np.prod(shape))).reshape(shape)

    monkeypatch.setattr(type(A), "to_dense", None)
    np.testing.assert_allclose(dense @ np.linalg.solve(A, b), b, atol=1e-12)
