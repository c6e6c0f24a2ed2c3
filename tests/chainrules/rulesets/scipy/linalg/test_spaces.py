"""The rules of bases of the range and of the null space, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import null_space, orth

from chainrules.ad import grad, hvp, jvp, vjp
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 2), (2, 2), (2, 3)])
def test_range(shape, dtype):
    """A basis of singular vectors, each of which has a derivative; complex ones have LAPACK's phase."""
    check_rule(orth, normal(*shape, dtype=dtype))


@stacks
def test_stacks():
    """Of matrices of one rank, which may be less than they have columns."""
    check_rule(orth, normal(2, 4, 2))
    A = normal(2, 4, 1) * normal(2, 1, 3, seed=1)
    tangents = NoTangent(), normal(2, 4, 3)
    assert rrule(orth, A)[0].shape == frule(tangents, orth, A)[0].shape == orth(A).shape == (2, 4, 1)


def projection(A, basis):
    """The projection onto the space, seen by weights."""
    Q = basis(A)
    W = normal(*A.shape[:1] * 2, dtype=complex) if basis is orth else normal(*A.shape[1:] * 2, dtype=complex)
    return np.sum(np.real(Q @ np.conj(Q.T) * W)) + np.sum(np.imag(Q @ np.conj(Q.T) * W)) ** 2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("basis", [orth, null_space])
@pytest.mark.parametrize("rank", [2, 1])
def test_spaces(rank, basis, dtype):
    """Functions of the space alone, of matrices whose rank is full or not, and constant on the way."""
    L, R = normal(5, rank, dtype=dtype), normal(rank, 4, dtype=dtype, seed=1)
    L_dot, h = normal(5, rank, dtype=dtype, seed=2), 1e-6

    def f(L):
        return projection(L @ R if basis is orth else np.conj((L @ R).T), basis)

    expected = (f(L + h * L_dot) - f(L - h * L_dot)) / (2 * h)
    assert jvp(f, (L,), (L_dot,))[1] == pytest.approx(expected, abs=1e-7)
    assert np.real(np.vdot(grad(f)(L), L_dot)) == pytest.approx(expected, abs=1e-7)
    ahead, behind = grad(f)(L + h * L_dot), grad(f)(L - h * L_dot)
    np.testing.assert_allclose(hvp(f, L, L_dot), (ahead - behind) / (2 * h), atol=1e-6)


def test_single_vector():
    """A single real vector is determined up to its sign."""
    check_rule(null_space, normal(2, 3), None, overwrite_a=True)


def test_choice_of_the_basis():
    """A function that feels it is refused."""
    with pytest.raises(ValueError, match=r"scipy\.linalg\.null_space\(A\) has no derivative"):
        grad(lambda A: null_space(A)[0, 0])(normal(2, 4))


def test_rank_by_a_bound():
    """What counts as zero is asked of SciPy."""
    A = np.diag([1.0, 1e-3, 0.0])

    def f(A):
        N = null_space(A, 1e-2)
        return np.sum((N @ N.T)[0, 1:])

    gradient, turned = grad(f)(A), 1 / (1 - 1e-6)
    np.testing.assert_allclose(gradient, [[0, -turned, -1], [-1e-3 * turned, 0, 0], [0, 0, 0]], atol=1e-14)
    assert frule((NoTangent(), A, NoTangent()), orth, A, 1e-2)[1].shape == (3, 1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 3), (2, 3)])
def test_values_left_out_are_not_zero(shape, dtype):
    """The space of their vectors, and of the null space, has a derivative in both modes."""
    U, _, V_adjoint = np.linalg.svd(normal(*shape, dtype=dtype), full_matrices=False)
    A = U * np.array([3.0, 0.5, 0.2])[: U.shape[1]] @ V_adjoint
    A_dot, weights, h = normal(*shape, dtype=dtype, seed=1), normal(3, 3, dtype=dtype, seed=2), 1e-6

    def f(A):
        N = null_space(A, 0.4)
        return N @ np.conj(N.T)

    expected = (f(A + h * A_dot) - f(A - h * A_dot)) / (2 * h)
    np.testing.assert_allclose(jvp(f, (A,), (A_dot,))[1], expected, atol=1e-8)
    pulled = vjp(f, A)[1](weights)[0]
    np.testing.assert_allclose(np.vdot(pulled, A_dot).real, np.vdot(weights, expected).real, atol=1e-7)


@pytest.mark.parametrize("f", [orth, null_space])
def test_constants(f):
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), f, normal(2, 3))[1] == ZeroTangent()


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(null_space, normal(2, 3), rcond=None)
