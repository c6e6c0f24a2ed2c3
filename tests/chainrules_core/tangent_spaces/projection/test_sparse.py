"""Tests of `chainrules_core.tangent_spaces.projection.sparse`."""

import pickle
import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core import (
    DimensionMismatchError,
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    register_carrier,
    thunk,
    unthunk,
)
from chainrules_core.structured import Diagonal, Symmetric, Tridiagonal
from chainrules_core.tangent_spaces.projection import NoTangentProjector, SparseProjector
from chainrules_core.tangent_spaces.projection.sparse import project_onto_pattern
from chainrules_core.tangent_spaces.projection.sparse_formats import SPARSE_FORMATS
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values

FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
CLASSES = [getattr(scipy.sparse, f"{name}_{kind}") for name in FORMATS for kind in ("array", "matrix")]
X = np.array([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0], [0.0, 4.0, 5.0, 0.0]])
X_BAR = np.arange(1.0, 13.0).reshape(3, 4)


def pattern(x):
    """Where a projector's sparse arrays have entries."""
    stored = np.zeros(x.shape, bool)
    stored[ProjectTo(x).position] = True
    return stored


@pytest.mark.parametrize("sparse_class", CLASSES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_dense_cotangents(sparse_class, dtype):
    """A dense cotangent becomes a sparse array of the primal's class, dtype and stored pattern."""
    x = sparse_class(X.astype(dtype))
    x_bar = X_BAR * (1 + 1j)

    projected = ProjectTo(x)(x_bar)

    assert type(projected) is sparse_class
    assert projected.dtype == dtype
    assert np.all(pattern(x)[X != 0])
    expected = np.where(pattern(x), x_bar if np.dtype(dtype).kind == "c" else x_bar.real, 0.0)
    np.testing.assert_array_equal(projected.toarray(), expected.astype(dtype))
    assert ProjectTo(x)(projected) is projected


@pytest.mark.parametrize("sparse_class", CLASSES)
def test_what_fits_is_returned_as_it_is(sparse_class):
    """A cotangent with the primal's index arrays, or equal ones, is returned as the same object."""
    x = sparse_class(X)

    for x_bar in (x, x.copy(), 2 * x if x.format not in ("dok", "lil") else x):
        assert ProjectTo(x)(x_bar) is x_bar


@pytest.mark.parametrize("sparse_class", CLASSES)
@pytest.mark.parametrize("other", CLASSES)
def test_sparse_cotangents_of_another_format_or_pattern(sparse_class, other):
    """What the pattern lacks is dropped, what it has and they do not store is zero."""
    x, x_bar = sparse_class(X), other(np.where(X_BAR % 2, X_BAR, 0.0))

    projected = ProjectTo(x)(x_bar)

    assert type(projected) is sparse_class
    np.testing.assert_array_equal(projected.toarray(), np.where(pattern(x), x_bar.toarray(), 0.0))
    assert ProjectTo(x)(projected) is projected


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.floats(-9, 9)), max_size=8),
    st.sampled_from(CLASSES),
    st.sampled_from([scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array]),
)
def test_entries_with_one_position_add_up(entries, sparse_class, container):
    """Entries with one position add up, in primals and cotangents; explicit zeros are entries."""
    i, j, values = map(np.asarray, zip(*entries, strict=True)) if entries else ([], [], [])
    A = container(scipy.sparse.coo_array((np.asarray(values, float), (i, j)), shape=(3, 4)))

    np.testing.assert_allclose(ProjectTo(A)(X_BAR).toarray(), np.where(pattern(A), X_BAR, 0.0), rtol=1e-15)
    x = sparse_class(X)
    np.testing.assert_allclose(ProjectTo(x)(A).toarray(), np.where(pattern(x), A.toarray(), 0.0), rtol=1e-15)


