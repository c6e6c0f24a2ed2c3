"""The rules of the square root of matrices, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import sqrtm

from tests.chainrules.rule_checks import check_rule
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_sqrtm(dtype):
    """Real and complex matrices, whose roots are of the same kind."""
    check_rule(sqrtm, regular(3, 3, dtype=dtype))
    check_rule(sqrtm, positive_definite(3, 3, dtype=dtype))


def test_complex_root_of_a_real_matrix():
    """The cotangent of a real matrix is real; its negative eigenvalue has an imaginary root."""
    check_rule(sqrtm, np.array([[-1.0, 0.2], [0.3, 2.0]]))


@pytest.mark.parametrize("A", [regular(1, 1), np.empty((0, 0))])
def test_small_matrices(A):
    """A number, and no element."""
    check_rule(sqrtm, A)
