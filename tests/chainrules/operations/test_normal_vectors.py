"""Densities of normally distributed vectors, against finite differences."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from chainrules.formulas.matrices.matrix_readings import WHOLE
from chainrules.operations.normal_vectors import Covariance, log_density, log_determinant
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import positive_definite

rng = np.random.default_rng(0)
D, D_DOT, M = rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), positive_definite(3, rng=0)
M_DOT = positive_definite(3, rng=1)
NONE, H = NoTangent(), 1e-5


def known(M, rank=3):
    """The matrix with the inverse of its Cholesky factor."""
    L = np.linalg.cholesky(M)
    return Covariance(np.linalg.inv(L).T, 2 * np.sum(np.log(np.diagonal(L))), rank, WHOLE)


def test_log_density():
    """Both modes, by the points and by the matrix."""
    y, y_dot = frule((NONE, D_DOT, M_DOT, NONE), log_density, D, M, known(M))
    np.testing.assert_allclose(y, multivariate_normal.logpdf(D, cov=M))
    ahead, behind = (multivariate_normal.logpdf(D + h * D_DOT, cov=M + h * M_DOT) for h in (H, -H))
    np.testing.assert_allclose(y_dot, (ahead - behind) / (2 * H), rtol=1e-6)
    _, D_bar, M_bar, none = rrule(log_density, D, M, known(M))[1](y)
    assert none == NONE
    np.testing.assert_allclose(np.vdot(D_bar, D_DOT) + np.vdot(unthunk(M_bar), M_DOT), np.vdot(y, y_dot))
    y_dot = frule((NONE, NONE, NONE, NONE), log_density, D, M, known(M))[1]
    assert isinstance(y_dot, NoTangent | ZeroTangent)


def test_log_determinant():
    """The inverse is its gradient."""
    y, y_dot = frule((NONE, M_DOT, NONE), log_determinant, M, known(M))
    assert y == pytest.approx(np.linalg.slogdet(M)[1])
    assert y_dot == pytest.approx(np.trace(np.linalg.solve(M, M_DOT)))
    M_bar = unthunk(rrule(log_determinant, M, known(M))[1](2.0)[1])
    np.testing.assert_allclose(M_bar, 2 * np.linalg.inv(M))
    assert frule((NONE, NONE, NONE), log_determinant, M, known(M))[1] == ZeroTangent()


def test_singular():
    """There is no derivative by the matrix."""
    with pytest.raises(np.linalg.LinAlgError, match="has rank 2 of 3"):
        frule((NONE, M_DOT, NONE), log_determinant, M, known(M, 2))
