"""The rules of the constructors of structured arrays, against finite differences."""

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad import grad
from chainrules_core import NoTangent, ProjectTo, ZeroTangent, frule, rrule
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    Hermitian,
    LowerTriangular,
    Symmetric,
    SymTridiagonal,
    Tridiagonal,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
)
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal

OF_VECTORS = [
    (Diagonal, (normal(4),)),
    (Bidiagonal, (normal(4), normal(3), "U")),
    (Bidiagonal, (normal(4), normal(3), "L")),
    (Tridiagonal, (normal(3), normal(4), normal(3, seed=1))),
    (SymTridiagonal, (normal(4), normal(3))),
]
OF_MATRICES = [
    *[(kind, (normal(4, 4),)) for kind in (UpperTriangular, LowerTriangular)],
    *[(kind, (normal(4, 4),)) for kind in (UnitUpperTriangular, UnitLowerTriangular)],
    *[(kind, (normal(4, 4), *uplo)) for kind in (Symmetric, Hermitian) for uplo in ("", "U", "L")],
]


@pytest.mark.parametrize(("kind", "fields"), OF_VECTORS + OF_MATRICES)
@pytest.mark.parametrize("dtype", [np.float64, complex])
def test_constructors(kind, fields, dtype):
    """Each element of a field has the cotangents of the elements that it becomes, in either form."""
    fields = [
        x if isinstance(x, str) else normal(*x.shape, dtype=dtype, seed=i) for i, x in enumerate(fields)
    ]

    test_frule(kind, *fields)
    test_rrule(kind, *fields)


def test_keyword_arguments():
    """Fields may be given by name."""
    A = normal(3, 3)

    by_name = grad(lambda A: np.sum(Symmetric(data=A, uplo="L") @ A[0]))(A)

    np.testing.assert_allclose(by_name, grad(lambda A: np.sum(Symmetric(A, "L") @ A[0]))(A))


def test_zeros():
    """Zeros stay zeros; a field without a tangent has one of zeros."""
    dv, ev = normal(3), normal(2)

    assert frule((NoTangent(), ZeroTangent()), Diagonal, dv)[1] == ZeroTangent()
    y_dot = frule((NoTangent(), dv, ZeroTangent(), NoTangent()), Bidiagonal, dv, ev, "U")[1]
    assert y_dot == Bidiagonal(dv, 0 * ev, "U")
    _, pullback = rrule(Bidiagonal, dv, ev, "U")
    assert pullback(ZeroTangent())[1:3] == (ZeroTangent(), ZeroTangent())


def test_sparse_parents():
    """The cotangent of a sparse array keeps its pattern."""
    A = scipy.sparse.csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 0.0], [0.0, 4.0, 5.0]]))

    for kind in (Symmetric, UpperTriangular):
        y, pullback = rrule(kind, A)
        A_bar = pullback(normal(3, 3))[1]
        assert ProjectTo(A)(A_bar) is A_bar
        assert A_bar[2, 1] == 0.0
        assert type(y) is kind


def test_dense_parents_have_dense_cotangents():
    """The gradient by an ordinary array is one."""
    A, x = normal(3, 3), normal(3)

    A_bar = grad(lambda A: np.sum(UpperTriangular(A) @ x))(A)

    np.testing.assert_array_equal(A_bar, np.triu(np.broadcast_to(x, (3, 3))))
    assert type(A_bar) is np.ndarray


def test_second_derivatives():
    """The rules differentiate themselves."""
    d, x = normal(3) + 4.0, normal(3)

    def slope(d):
        return np.sum(grad(lambda d: np.sum(np.log(Diagonal(d) @ x * (Diagonal(d) @ x))))(d))

    np.testing.assert_allclose(grad(slope)(d), -2 / d**2)
