"""The rules of the square root of matrices, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import sqrtm

from chainrules.ad import jacobian
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


@pytest.mark.filterwarnings("ignore:.*singular")  # SciPy's own warning
@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("A", [np.diag([1.0, 0.0]), np.zeros((2, 2)), np.diag([1.0, 1e-40])])
def test_singular_matrices(mode, A):
    """Their root has no derivative, and SciPy solves another equation instead of saying so."""
    with pytest.raises(np.linalg.LinAlgError, match="the square root of a matrix"):
        jacobian(lambda A: np.sum(sqrtm(A)), mode=mode)(A)
