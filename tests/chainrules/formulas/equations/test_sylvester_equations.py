"""The solution of Sylvester and Lyapunov equations whose matrices are of different kinds."""

import itertools

import numpy as np
import pytest

from chainrules.formulas.equations.sylvester_equations import (
    in_one_kind,
    solution_of_lyapunov,
    solution_of_sylvester,
)
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES


@pytest.mark.parametrize("kinds", list(itertools.product(DTYPES, repeat=3)))
def test_solution(kinds):
    """Real matrices with pairs of complex eigenvalues, beside complex ones."""
    turn = np.array([[3.0, 2.0], [-2.0, 3.0]])
    A, B, Q = turn.astype(kinds[0]), 2 * turn.astype(kinds[1]), normal(2, 2, dtype=kinds[2])

    X = solution_of_sylvester(A, B, Q)

    np.testing.assert_allclose(A @ X + X @ B, Q)
    assert X.dtype == np.result_type(A, B, Q)


@pytest.mark.parametrize("kinds", list(itertools.product(DTYPES, repeat=2)))
def test_solution_of_lyapunov_equations(kinds):
    """The same, for one matrix."""
    A, Q = np.array([[3.0, 2.0], [-2.0, 3.0]], dtype=kinds[0]), normal(2, 2, dtype=kinds[1])

    X = solution_of_lyapunov(A, Q)

    np.testing.assert_allclose(A @ X + X @ np.conj(A.T), Q)


def test_matrices_of_one_kind_stay():
    """Nothing is copied."""
    A, B = normal(2, 2), normal(2, 2, dtype=complex)

    assert in_one_kind(A, A)[0] is A
    assert in_one_kind(B, B)[0] is B
    assert all(np.iscomplexobj(X) for X in in_one_kind(A, B))
