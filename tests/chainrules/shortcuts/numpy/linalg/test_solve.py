"""Calls of linear systems, for the comparison of their shortcuts with their rules; and errors."""

import numpy as np
import pytest

from chainrules.shortcuts.numpy.linalg.solve import push_solve_of_plain, solve_of_plain
from chainrules_core import ZeroTangent, rrule, unthunk
from tests.chainrules.rule_checks import normal
from tests.chainrules.shortcut_checks import Call
from tests.chainrules.shortcuts.matrix_calls import matrices


def pairs():
    """Each matrix with a vector and with columns, in its own precision and in others."""
    for A in matrices(3):
        for shape in ((3,), (3, 2), (3, 0), (2, 3, 2), (3, 3, 2)):
            yield A, normal(*shape).astype(A.dtype)
        yield A, normal(3, 2)
        yield A, normal(3, 2, dtype=complex)
        yield A, normal(2)


CALLS = {
    "chainrules.shortcuts.numpy.linalg.solve.solve_of_plain": lambda: [
        Call((np.linalg.solve, A, B)) for A, B in pairs()
    ],
    "chainrules.shortcuts.numpy.linalg.solve.push_solve_of_plain": lambda: [
        Call(((None, normal(*A.shape).astype(A.dtype), np.ones_like(B)), np.linalg.solve, A, B))
        for A, B in pairs()
    ],
}


@pytest.mark.parametrize("shape", [(3,), (3, 2)])
def test_one_factorization(shape, monkeypatch):
    """Neither mode solves a second system from the start."""
    A, B = normal(3, 3), normal(*shape, seed=1)
    X_bar = np.ones(shape)
    expected = np.linalg.solve(A.T, X_bar)
    monkeypatch.setattr(np.linalg, "solve", None)

    _, pullback = solve_of_plain(None, A, B)
    X, X_dot = push_solve_of_plain((None, A, ZeroTangent()), None, A, B)

    np.testing.assert_allclose(unthunk(pullback(X_bar)[2]), expected)
    np.testing.assert_allclose(X_dot, -X)


def test_errors():
    """The errors are the same as NumPy's."""
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        rrule(np.linalg.solve, np.zeros((2, 2)), np.ones(2))
    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        rrule(np.linalg.solve, normal(3, 2), normal(3))
    with pytest.raises(ValueError, match="mismatch"):
        rrule(np.linalg.solve, np.eye(3), normal(2))
