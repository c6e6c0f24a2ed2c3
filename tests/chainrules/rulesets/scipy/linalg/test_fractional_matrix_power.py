"""The rules of powers of matrices with real exponents, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power

from chainrules.ad import grad, jacobian
from chainrules_core import NoTangent, ZeroTangent, frule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("t", [0.37, -1.5, 2.0, 3, -1])
def test_power(t, dtype):
    """By the matrix, and by an exponent that is a float, an integer one too.

    The eigenvalues are real: powers of real matrices are complex else in SciPy, but for integer exponents.
    """
    check_rule(fractional_matrix_power, positive_definite(2, 2, dtype=dtype) / 4, t)


def test_power_of_a_matrix_with_a_negative_eigenvalue():
    """It is complex, and the cotangent of the real matrix is real."""
    check_rule(fractional_matrix_power, np.array([[-1.0, 0.2], [0.3, 2.0]]), 0.3)


def test_integer_power_of_a_singular_matrix():
    """By the matrix alone it is a polynomial."""
    A, weights = np.array([[0.0, 1.0], [0.0, 0.0]]), normal(2, 2)
    gradient = grad(lambda A: np.sum(fractional_matrix_power(A, 2) * weights))(A)

    np.testing.assert_allclose(gradient, A.T @ weights + weights @ A.T)


def test_mixed_second_derivative_at_an_integer():
    """By the exponent and the matrix: that of ``aᵗ`` is ``aᵗ⁻¹ (1 + t log a)``, here at ``t = 2``."""

    def by_exponent(A):
        return grad(lambda t: fractional_matrix_power(A, t)[0, 0])(2.0)

    A = np.diag([3.0, 2.0])
    np.testing.assert_allclose(grad(by_exponent)(A), np.diag([3 * (1 + 2 * np.log(3)), 0]), atol=1e-12)
    by_matrix = grad(lambda t: grad(lambda A: fractional_matrix_power(A, t)[0, 0])(A)[0, 0])(2.0)
    assert by_matrix == pytest.approx(3 * (1 + 2 * np.log(3)))


def test_power_of_a_constant():
    """A zero tangent stays one."""
    tangents = (NoTangent(), ZeroTangent(), ZeroTangent())

    assert frule(tangents, fractional_matrix_power, regular(2, 2), 0.5)[1] == ZeroTangent()


@pytest.mark.filterwarnings("ignore:.*singular", "ignore:.*inaccurate")  # SciPy's own warnings
@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize(
    ("A", "t"),
    [
        (np.diag([1.0, 0.0]), 0.5),
        (np.diag([1.0, 0.0]), 1.5),
        (np.zeros((2, 2)), 1.5),
        (np.outer([1.0, 2.0], [1.0, 2.0]), 1.5),
    ],
)
def test_fractional_power_of_a_singular_matrix(mode, A, t):
    """By the logarithm, which it does not have, no digit of the derivative would be right."""
    with pytest.raises(np.linalg.LinAlgError, match="a fractional power of a matrix"):
        jacobian(lambda A: np.sum(fractional_matrix_power(A, t)), mode=mode)(A)
