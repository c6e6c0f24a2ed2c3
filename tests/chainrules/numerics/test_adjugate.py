"""Tests of the adjugate, against its definition by cofactors."""

import numpy as np
import pytest

from chainrules.ad import jvp, vjp
from chainrules.numerics.adjugate import adjugate
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import of_rank


def cofactors(A):
    """The signed determinants of the matrices without one row and one column."""
    n = len(A)
    minors = [
        [np.linalg.det(np.delete(np.delete(A, i, 0), j, 1)) * (-1) ** (i + j) for j in range(n)]
        for i in range(n)
    ]
    return np.array(minors)


@pytest.mark.parametrize("dtype", [np.float64, complex])
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_adjugate(rank, dtype):
    """The transpose of the cofactors, whatever the rank."""
    A = of_rank(rank, 3, dtype)

    np.testing.assert_allclose(adjugate(A), cofactors(A).T, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_precision(rank, dtype):
    """It is kept, by the adjugate and by its derivatives, which are those in double precision, rounded."""
    A = of_rank(rank, 3, np.result_type(dtype, np.float64))
    A_dot, Y_bar = moved(A, 1), moved(A, 2)
    expected = (*jvp(adjugate, (A,), (A_dot,)), vjp(adjugate, A)[1](Y_bar)[0])

    A, A_dot, Y_bar = (x.astype(dtype) for x in (A, A_dot, Y_bar))
    actual = (*jvp(adjugate, (A,), (A_dot,)), vjp(adjugate, A)[1](Y_bar)[0])

    for x, exact in zip(actual, expected, strict=True):
        assert x.dtype == dtype
        np.testing.assert_allclose(x, exact, atol=1e-5)


def moved(A, seed):
    """A direction of the same kind, of length 1."""
    A_dot = normal(*A.shape, dtype=A.dtype, seed=seed)
    return A_dot / np.linalg.norm(A_dot)


@pytest.mark.parametrize("dtype", [np.float64, complex])
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_derivatives_of_the_adjugate(rank, dtype):
    """It is a polynomial too: both modes against differences; stacks of matrices have stacks of adjugates."""
    A = of_rank(rank, 3, dtype)

    for matrices in (A, np.stack([A, normal(3, 3, dtype=dtype)])):
        A_dot, Y_bar, h = moved(matrices, 1), moved(matrices, 2), 1e-5
        expected = (adjugate(matrices + h * A_dot) - adjugate(matrices - h * A_dot)) / (2 * h)
        Y, Y_dot = jvp(adjugate, (matrices,), (A_dot,))
        A_bar = vjp(adjugate, matrices)[1](Y_bar)[0]

        np.testing.assert_allclose(Y, adjugate(matrices), atol=1e-13)
        np.testing.assert_allclose(Y_dot, expected, atol=1e-9)
        assert np.vdot(A_bar, A_dot).real == pytest.approx(np.vdot(Y_bar, expected).real, abs=1e-9)


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_second_derivatives(rank):
    """In two directions, against differences: the adjugate of a matrix of this size is quadratic."""
    A = of_rank(rank, 3, float)
    A_dot, B_dot = moved(A, 1), moved(A, 2)

    def along(A):
        return jvp(adjugate, (A,), (A_dot,))[1]

    expected = adjugate(A_dot + B_dot) - adjugate(A_dot) - adjugate(B_dot)
    np.testing.assert_allclose(jvp(along, (A,), (B_dot,))[1], expected, atol=1e-12)


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_multiples(rank):
    """The adjugate of a multiple of a matrix is a multiple of its adjugate, and so is the derivative."""
    A = of_rank(rank, 3, float)
    A_dot = moved(A, 1)
    Y, Y_dot = jvp(adjugate, (A,), (A_dot,))

    for c in (1e-7, 1e7):
        multiple, multiple_dot = jvp(adjugate, (c * A,), (c * A_dot,))
        np.testing.assert_allclose(multiple / c**2, Y, atol=1e-13)
        np.testing.assert_allclose(multiple_dot / c**2, Y_dot, atol=1e-9)


@pytest.mark.parametrize("rank", [5, 6, 7])
def test_large_matrices(rank):
    """Their derivatives are as precise as those of small ones."""
    A = of_rank(rank, 7, float)
    A_dot, h = moved(A, 1), 1e-4
    Y_dot = jvp(adjugate, (A,), (A_dot,))[1]
    expected = (adjugate(A + h * A_dot) - adjugate(A - h * A_dot)) / (2 * h)

    np.testing.assert_allclose(Y_dot, expected, atol=1e-7)


def test_stack_without_matrices():
    """It has a stack without adjugates."""
    assert jvp(adjugate, (np.zeros((0, 2, 2)),), (np.zeros((0, 2, 2)),))[1].shape == (0, 2, 2)
