"""Projection onto lazy arrays."""

import pickle
import tracemalloc

import numpy as np
import pytest

from chainrules_core import (
    DimensionMismatchError,
    LazyArray,
    NoTangent,
    ProjectTo,
    Thunk,
    ZeroTangent,
    unthunk,
)
from chainrules_core.tangent_spaces.projection import LazyArrayProjector
from tests.chainrules.lazy_checks import lazily, nothing_computed
from tests.chainrules_core.boxes import Box

da = pytest.importorskip("dask.array")

A = np.arange(12.0).reshape(6, 2)


def assert_projected(project, x_bar, expected):
    """A projection is lazy, has the chunks of the primal, and these values."""
    with nothing_computed():
        projected = project(x_bar)
    assert isinstance(projected, da.Array)
    assert projected.chunks == project.chunks
    assert projected.dtype == expected.dtype
    np.testing.assert_array_equal(projected.compute(scheduler="synchronous"), expected)


def test_type_of_primals():
    """Structural tangents of any lazy array fit."""
    assert ProjectTo(lazily(A)).primal_type is LazyArray


def test_what_fits_is_the_same_object():
    """A lazy array of the same shape, dtype and chunks."""
    x = lazily(A)

    assert ProjectTo(x)(x) is x


def test_carriers():
    """Of a lazy array that fits stay what they are."""
    carrier = Box(lazily(A))
    assert ProjectTo(lazily(A))(carrier) is carrier


@pytest.mark.parametrize("dtype", [np.float32, np.complex128, np.int64])
def test_precision(dtype):
    """Cotangents get the dtype of the primal, and are real where it is."""
    assert_projected(ProjectTo(lazily(A)), lazily(A.astype(dtype)), A)
    assert_projected(ProjectTo(lazily(A.astype(np.float32))), lazily(A.astype(dtype)), A.astype(np.float32))


def test_integers_have_floats_for_cotangents_and_truth_values_none():
    """As those of other arrays."""
    assert_projected(ProjectTo(lazily(A.astype(int))), lazily(A), A)
    assert isinstance(ProjectTo(lazily(A > 3))(lazily(A)), NoTangent)


def test_other_chunks():
    """A cotangent is cut as the primal is."""
    assert_projected(ProjectTo(lazily(A)), lazily(A, chunks=(2, 1)), A)


def test_arrays_in_memory():
    """They become lazy; what is written into them afterwards does not count."""
    project, x_bar = ProjectTo(lazily(A)), A.copy()
    projected = project(x_bar)
    x_bar[:] = 0

    np.testing.assert_array_equal(projected.compute(scheduler="synchronous"), A)
    assert_projected(project, A, A)


def test_leading_axes_of_length_one():
    """They are added and dropped, as for other arrays."""
    assert_projected(ProjectTo(lazily(A)), lazily(A)[None], A)
    assert_projected(ProjectTo(lazily(A)), A[None], A)


@pytest.mark.parametrize(
    ("small", "shape"), [(2.0, (6, 2)), (A[:1], (6, 2)), (A[:, :1], (6, 2)), (A[0], (6, 2))], ids=str
)
def test_repeated_elements(small, shape):
    """Views that repeat elements without memory of their own are repeated by the workers."""
    assert_projected(
        ProjectTo(lazily(A)), np.broadcast_to(small, shape), np.array(np.broadcast_to(small, shape))
    )


def test_repeated_elements_take_no_memory():
    """A number for each of ten million elements takes none of the memory of this process."""
    project = ProjectTo(da.zeros((10_000, 1000), chunks=(1000, 1000)))
    tracemalloc.start()
    project(np.broadcast_to(1.0, (10_000, 1000)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 1e6


def test_without_axes():
    """A number is the cotangent of a lazy number."""
    assert_projected(ProjectTo(da.sum(lazily(A))), 2.0, np.array(2.0))
    with pytest.raises(DimensionMismatchError):
        ProjectTo(lazily(A))(2.0)


def test_shapes_that_do_not_fit():
    """They are an error before anything is computed."""
    with nothing_computed(), pytest.raises(DimensionMismatchError):
        ProjectTo(lazily(A))(lazily(A.T))


def test_zeros_and_thunks():
    """Zeros pass, thunks are projected when they are computed."""
    project = ProjectTo(lazily(A))

    assert project(ZeroTangent()) is ZeroTangent()
    assert project(NoTangent()) is NoTangent()
    assert_projected(project, unthunk(project(Thunk(lambda: A))), A)


def test_empty_arrays():
    """Also of arrays that have no elements."""
    assert_projected(ProjectTo(da.zeros((0, 3))), np.zeros((0, 3)), np.zeros((0, 3)))


def test_unknown_lengths():
    """Where nobody knows a length, the chunks of a lazy cotangent decide; anything else is an error."""
    x = lazily(A)
    picked = x[x[:, 0] > 3]
    project = ProjectTo(picked)

    assert project(picked) is picked
    assert project(picked.astype(np.float32)).dtype == np.float64
    for x_bar in (A[2:], x.T[:, :4]):
        with pytest.raises(DimensionMismatchError, match=r"np\.where"):
            project(x_bar)


def test_projectors_are_values():
    """They are equal, hashed and pickled as others are."""
    project = ProjectTo(lazily(A))

    assert project == ProjectTo(lazily(A + 1)) == pickle.loads(pickle.dumps(project))
    assert hash(project) == hash(ProjectTo(lazily(A)))
    assert project != ProjectTo(lazily(A, chunks=1))
    assert isinstance(project, LazyArrayProjector)


def test_projection_onto_other_primals():
    """A lazy cotangent of an array or a number in memory stays lazy, in the precision of the primal."""
    with nothing_computed():
        assert ProjectTo(A.astype(np.float32))(lazily(A)).dtype == np.float32
        assert ProjectTo(2.0)(da.sum(lazily(A.astype(np.float32)))).dtype == np.float64
        assert ProjectTo(2.0)(da.sum(lazily(A + 1j))).dtype == np.float64
