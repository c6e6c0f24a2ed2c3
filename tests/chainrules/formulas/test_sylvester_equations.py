"""The solution of Sylvester equations whose matrices are of different kinds."""

import itertools

import numpy as np
import pytest

from chainrules.formulas.sylvester_equations import solution_of_sylvester
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
