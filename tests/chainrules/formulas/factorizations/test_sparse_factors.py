"""Systems by a decomposition that is given: both modes, of the matrix and of its adjoint."""

import numpy as np
import pytest
import scipy.sparse

from chainrules.formulas.factorizations.sparse_factors import (
    SparseLU,
    factors_of,
    factors_or_nan,
    sparse_system,
)
from chainrules.operations.linear_systems import solution
from chainrules_core import NO_TANGENT, ZeroTangent, frule, rrule, unthunk
from tests.chainrules.rule_checks import normal

DENSE = np.eye(4) * 4 + np.eye(4, k=1) - np.eye(4, k=-2)


def solved(A, b, is_adjoint):
    """The solution by a decomposition of the matrix."""
    system = sparse_system(factors_of(A))
    return solution(A, b, system, is_adjoint), system


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(4,), (4, 3)])
@pytest.mark.parametrize("is_adjoint", [False, True])
def test_both_modes(dtype, shape, is_adjoint):
    """The tangent is that of central differences, and the cotangents its transpose."""
    A = scipy.sparse.csr_array(DENSE * (1 if dtype is float else 1 + 2j))
    A_dot = scipy.sparse.csr_array(np.where(DENSE, normal(4, 4, dtype=dtype), 0))
    b, b_dot, x_bar = (normal(*shape, dtype=dtype, seed=seed) for seed in range(3))
    x, system = solved(A, b, is_adjoint)
    np.testing.assert_allclose((A.conj().T if is_adjoint else A) @ x, b)

    h = 1e-6
    ahead, behind = (solved(A + A_dot * t, b + b_dot * t, is_adjoint)[0] for t in (h, -h))
    dots = NO_TANGENT, A_dot, b_dot, NO_TANGENT, NO_TANGENT
    x_dot = frule(dots, solution, A, b, system, is_adjoint)[1]
    np.testing.assert_allclose(x_dot, (ahead - behind) / (2 * h), atol=1e-7)
    _, A_bar, b_bar, *_ = rrule(solution, A, b, system, is_adjoint)[1](x_bar)
    felt = np.vdot(unthunk(A_bar).toarray(), A_dot.toarray()) + np.vdot(b_bar, b_dot)
    assert felt.real == pytest.approx(np.vdot(x_bar, x_dot).real)


def test_tangents_of_one_argument():
    """Where the matrix has none, only one system is solved; where nothing has one, none."""
    A, b = scipy.sparse.csr_array(DENSE), normal(4)
    system = sparse_system(factors_of(A))
    by_side = frule((NO_TANGENT, ZeroTangent(), b, NO_TANGENT), solution, A, b, system)[1]
    np.testing.assert_allclose(by_side, np.linalg.solve(DENSE, b))
    by_matrix = frule((NO_TANGENT, A, ZeroTangent(), NO_TANGENT), solution, A, b, system)[1]
    np.testing.assert_allclose(by_matrix, -np.linalg.solve(DENSE, b))
    zeros = (NO_TANGENT, ZeroTangent(), ZeroTangent(), NO_TANGENT)
    assert frule(zeros, solution, A, b, system)[1] == ZeroTangent()


def test_precision_and_singular_matrices():
    """The precision of both sides together; NaN with SciPy's warning."""
    single = scipy.sparse.csr_array(DENSE.astype(np.float32))
    assert factors_of(single).dtype == np.float32
    assert factors_of(single, np.ones(4)).dtype == np.float64
    assert factors_of(single.astype(int), np.ones(4, int)).dtype == np.float64
    singular = scipy.sparse.csr_array(np.diag([1.0, 0.0]))
    with pytest.warns(scipy.sparse.linalg.MatrixRankWarning, match="singular"):
        assert np.isnan(factors_or_nan(singular, np.ones(2)).solve(np.ones(2))).all()
    with pytest.raises(RuntimeError, match="exactly singular"):
        factors_of(singular)
    with pytest.raises(ValueError, match="square"):
        factors_or_nan(scipy.sparse.csr_array(np.ones((2, 3))), np.ones(2))


def test_complex_right_sides_of_real_matrices():
    """Real and imaginary parts are solved for; the transpose is none of the decomposition's own systems."""
    A, b = scipy.sparse.csr_array(DENSE), normal(4, dtype=complex)
    lu = SparseLU(A, factors_of(A))
    np.testing.assert_allclose(lu(b), np.linalg.solve(DENSE, b))
    np.testing.assert_allclose(lu.solve(b, "H"), np.linalg.solve(DENSE.T, b))
    np.testing.assert_allclose(lu.solve(b, trans="T"), np.linalg.solve(DENSE.T, b))
