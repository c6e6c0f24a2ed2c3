"""The rules of functions of matrices that are given as functions of numbers."""

import numpy as np
import pytest
from scipy.linalg import funm

from chainrules.ad import ADConfig, grad, jvp
from chainrules_core import NoDerivativeError
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_along

rng = np.random.default_rng(0)
A = rng.normal(size=(3, 3))


@pytest.mark.parametrize("matrix", [A, A + 1j * A.T, A + A.T], ids=["real", "complex", "symmetric"])
def test_both_modes(matrix):
    """By the matrix, whose eigenvalues may be pairs."""
    test_frule(funm, matrix, np.exp, config=ADConfig())
    test_rrule(funm, matrix, np.exp, config=ADConfig())


def test_what_the_function_holds():
    """By its parameters, and to second order."""

    def f(p):
        return np.sum(funm(p[0] * A, lambda w: np.exp(p[1] * w) * p[0]))

    check_along(f, np.array([0.4, 0.7]), np.ones(2))


def test_repeated_eigenvalues():
    """Those with vectors of their own have the mean of their slopes; without, there is an error."""
    Y_dot = jvp(lambda p: funm(p * np.eye(3), np.exp), (0.5,), (1.0,))[1]
    np.testing.assert_allclose(Y_dot, np.exp(0.5) * np.eye(3), atol=1e-12)
    with pytest.raises(NoDerivativeError, match=r"the condition number .* of the eigenvectors leaves no"):
        grad(lambda p: np.sum(funm(p * np.eye(3, k=1), np.exp)))(0.5)


@pytest.mark.filterwarnings("ignore:.*disp:DeprecationWarning")
def test_estimate_of_the_error():
    """Beside the function there may be an estimate, which is a constant."""
    if not isinstance(funm(A, np.exp, disp=False), tuple):
        return
    slopes = grad(lambda p: np.sum(funm(p * A, np.exp, disp=False)[0]))(0.5)
    np.testing.assert_allclose(slopes, grad(lambda p: np.sum(funm(p * A, np.exp)))(0.5))
    np.testing.assert_allclose(
        jvp(lambda p: np.sum(funm(p * A, np.exp, disp=False)[0]), (0.5,), (1.0,))[1], slopes
    )
