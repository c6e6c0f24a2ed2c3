"""Tests of the adjugate, against its definition by cofactors."""

import numpy as np
import pytest

from chainrules.operations.adjugate import adjugate
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import of_rank


def cofactors(A):
    """The signed determinants of the matrices without one row and one column."""
    n = len(A)
    minors = [
        [np.linalg.det(np.delete(np.delete(A, i, 0), j, 1)) * (-1) ** (i + j) for j in range(n)]
        for i in range(n)
    ]
    return np.array(minors)


@pytest.mark.parametrize("dtype", [np.float64, complex])
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_adjugate(rank, dtype):
    """The transpose of the cofactors, whatever the rank."""
    A = of_rank(rank, 3, dtype)

    np.testing.assert_allclose(adjugate(A), cofactors(A).T, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, complex])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_rules_of_the_adjugate(rank, dtype):
    """It is a polynomial too; stacks of matrices have stacks of adjugates."""
    A = of_rank(rank, 3, dtype)

    for matrices in (A, np.stack([A, normal(3, 3, dtype=dtype)])):
        test_frule(adjugate, matrices)
        test_rrule(adjugate, matrices)
