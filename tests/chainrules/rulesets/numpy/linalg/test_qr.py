"""The rules of `numpy.linalg.qr`, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.structured_checks import check_symmetric

SHAPES = [(2, 2), (3, 2), (2, 3), (2, 2, 1), (1, 1), (0, 2, 3), (0, 3), (3, 0)]
CASES = [(np.float64, shape) for shape in SHAPES] + [(complex, shape) for shape in SHAPES[:4]]


@pytest.mark.parametrize(("dtype", "shape"), CASES)
def test_qr(shape, dtype):
    """High, wide and square matrices, and stacks; the diagonal of ``R`` is real."""
    check_results(np.linalg.qr, normal(*shape, dtype=dtype))


@pytest.mark.parametrize("shape", [(3, 3), (3, 2), (2, 4), (2, 2, 1)])
def test_complete_mode(shape):
    """At most one vector completes the basis, which is determined up to its sign."""
    check_results(np.linalg.qr, normal(*shape), mode="complete")


@pytest.mark.parametrize(("dtype", "shape"), CASES)
def test_triangular_factor_alone(shape, dtype):
    """The mode "r" returns one array."""
    check_rule(np.linalg.qr, normal(*shape, dtype=dtype), "r")


@pytest.mark.parametrize("dtype", DTYPES)
def test_space_that_completes_the_basis(dtype):
    """Its projection is one minus the projection onto the columns of the reduced ``Q``."""
    A, weights = normal(5, 2, dtype=dtype), normal(5, 5, dtype=dtype, seed=1)

    def by_projection(Q):
        return np.sum(np.real(Q @ np.conjugate(np.swapaxes(Q, 0, 1)) * weights))

    by_complement = grad(lambda A: by_projection(np.linalg.qr(A, "complete")[0][:, 2:]))(A)
    by_columns = grad(lambda A: -by_projection(np.linalg.qr(A)[0]))(A)

    np.testing.assert_allclose(by_complement, by_columns, atol=1e-12)


def test_forwards_the_complement_follows():
    """Forwards, the vectors that complete the basis stay orthogonal to the others."""
    A, A_dot = normal(5, 2), normal(5, 2, seed=1)

    (Q, R), tangent = frule((NoTangent(), A_dot), np.linalg.qr, A, mode="complete")

    np.testing.assert_allclose(Q.T @ tangent.Q + tangent.Q.T @ Q, 0, atol=1e-14)
    np.testing.assert_allclose(tangent.Q @ R + Q @ tangent.R, A_dot, atol=1e-14)


def test_choice_of_the_complement_is_refused():
    """A function of the vectors that LAPACK chose has no derivative."""
    _, pullback = rrule(np.linalg.qr, normal(4, 2), "complete")

    with pytest.raises(ValueError, match="no derivative by vectors that complete the basis"):
        pullback((normal(4, 4), normal(4, 2)))


def test_dependent_columns():
    """There is no derivative, and it is not made up."""
    _, pullback = rrule(np.linalg.qr, np.zeros((2, 2)))

    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        pullback((normal(2, 2), normal(2, 2)))


@pytest.mark.parametrize("mode", ["raw", "economic", "nonsense"])
def test_modes_without_rules(mode):
    """Reflectors, and what is deprecated."""
    A = normal(2, 2)

    with pytest.raises(ValueError, match=f"mode='{mode}'.*cannot be differentiated"):
        rrule(np.linalg.qr, A, mode=mode)
    with pytest.raises(ValueError, match=f"mode='{mode}'.*cannot be differentiated"):
        frule((NoTangent(), A), np.linalg.qr, A, mode=mode)


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_parts_of_a_cotangent(shape):
    """Either part may be zero, or both; names and positions say the same."""
    y, pullback = rrule(np.linalg.qr, normal(*shape))
    kind = Tangent[type(y)]
    Q_bar, R_bar = normal(*y[0].shape), normal(*y[1].shape)

    both = pullback((Q_bar, R_bar))[1]
    np.testing.assert_array_equal(pullback(kind(Q=Q_bar, R=R_bar))[1], both)
    np.testing.assert_allclose(pullback(kind(Q=Q_bar))[1] + pullback((ZeroTangent(), R_bar))[1], both)
    assert pullback(ZeroTangent())[1] == ZeroTangent()


@pytest.mark.parametrize("mode", ["reduced", "complete", "r"])
def test_qr_of_a_constant(mode):
    """A zero tangent stays one."""
    tangents = (NoTangent(), ZeroTangent())

    y, y_dot = frule(tangents, np.linalg.qr, normal(2, 2), mode=mode)
    assert y_dot == ZeroTangent()
    for actual, expected in zip(y, np.linalg.qr(normal(2, 2), mode), strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.linalg.qr)
    check_symmetric(np.linalg.qr, "r")


def test_singular_matrices():
    """The error of the derivative is told from one of the factorization."""
    with pytest.raises(np.linalg.LinAlgError, match="its QR factors have no derivative"):
        grad(lambda A: np.sum(np.linalg.qr(A)[0]))(np.diag([1.0, 0.0]))
