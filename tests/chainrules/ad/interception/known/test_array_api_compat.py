"""Functions that stand for NumPy's, where a package brings them along."""

import numpy as np
import pytest

from chainrules_testutils import distinct
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import normal

xp = pytest.importorskip("sklearn.externals.array_api_compat.numpy")


def test_solve():
    """A system of equations, with the matrix and the right sides traced."""
    check_program(
        lambda A: np.sum(xp.linalg.solve(A, A[0]) ** 2) + xp.linalg.solve(A, np.eye(3))[0, 0], normal(3, 3)
    )


@pytest.mark.skipif(xp.linalg.eig is np.linalg.eig, reason="since version 1.13")
def test_eigenvalues():
    """They are complex, of real matrices with real eigenvalues too."""

    def f(A):
        w, V = xp.linalg.eig(A)
        assert w.dtype == V.dtype == xp.linalg.eigvals(A).dtype == np.complex128
        return np.real(np.sum(w**3) + xp.linalg.eigvals(A)[0] ** 2) + np.sum(np.abs(V) ** 2 * w.real)

    check_program(f, np.diag(distinct(3)) + 0.1 * normal(3, 3))