def test_duplicates_of_a_primal():
    """A position that the primal stores twice has one cotangent."""
    for container in (scipy.sparse.coo_array, scipy.sparse.coo_matrix):
        x = container(([1.0, 2.0, 3.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
        assert ProjectTo(x)(np.ones((2, 2))).toarray().tolist() == [[0.0, 1.0], [1.0, 0.0]]
    x = scipy.sparse.csr_array(([1.0, 2.0], [1, 1], [0, 2, 2]), shape=(2, 2))
    assert ProjectTo(x)(np.ones((2, 2))).toarray().tolist() == [[0.0, 1.0], [0.0, 0.0]]
    assert x.nnz == 2  # the primal is left alone


def test_structured_cotangents():
    """Their elements are read without making them dense."""
    x = scipy.sparse.csr_array(np.triu(np.ones((3, 3))))

    for A in (
        Diagonal([1.0, 2.0, 3.0]),
        Tridiagonal([1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0]),
        Symmetric(X_BAR[:, :3]),
    ):
        np.testing.assert_array_equal(ProjectTo(x)(A).toarray(), np.triu(A.to_dense()))


@pytest.mark.parametrize(
    "sparse_class", [scipy.sparse.coo_array, scipy.sparse.csr_array, scipy.sparse.dok_array]
)
def test_vectors(sparse_class):
    """A sparse vector has sparse cotangents; leading axes of length one are dropped."""
    x = sparse_class(np.array([0.0, 1.0, 2.0]))

    for x_bar in (
        np.array([3.0, 4.0, 5.0]),
        np.array([[3.0, 4.0, 5.0]]),
        scipy.sparse.coo_array([3.0, 4.0, 5.0]),
    ):
        projected = ProjectTo(x)(x_bar)
        assert type(projected) is sparse_class
        np.testing.assert_array_equal(projected.toarray(), [0.0, 4.0, 5.0])
        assert ProjectTo(x)(projected) is projected
    assert "2 stored" in repr(ProjectTo(x))


@pytest.mark.parametrize(
    "x_bar", [np.ones((4, 3)), np.ones(3), np.ones((3, 1)), 1.0, scipy.sparse.eye_array(3)]
)
def test_other_shapes_are_refused(x_bar):
    """Cotangents of other shapes are refused: nothing broadcasts."""
    with pytest.raises(DimensionMismatchError):
        ProjectTo(scipy.sparse.csr_array(X))(x_bar)


def test_other_things_are_refused():
    """Strings, tuples, masked arrays and the structural tangents of other types are refused."""
    for x_bar in ("a", (1.0,), np.ma.ones((3, 4)), Tangent[tuple]()):
        with pytest.raises(TypeError):
            ProjectTo(scipy.sparse.csr_array(X))(x_bar)


def test_traced_cotangents_are_projected_by_their_system():
    """SciPy's arrays cannot hold what an AD system traces: it is given the call of a function with rules."""

    class Traced:
        shape, dtype = (3, 4), np.dtype(float)

    class Tracing:
        call = staticmethod(lambda f, args, kwargs: (f, args))
        primal = staticmethod(lambda _: X)

    register_carrier(Traced.__module__, Traced.__qualname__, Tracing())
    project, x_bar = ProjectTo(scipy.sparse.csr_array(X)), Traced()

    assert project(x_bar) == (project_onto_pattern.__primitive__, (x_bar, project))
    with pytest.raises(TypeError, match="cannot project"):
        project.entries_of(x_bar)
    np.testing.assert_array_equal(project_onto_pattern(X_BAR, project).toarray(), np.where(X, X_BAR, 0.0))


def test_zeros_and_thunks():
    """Zeros pass, and thunks are projected when they are unthunked."""
    project = ProjectTo(scipy.sparse.csr_array(X))

    assert project(ZeroTangent()) is ZeroTangent()
    np.testing.assert_array_equal(unthunk(project(thunk(lambda: X_BAR))).toarray(), project(X_BAR).toarray())


def test_elements_that_are_no_floats():
    """Integers are perturbed as floats, bools not at all."""
    assert ProjectTo(scipy.sparse.csr_array(X.astype(int)))(X_BAR).dtype == np.float64
    assert ProjectTo(scipy.sparse.csr_array(X != 0)) == NoTangentProjector()
    assert ProjectTo(scipy.sparse.csr_array(X != 0))(X_BAR) is NoTangent()


@pytest.mark.parametrize("sparse_class", CLASSES)
def test_projectors_are_values(sparse_class):
    """Equal for equal patterns, hashable, picklable, with a repr that names the class."""
    x = sparse_class(X)
    project = ProjectTo(x)

    assert isinstance(project, SparseProjector)
    assert project == ProjectTo(x.copy())
    assert hash(project) == hash(ProjectTo(x.copy()))
    assert pickle.loads(pickle.dumps(project)) == project
    assert project != ProjectTo(sparse_class(X[::-1]))
    assert project != ProjectTo(sparse_class(X.astype("float32")))
    assert project != 1
    assert sparse_class.__name__ in repr(project)


def test_memory_is_that_of_the_entries():
    """200,000 rows with five entries each: the dense matrix would take 320 gigabytes."""
    n = 200_000
    columns = np.sort(np.random.default_rng(0).integers(0, n - 5, (n, 1)) + np.arange(5), axis=1)
    x = scipy.sparse.csr_array(
        (np.ones(5 * n), columns.ravel().astype(np.int32), np.arange(0, 5 * n + 1, 5, dtype=np.int32)),
        shape=(n, n),
    )
    x_bar = x * 2.0

    tracemalloc.start()
    project = ProjectTo(x)
    assert project(x_bar) is x_bar
    assert np.all(project.with_entries(x.data).indices is x.indices)
    assert tracemalloc.get_traced_memory()[1] < 10e6
    tracemalloc.stop()
    assert project(Diagonal(np.ones(n))).nnz == 5 * n
    assert project(x.T.tocsr()).nnz == 5 * n


def test_projectors_of_other_primals_are_others():
    """Equal for one class, format, precision, shape and pattern."""
    A = scipy.sparse.csr_array(np.eye(3))
    others = (
        *(scipy.sparse.csr_matrix(A), A.tocsc(), A.astype(np.float32), scipy.sparse.csr_array((3, 4))),
        scipy.sparse.csr_array(np.diag([1.0, 2.0], 1)[:3, :3]),
    )

    assert_are_values(A, *others, spelled=False)


@pytest.mark.parametrize("name", ["csr", "csc", "coo", "dia"])
def test_the_arrays_of_the_primal_are_not_looked_through(monkeypatch, name):
    """A cotangent that shares them has the pattern: comparing these takes no time, however many entries."""
    A = scipy.sparse.csr_array(X).asformat(name)
    project = ProjectTo(A)
    x_bar = SPARSE_FORMATS[name].assembled(type(A), project.entries_of(A), project.pattern, A.shape)

    monkeypatch.setattr(SparseProjector, "_has_pattern", None)
    assert project(x_bar) is x_bar
