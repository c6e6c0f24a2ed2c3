"""The rules of the solution of linear systems, by a function that solves them."""

import numpy as np
import pytest

from chainrules.formulas.equations.linear_solutions import pull_solution, push_solution
from chainrules_core import NoTangent, ZeroTangent, unthunk
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import regular


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("right", [(3,), (3, 2)])
def test_both_modes(right, dtype):
    """The tangent is that of central differences, and the cotangents its transpose."""
    A, B = regular(3, 3, dtype=dtype), normal(*right, dtype=dtype)
    A_dot, B_dot, X_bar = (normal(*s, dtype=dtype, seed=i) for i, s in enumerate((A.shape, right, right), 1))
    X, h = np.linalg.solve(A, B), 1e-6

    X_dot = push_solution((NoTangent(), A_dot, B_dot), A, X, lambda C: np.linalg.solve(A, C))
    ahead, behind = (np.linalg.solve(A + t * A_dot, B + t * B_dot) for t in (h, -h))
    np.testing.assert_allclose(X_dot, (ahead - behind) / (2 * h), atol=1e-7)
    _, A_bar, B_bar = pull_solution(X_bar, A, B, X, lambda C: np.linalg.solve(np.conj(A.T), C))
    felt = np.vdot(unthunk(A_bar), A_dot) + np.vdot(B_bar, B_dot)
    assert felt.real == pytest.approx(np.vdot(X_bar, X_dot).real)


def test_without_tangents():
    """Nothing is solved."""
    zeros = (NoTangent(), ZeroTangent(), ZeroTangent())

    assert push_solution(zeros, np.eye(2), np.ones(2), None) == ZeroTangent()
