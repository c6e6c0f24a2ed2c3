"""The rules of what `numpy.linalg` has of `numpy`, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal

STACK = normal(2, 3, 3)


@pytest.mark.parametrize("x", [normal(3, 3), STACK, normal(2, 3, 2, dtype=complex)])
def test_matrices(x):
    """Of each matrix of a stack, which are the last two axes."""
    check_rule(np.linalg.diagonal, x)
    check_rule(np.linalg.diagonal, x, offset=-1)
    check_rule(np.linalg.trace, x)
    check_rule(np.linalg.trace, x, offset=1)
    check_rule(np.linalg.matrix_transpose, x)


def test_products():
    """With keyword arguments only."""
    check_rule(np.linalg.matmul, STACK, normal(3, 2))
    check_rule(np.linalg.outer, normal(2), normal(3, dtype=complex))
    check_rule(np.linalg.cross, normal(3, 2), normal(3, 2, seed=1), axis=0)
    check_rule(np.linalg.tensordot, STACK, normal(3, 3), axes=1)
    check_rule(np.linalg.vecdot, normal(3, 2, dtype=complex), normal(3, 2), axis=0)
