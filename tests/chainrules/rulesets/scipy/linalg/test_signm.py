"""The rules of the sign of matrices, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import signm

from chainrules.ad import jacobian, jvp
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_signm(dtype):
    """Eigenvalues of both signs."""
    check_rule(signm, regular(3, 3, dtype=dtype) @ np.diag([1.0, -1.0, 1.0]))


def test_eigenvalues_of_one_sign():
    """There the sign is the identity, which is constant."""
    np.testing.assert_allclose(jvp(signm, (regular(3, 3),), (normal(3, 3),))[1], 0, atol=1e-14)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("A", [np.diag([1.0, 0.0]), np.zeros((2, 2))])
def test_singular_matrices(mode, A):
    """Zero has no sign."""
    with pytest.raises(np.linalg.LinAlgError, match="the sign of a matrix"):
        jacobian(lambda A: np.sum(signm(A)), mode=mode)(A)
