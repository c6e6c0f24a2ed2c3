"""The rules of the logarithm of matrices, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import expm, logm

from chainrules.ad import jacobian, jvp
from chainrules_core import rrule
from tests.chainrules.rule_checks import check_rule_in_double, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_logm(dtype):
    """Real and complex matrices."""
    check_rule_in_double(logm, regular(3, 3, dtype=dtype) / 6)


@pytest.mark.parametrize(
    "A",
    [
        np.array([[-1.0, 0.2], [0.3, 2.0]]),  # one eigenvalue is negative
        np.array([[0.0, -2.0], [1.0, 0.5]]),  # a pair of eigenvalues
        np.array([[1.0, 1.0], [0.0, 1.0]]),  # one eigenvector
        np.array([[5.0]]),
    ],
)
def test_branches(A):
    """The logarithm of a real matrix may be complex, and the matrix may be defective."""
    check_rule_in_double(logm, A)


def test_inverse_of_the_exponential():
    """The derivatives of both are inverse to each other."""
    X, E = normal(4, 4) / 4, normal(4, 4, seed=1)
    pushed = jvp(expm, (X,), (E,))[1]

    np.testing.assert_allclose(jvp(logm, (expm(X),), (pushed,))[1], E, rtol=1e-11, atol=1e-12)


def test_single_precision():
    """SciPy warns that it has only that; the cotangent is right, and of single precision too."""
    A, Y_bar = regular(3, 3), normal(3, 3)
    with pytest.warns(RuntimeWarning, match="inaccurate"):
        _, pullback = rrule(logm, A.astype(np.float32))
    A_bar = pullback(Y_bar.astype(np.float32))[1]

    assert A_bar.dtype == np.float32
    # Square roots, of which there are several, each lose some of the seven digits.
    np.testing.assert_allclose(A_bar, rrule(logm, A)[1](Y_bar)[1], rtol=1e-4, atol=1e-5)


@pytest.mark.filterwarnings("ignore:.*singular", "ignore:.*inaccurate")  # SciPy's own warnings
@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("A", [np.diag([1.0, 0.0]), np.zeros((2, 2))])
def test_singular_matrices(mode, A):
    """They have no logarithm, although SciPy gives one, with a warning."""
    with pytest.raises(np.linalg.LinAlgError, match="the logarithm of a matrix"):
        jacobian(lambda A: np.sum(logm(A)), mode=mode)(A)
