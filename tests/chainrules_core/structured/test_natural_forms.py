"""Tests of `chainrules_core.structured.natural_forms`."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ProjectTo, Tangent, ZeroTangent, backing, to_natural, to_structural
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    Hermitian,
    I,
    Symmetric,
    SymTridiagonal,
    UniformScaling,
    UnitUpperTriangular,
    UpperTriangular,
)
from tests.chainrules_core.structured.matrices import MAKERS, assert_same, elements, matrix

X_BAR = np.array([[1.0, 5.0], [3.0, 2.0]])


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_inner_products_agree(kind, dtype):
    """A change of the fields pairs with the structural form as the change of the matrix with the natural."""
    A, rng = matrix(kind, dtype=dtype), np.random.default_rng(1)
    x_bar = elements(rng, dtype, 4, 4)
    A_dot = A.map_arrays(lambda field: elements(rng, dtype, *field.shape))
    change = (A_dot.to_dense() - 0 * A.to_dense()) - (np.eye(4) if kind.startswith("Unit") else 0)

    natural, structural = ProjectTo(A)(x_bar), to_structural(A, x_bar)

    fields = {name: field for name, field in backing(A_dot).items() if name != "uplo"}
    pairing = sum(np.vdot(getattr(structural, name), field).real for name, field in fields.items())
    np.testing.assert_allclose(pairing, np.vdot(natural, change).real)
    np.testing.assert_allclose(pairing, np.vdot(x_bar, change).real)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_there_and_back(kind, dtype):
    """The two conversions are inverse to each other."""
    A = matrix(kind, dtype=dtype)
    natural = ProjectTo(A)(elements(np.random.default_rng(1), dtype, 4, 4))

    structural = to_structural(A, natural)

    assert type(structural) is Tangent[type(A)]
    assert_same(to_natural(A, structural), natural.to_dense())
    assert to_structural(A, structural) is structural
    assert to_natural(A, natural) is natural


def test_what_the_fields_get():
    """A number that is two elements of the matrix gets the sum of both cotangents."""
    assert to_structural(Diagonal([1.0, 2.0]), X_BAR) == Tangent[Diagonal](diag=np.array([1.0, 2.0]))
    np.testing.assert_array_equal(to_structural(Symmetric(np.eye(2)), X_BAR).data, [[1.0, 8.0], [0.0, 2.0]])
    np.testing.assert_array_equal(
        to_structural(Hermitian(np.eye(2), "L"), X_BAR).data, [[1.0, 0.0], [8.0, 2.0]]
    )
    np.testing.assert_array_equal(
        to_structural(UpperTriangular(np.eye(2)), X_BAR).data, [[1.0, 5.0], [0.0, 2.0]]
    )
    np.testing.assert_array_equal(
        to_structural(UnitUpperTriangular(np.eye(2)), X_BAR).data, [[0.0, 5.0], [0.0, 0.0]]
    )
    np.testing.assert_array_equal(to_structural(SymTridiagonal([1.0, 2.0], [3.0]), X_BAR).ev, [8.0])
    assert to_structural(Symmetric(np.eye(2)), X_BAR).uplo is NoTangent()
    assert to_structural(2.0 * I, 3.0 * I) == Tangent[UniformScaling](factor=3.0)
    assert to_natural(2.0 * I, Tangent[UniformScaling](factor=3.0 + 1.0j)) == 3.0 * I


def test_fields_that_are_not_given_are_zero():
    """A structural cotangent without some fields has the natural form of one with zeros there."""
    B = Bidiagonal([1.0, 2.0], [3.0], "U")

    assert to_natural(B, Tangent[Bidiagonal](ev=np.ones(1))) == Bidiagonal([0.0, 0.0], [1.0], "U")
    assert to_natural(Symmetric(np.eye(2)), Tangent[Symmetric]()) == np.zeros((2, 2))
    assert to_natural(2.0 * I, Tangent[UniformScaling]()) == 0.0 * I


def test_zeros():
    """They have both forms; so has what cannot be perturbed."""
    D = Diagonal([1.0, 2.0])

    assert to_structural(D, ZeroTangent()) is ZeroTangent()
    assert to_natural(D, NoTangent()) is NoTangent()
    for A in (Diagonal([True]), Symmetric([[True]]), UpperTriangular([[True]]), I):
        assert to_structural(A, np.ones((1, 1))) is NoTangent()


def test_other_structural_tangents_are_refused():
    """Structural tangents of other types are refused, even if they have the same fields."""
    with pytest.raises(TypeError, match="SymTridiagonal"):
        to_natural(SymTridiagonal([1.0], []), Tangent[Bidiagonal]())


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", ["float32", "complex64", "float64"])
def test_the_precision_is_that_of_the_primal(kind, dtype):
    """In both forms, whatever a cotangent comes with: a real matrix has real ones."""
    A, rng = matrix(kind, dtype=dtype), np.random.default_rng(1)

    structural = to_structural(A, elements(rng, "complex128", 4, 4))
    assert all(getattr(structural, name).dtype == dtype for name in backing(A) if name != "uplo")
    wide = structural.map(lambda field: field if field is NoTangent() else field.astype("complex128"))
    natural = to_natural(A, wide)
    assert natural.dtype == dtype
    assert_same(natural, to_natural(A, structural).to_dense())
