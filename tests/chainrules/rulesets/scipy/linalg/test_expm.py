"""The rules of the matrix exponential and its derivative, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import expm, expm_frechet

from chainrules.ad import grad, hessian, jvp
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results


@pytest.mark.parametrize("dtype", DTYPES)
def test_expm(dtype):
    """Real and complex matrices, in both modes and both orders."""
    check_rule(expm, normal(3, 3, dtype=dtype))


@pytest.mark.parametrize("A", [normal(2, 3, 3), normal(1, 1), np.empty((0, 0)), np.empty((0, 2, 2))])
def test_stacks(A):
    """Stacks, empty ones too, and matrices without elements."""
    check_rule(expm, A)


@pytest.mark.parametrize(
    "A", [np.zeros((2, 2)), np.diag([1.0, 2.0]), np.triu(normal(3, 3)), 30 * normal(2, 2)]
)
def test_matrices_that_scipy_treats_by_themselves(A):
    """Zero, diagonal, triangular and large matrices: the derivative along ``A`` is ``A exp(A)``."""
    np.testing.assert_allclose(jvp(expm, (A,), (A,))[1], A @ expm(A), rtol=1e-10)
    direction = normal(*A.shape)
    np.testing.assert_allclose(
        jvp(expm, (A,), (direction,))[1], expm_frechet(A, direction, compute_expm=False), rtol=1e-8
    )


def test_plain_code():
    """The rate of a system, from its state: through calls of SciPy itself, twice."""
    x = np.array([1.0, 2.0])

    def state(rate):
        return np.sum(expm(np.array([[0.0, 1.0], [-1.0, 0.0]]) * rate) @ x)

    assert grad(state)(0.3) == pytest.approx(np.sum(x) * -np.sin(0.3) + np.cos(0.3))
    assert hessian(state)(0.3) == pytest.approx(-np.sum(x) * np.cos(0.3) - np.sin(0.3))


def test_lists():
    """A turn by an angle, of nested lists."""
    assert grad(lambda x: expm([[0.0, x], [-x, 0.0]])[0, 1])(0.3) == pytest.approx(np.cos(0.3))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("named", [{}, {"method": "blockEnlarge", "check_finite": False}])
def test_derivative_and_exponential(dtype, named):
    """Both results of `expm_frechet` depend on the matrix, the derivative on the direction too."""
    check_results(expm_frechet, normal(2, 2, dtype=dtype), normal(2, 2, dtype=dtype, seed=1), **named)


def test_derivative_alone():
    """The derivative of a derivative, also of the method by name, and in three orders."""
    A, E = normal(3, 3), normal(3, 3, seed=1)
    check_rule(expm_frechet, A, E, compute_expm=False)
    check_rule(expm_frechet, A, E, "SPS", False)
    third = jvp(lambda A: jvp(lambda A: expm_frechet(A, A, compute_expm=False), (A,), (A,))[1], (A,), (A,))[1]
    # Along A all are polynomials times the exponential: A e^A, (A + A²) e^A, (A + 3 A² + A³) e^A.
    np.testing.assert_allclose(third, (A + 3 * A @ A + A @ A @ A) @ expm(A), rtol=1e-10, atol=1e-12)


def test_parts_of_a_cotangent():
    """Either result may have none."""
    A, E, Y_bar = normal(2, 2), normal(2, 2, seed=1), normal(2, 2, seed=2)
    _, pullback = rrule(expm_frechet, A, E)
    _, A_bar, E_bar = pullback(Tangent[tuple](Y_bar, ZeroTangent()))
    np.testing.assert_allclose(A_bar, rrule(expm, A)[1](Y_bar)[1])
    assert E_bar == ZeroTangent()
    _, A_bar, E_bar = pullback(Tangent[tuple](ZeroTangent(), Y_bar))
    np.testing.assert_allclose(A_bar, rrule(expm_frechet, A, E, None, False)[1](Y_bar)[1])
    assert frule((NoTangent(), ZeroTangent()), expm, A)[1] == ZeroTangent()
