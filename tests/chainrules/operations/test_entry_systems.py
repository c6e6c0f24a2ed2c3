"""Linear systems with sparse matrices that are given by their entries."""

import numpy as np
import pytest

from chainrules.operations.entry_systems import solve_entries
from chainrules_core import NoTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule

ROWS = np.array([0, 0, 1, 2, 2, 1, 0])
COLUMNS = np.array([0, 1, 1, 2, 0, 2, 0])
ENTRIES = np.array([2.0, 0.5, -1.5, 3.0, 0.7, 0.3, 0.4])
B = np.array([[1.0, 0.2], [-0.3, 0.8], [0.6, 0.5]])


def test_rules():
    """By entries, of which two stand at one place, and right sides, real and complex."""
    for b in (B, B * (1.0 - 0.5j)):
        test_frule(solve_entries, ENTRIES, b, ROWS, COLUMNS)
        test_rrule(solve_entries, ENTRIES, b, ROWS, COLUMNS)


def test_far_from_the_diagonal():
    """A matrix with few entries in many diagonals has the same rules."""
    n = 8
    rows, columns = np.append(np.arange(n), 0), np.append(np.arange(n), n - 1)
    entries, b = np.append(np.arange(1.0, n + 1), 0.5), np.cos(np.arange(n))[:, np.newaxis]
    test_frule(solve_entries, entries, b, rows, columns)
    test_rrule(solve_entries, entries, b, rows, columns)


def test_known_solution():
    """It is not computed again, and has the same cotangents and tangents."""
    x = solve_entries(ENTRIES, B, ROWS, COLUMNS)
    y, pullback = rrule(solve_entries, ENTRIES, B, ROWS, COLUMNS, x)
    _, expected = rrule(solve_entries, ENTRIES, B, ROWS, COLUMNS)
    assert y is x
    for bar, other in zip(pullback(np.cos(B))[1:3], expected(np.cos(B))[1:3], strict=True):
        np.testing.assert_allclose(unthunk(bar), unthunk(other), rtol=1e-12)
    dots = NoTangent(), np.cos(ENTRIES), np.sin(B), NoTangent(), NoTangent()
    _, x_dot = frule((*dots, NoTangent()), solve_entries, ENTRIES, B, ROWS, COLUMNS, x)
    np.testing.assert_allclose(x_dot, frule(dots, solve_entries, ENTRIES, B, ROWS, COLUMNS)[1], rtol=1e-12)


def test_one_solution_of_many():
    """A known solution has no cotangent, where the matrix is singular up to rounding."""
    at = np.repeat(np.arange(3), 3)
    entries = np.array([1.0, 1.0, 0.0, 1.0, 1.0 + 1e-14, 0.0, 0.0, 0.0, 1.0])
    _, pullback = rrule(
        solve_entries, entries, np.ones((3, 1)), at, np.tile(np.arange(3), 3), np.ones((3, 1))
    )
    with pytest.raises(np.linalg.LinAlgError, match="do not determine them"):
        pullback(np.ones((3, 1)))


def test_singular():
    """The error says what that means for a spline."""
    with pytest.raises(np.linalg.LinAlgError, match="Take fewer knots"):
        solve_entries(0.0 * ENTRIES, B, ROWS, COLUMNS)
