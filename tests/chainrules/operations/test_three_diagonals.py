"""Linear systems with three diagonals."""

import numpy as np
import pytest

from chainrules.operations.three_diagonals import solve_three_diagonals
from chainrules_testutils import test_frule, test_rrule

RNG = np.random.default_rng(0)
BELOW, ABOVE, B = RNG.normal(size=(3, 1)), RNG.normal(size=(3, 1)), RNG.normal(size=(4, 2))
DIAGONAL = 3.0 + RNG.uniform(size=(4, 1))


def test_rules():
    """By the diagonals and right sides, real and complex."""
    for b in (B, B * (1.0 - 0.5j)):
        x = solve_three_diagonals(BELOW, DIAGONAL, ABOVE, b)
        matrix = np.diag(DIAGONAL[:, 0]) + np.diag(BELOW[:, 0], -1) + np.diag(ABOVE[:, 0], 1)
        np.testing.assert_allclose(matrix @ x, b, rtol=1e-12)
        test_frule(solve_three_diagonals, BELOW, DIAGONAL, ABOVE, b)
        test_rrule(solve_three_diagonals, BELOW, DIAGONAL, ABOVE, b)


def test_singular():
    """An error says so."""
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        solve_three_diagonals(0.0 * BELOW, 0.0 * DIAGONAL, ABOVE, B)


def test_symmetric():
    """A symmetric matrix may be positive, or not."""
    for diagonal in (DIAGONAL + np.abs(BELOW).max(), -DIAGONAL):
        x = solve_three_diagonals(BELOW, diagonal, BELOW, B * (1.0 - 0.5j))
        matrix = np.diag(diagonal[:, 0]) + np.diag(BELOW[:, 0], -1) + np.diag(BELOW[:, 0], 1)
        np.testing.assert_allclose(matrix @ x, B * (1.0 - 0.5j), rtol=1e-12)
    test_rrule(solve_three_diagonals, BELOW, DIAGONAL, BELOW, B)
