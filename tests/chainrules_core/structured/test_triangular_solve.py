"""Tests of `chainrules_core.structured.triangular_solve`."""

import numpy as np
import pytest

from chainrules_core.structured import (
    LowerTriangular,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
)
from chainrules_core.structured.triangular_solve import solve_triangular


@pytest.mark.parametrize("kind", [UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular])
@pytest.mark.parametrize("n", [0, 1, 64, 65, 200])
@pytest.mark.parametrize("columns", [(), (3,)])
def test_solutions(kind, n, columns):
    """Solutions of systems of one block and of many blocks equal those of the dense matrix."""
    rng = np.random.default_rng(n)
    A = kind(rng.normal(size=(n, n)) / max(n, 1) + np.eye(n))
    b = rng.normal(size=(n, *columns))

    np.testing.assert_allclose(A @ solve_triangular(A, b), b, rtol=1e-10, atol=1e-10)


def test_a_zero_on_the_diagonal_of_any_block():
    """The error is LAPACK's."""
    data = np.eye(200)
    data[150, 150] = 0.0

    with pytest.raises(np.linalg.LinAlgError):
        solve_triangular(UpperTriangular(data), np.ones(200))
