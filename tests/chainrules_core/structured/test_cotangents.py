"""Tests of `chainrules_core.structured.cotangents`: what all projectors onto matrices accept and refuse."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from chainrules_core import (
    DimensionMismatchError,
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    not_implemented,
    thunk,
    unthunk,
)
from chainrules_core.structured import Diagonal, I, Symmetric, UpperTriangular
from chainrules_core.tangent_spaces.projection import NoTangentProjector
from tests.chainrules_core.structured.matrices import DTYPES, MAKERS, matrix

UNIT = ("UnitUpperTriangular", "UnitLowerTriangular")
rng = np.random.default_rng(0)
COTANGENTS = [
    rng.normal(size=(4, 4)),
    rng.normal(size=(4, 4)) + 1j * rng.normal(size=(4, 4)),
    rng.normal(size=(4, 4)).astype(np.float32),
    rng.integers(0, 5, (4, 4)),
    rng.normal(size=(1, 4, 4)),
    *(matrix(kind, dtype=dtype, seed=1) for kind in MAKERS for dtype in ("float64", "complex64")),
]


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_projection_is_orthogonal(kind, dtype):
    """What is projected away is orthogonal to the subspace; what is projected stays, as precise as x."""
    project = ProjectTo(matrix(kind, dtype=dtype))
    directions = [project(x).to_dense() for x in COTANGENTS[:2]]

    for x_bar in COTANGENTS:
        projected = project(x_bar)
        rest = np.asarray(x_bar).reshape(4, 4) - projected.to_dense()

        assert projected.dtype == dtype
        assert all(abs(np.vdot(direction, rest).real) < 1e-4 for direction in directions)
        assert project(projected) == projected
        assert project(projected) is projected or kind in UNIT


@pytest.mark.parametrize("kind", MAKERS)
def test_what_fits_is_returned_as_it_is(kind):
    """A fitting cotangent is the same object; a primal fits unless its diagonal is fixed."""
    A = matrix(kind)

    assert ProjectTo(A)(A) is A or kind in UNIT
    assert ProjectTo(A.astype("float32"))(A).dtype == np.float32


@pytest.mark.parametrize("kind", MAKERS)
def test_zeros_thunks_and_structural_tangents(kind):
    """Zeros pass, what is not implemented too, a thunk is projected later, a ``Tangent[P]`` is left alone."""
    A = matrix(kind)
    project, tangent, unknown = ProjectTo(A), Tangent[type(A)](), not_implemented("")

    for x_bar in (ZeroTangent(), NoTangent(), unknown, tangent):
        assert project(x_bar) is x_bar
    assert unthunk(project(thunk(lambda: COTANGENTS[0]))) == project(COTANGENTS[0])
    with pytest.raises(TypeError):
        project(Tangent[tuple]())


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(
    "x_bar", [np.ones(4), np.ones((4, 1)), np.ones((5, 4)), np.ones((2, 4, 4)), 1.0, np.float64(1)]
)
def test_other_shapes_are_refused(kind, x_bar):
    """Cotangents of other shapes are refused: nothing broadcasts."""
    with pytest.raises(DimensionMismatchError, match=r"\(4, 4\)"):
        ProjectTo(matrix(kind))(x_bar)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(
    "x_bar",
    ["a", None, (1.0,), np.ma.ones((4, 4)), SimpleNamespace(shape=(4, 4)), SimpleNamespace(dtype=float)],
    ids=str,
)
def test_other_things_are_refused(kind, x_bar):
    """Strings, tuples and masked arrays are no cotangents of a matrix, nor what has a shape alone."""
    with pytest.raises(TypeError):
        ProjectTo(matrix(kind))(x_bar)


@pytest.mark.parametrize("kind", MAKERS)
def test_multiples_of_the_identity_get_the_size(kind):
    """A multiple of the identity gets the size of the primal: a rule for a trace need not know it."""
    A = matrix(kind)

    assert ProjectTo(A)(3.0 * I) == ProjectTo(A)(3.0 * np.eye(4))


@pytest.mark.parametrize("kind", MAKERS)
def test_projectors_are_values(kind):
    """Equal for equal tangent spaces, hashable, picklable, with a repr."""
    A = matrix(kind)
    project = ProjectTo(A)

    assert project == ProjectTo(2 * A.copy()) or kind in UNIT
    assert hash(project) == hash(ProjectTo(A.copy()))
    assert project != ProjectTo(A.astype("float32"))
    assert project != ProjectTo(matrix(kind, 3))
    assert pickle.loads(pickle.dumps(project)) == project
    assert repr(project).startswith(type(project).__name__)


@pytest.mark.parametrize("A", [Diagonal([True]), Symmetric([[True]]), UpperTriangular([[True]])])
def test_matrices_of_bools_cannot_be_perturbed(A):
    """A cotangent of a matrix of bools is `NoTangent` unless it is zero, as upstream."""
    assert ProjectTo(A) == NoTangentProjector()
    assert ProjectTo(A)(np.ones((1, 1))) is NoTangent()


def test_parts_of_containers_are_projected():
    """Structured matrices inside of tuples and dicts, and dense arrays' cotangents, are projected."""
    D = Diagonal([1.0, 2.0])

    assert ProjectTo((D, 1.0))((np.ones((2, 2)), 1)) == Tangent[tuple](Diagonal(np.ones(2)), 1.0)
    assert ProjectTo({"a": D})({"a": np.ones((2, 2))})["a"] == np.eye(2)
    assert ProjectTo(np.ones((2, 2)))(D) is D
    assert type(ProjectTo(np.ones((2, 2)))(1j * D)) is Diagonal
