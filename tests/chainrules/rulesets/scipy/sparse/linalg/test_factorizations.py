"""Decompositions of sparse matrices: systems are solved by them, in both modes and all orders."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import factorized, spilu, splu, spsolve

from chainrules.ad import grad
from chainrules.formulas.factorizations.sparse_factors import SparseLU
from chainrules_core import NO_TANGENT, DerivativeNotImplementedError, Tangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_along
from tests.chainrules.rule_checks import normal

A = scipy.sparse.csc_array(np.eye(5) * 5 + np.eye(5, k=1) + np.eye(5, k=-2))
B = np.arange(1.0, 6)


def matrix(entries):
    """`A`, with other entries."""
    return scipy.sparse.csc_array((entries, A.indices, A.indptr), shape=A.shape)


PROGRAMS = {
    "a vector": lambda v: splu(matrix(v)).solve(B),
    "a matrix": lambda v: splu(matrix(v), permc_spec="NATURAL").solve(np.outer(B, B[:3])),
    "the transpose": lambda v: splu(matrix(v)).solve(B, "T"),
    "the adjoint": lambda v: splu(matrix(v)).solve(B, trans="H"),
    "a right side that depends on it": lambda v: splu(matrix(v)).solve(v[:5]),
    "factorized": lambda v: factorized(matrix(v))(B),
    "complex": lambda v: np.abs(splu(matrix(v) * (1 + 2j)).solve(B * 1j, "T")),
    "a constant matrix": lambda v: splu(A).solve(v[:5]),
    "the transpose of a constant": lambda v: splu(A).solve(v[:5], "T"),
    "the adjoint of a constant": lambda v: splu(A).solve(v[:5], "H"),
    "the adjoint of a constant, by keyword": lambda v: splu(A).solve(v[:5], trans="H"),
    "a constant, factorized": lambda v: factorized(A)(v[:5]),
}


def twice(v):
    """One decomposition for several systems."""
    lu = splu(matrix(v))
    return lu.solve(lu.solve(B)) * lu.shape[0] + 0 * lu.nnz


@pytest.mark.parametrize("program", [*PROGRAMS.values(), twice], ids=[*PROGRAMS, "two systems"])
def test_programs(program):
    """Gradient, tangent and Hessian agree with differences of values and of gradients."""
    f = lambda v: np.sum(program(v) ** 3)  # noqa: E731 - one expression
    check_along(f, A.data, normal(A.nnz))


def test_incomplete_decompositions_of_constants():
    """They are linear in the right side, whatever they are factors of."""
    lu = spilu(A)
    test_rrule(type(lu).solve, lu, B)
    test_frule(type(lu).solve, lu, B, "H")


def test_results():
    """The result of the rule solves like SciPy's, and its tangent is that of the matrix."""
    y, pullback = rrule(splu, A)
    np.testing.assert_allclose(y.solve(B), splu(A).solve(B))
    np.testing.assert_allclose(y.solve(B * (1 - 2j)), splu(A).solve(B) * (1 - 2j))  # SciPy refuses this
    assert isinstance(y, SparseLU)
    assert (y.shape, y.nnz) == (splu(A).shape, splu(A).nnz)
    assert pullback(ZeroTangent())[1] == ZeroTangent()
    cotangent = pullback(Tangent[SparseLU](A=A, factors=NO_TANGENT))[1]
    np.testing.assert_array_equal(cotangent.toarray(), A.toarray())
    assert frule((NO_TANGENT, ZeroTangent()), splu, A)[1] == ZeroTangent()


def test_precision():
    """That of the matrix; of integers it is double."""
    single = rrule(splu, A.astype(np.float32))[0]
    assert single.solve(B.astype(np.float32)).dtype == np.float32
    assert rrule(splu, A.astype(int))[0].solve(B).dtype == np.float64


def test_singular_matrices():
    """The errors and warnings are SciPy's."""
    singular = scipy.sparse.csc_array(np.diag([1.0, 0, 2]))
    with pytest.raises(RuntimeError, match="singular"):
        rrule(splu, singular)
    with pytest.warns(scipy.sparse.linalg.MatrixRankWarning, match="singular"):
        x, pullback = rrule(spsolve, singular, np.ones(3))
    assert np.isnan(x).all()
    assert np.isnan(pullback(np.ones(3))[2]).all()


def test_factors():
    """They say what to write in their place; the order of rows and columns is constant."""
    A = scipy.sparse.csc_array(np.eye(3) * 2.0)
    for name in ("L", "U"):
        with pytest.raises(
            DerivativeNotImplementedError, match=r"write `scipy.linalg.lu` of the dense matrix"
        ):
            grad(lambda p, name=name: np.sum(getattr(splu(p * A), name).toarray()))(1.0)
    with pytest.raises(AttributeError, match="no attribute 'rows'"):
        grad(lambda p: splu(p * A).rows)(1.0)
    assert grad(lambda p: p * splu(p * A).perm_r[1] + splu(p * A).perm_c[1])(1.0) == 1.0
