"""The derivatives of the banded Cholesky decomposition, against those of the dense one."""

import numpy as np
import pytest
from scipy.linalg import cholesky_banded

from chainrules.formulas.factorizations.banded_cholesky import pull_banded_cholesky, push_banded_cholesky
from chainrules.formulas.factorizations.cholesky_factors import pull_cholesky, push_cholesky
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks


def dense(ab, is_lower):
    """The triangle whose diagonals are stored."""
    n, A = ab.shape[1], np.zeros(ab.shape[1:] * 2, ab.dtype)
    for row, offset in enumerate(range(len(ab)) if is_lower else range(len(ab) - 1, -1, -1)):
        if offset < n:
            A += np.diag(ab[row, : n - offset], -offset) if is_lower else np.diag(ab[row, offset:], offset)
    return A


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("is_lower", [False, True])
@pytest.mark.parametrize(("count", "n"), [(1, 2), (3, 4), (3, 70), (40, 90), (5, 3)])
def test_against_dense_matrices(count, n, is_lower, dtype):
    """Of one block and of several, with few diagonals and with more than there are."""
    ab, ab_dot, c_bar = (normal(count, n, dtype=dtype, seed=seed) for seed in range(3))
    main = 0 if is_lower else -1
    ab[main] = 3 * count
    c = cholesky_banded(ab, lower=is_lower)
    c_dot, ab_bar = push_banded_cholesky(c, ab_dot, is_lower), pull_banded_cholesky(c, c_bar, is_lower)

    factor = dense(c, is_lower)
    expected = push_cholesky(factor, dense(ab_dot, is_lower), is_lower)
    np.testing.assert_allclose(dense(c_dot, is_lower), expected, atol=1e-12)
    expected = pull_cholesky(factor, dense(c_bar, is_lower), is_lower)
    stored = dense(np.ones((count, n)), is_lower)
    np.testing.assert_allclose(dense(ab_bar, is_lower), expected * stored, atol=1e-12)
    check_stacks(lambda c, ab_dot: push_banded_cholesky(c, ab_dot, is_lower), c, ab_dot)
    check_stacks(lambda c, c_bar: pull_banded_cholesky(c, c_bar, is_lower), c, c_bar)
