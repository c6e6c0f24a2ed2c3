"""The rules of `numpy.linalg.pinv`, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import call
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_quickly, check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, hermitian
from tests.chainrules.structured_checks import check_symmetric


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_pinv(shape, dtype):
    """Square, high and wide matrices of full rank."""
    check_rule(np.linalg.pinv, normal(*shape, dtype=dtype))


@pytest.mark.parametrize("shape", [(2, 3, 2), (2, 1, 2, 2), (0, 2, 3), (0, 3), (3, 0), (1, 1)])
def test_pinv_of_stacks(shape):
    """Stacks, empty ones too, and matrices without elements."""
    check_rule(np.linalg.pinv, normal(*shape))


def pinv_of_product(X, Y, *options, **named):
    """The pseudo-inverse of a matrix of a rank that does not change; `X` and `Y` may be traced."""
    return call(np.linalg.pinv, X @ Y, *options, **named)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("options", "named"), [((1e-8,), {}), ((), {"rcond": 1e-8})])
def test_along_constant_rank(options, named, dtype):
    """The derivative exists in the directions that keep a rank of 2, forwards and in reverse."""
    X, Y, X_dot, Y_dot = (normal(*s, dtype=dtype, seed=i) for i, s in enumerate([(4, 2), (2, 3)] * 2))
    h = 1e-5
    above, below = (pinv_of_product(X + t * X_dot, Y + t * Y_dot, *options, **named) for t in (h, -h))
    A, A_dot = X @ Y, X_dot @ Y + X @ Y_dot
    weights = normal(3, 4, dtype=dtype, seed=5)

    tangents = (NoTangent(), A_dot, *(ZeroTangent() for _ in options))
    _, pullback = rrule(np.linalg.pinv, A, *options, **named)

    expected = (above - below) / (2 * h)
    np.testing.assert_allclose(frule(tangents, np.linalg.pinv, A, *options, **named)[1], expected, atol=1e-7)
    pushed = np.real(np.vdot(pullback(weights)[1], A_dot))
    np.testing.assert_allclose(pushed, np.real(np.vdot(weights, expected)), atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (3, 3), (2, 3, 3)])
def test_values_left_out_are_not_zero(shape, dtype):
    """Kept singular vectors turn towards them; those that are kept may be equal."""
    U, _, V_adjoint = np.linalg.svd(normal(*shape, dtype=dtype), full_matrices=False)
    A = U * np.array([3.0, 2.0, 0.5]) @ V_adjoint
    check_rule(np.linalg.pinv, A, rcond=0.4)
    check_rule(np.linalg.pinv, A, rcond=0.8)
    check_quickly(np.linalg.pinv, U * np.array([2.0, 2.0, 0.5]) @ V_adjoint, rcond=0.4)
    if shape == (3, 3):
        check_rule(np.linalg.pinv, A + np.conj(A.T), rcond=0.4, hermitian=True)


def test_bound_for_the_rank_leaves_values_out():
    """Singular values below the bound do not count, here the last; it is itself without effect."""
    A = np.diag([3.0, 2.0, 0.1])
    _, pullback = rrule(np.linalg.pinv, A, 0.1)

    _, A_bar, rcond_bar = pullback(np.eye(3))

    np.testing.assert_allclose(np.diag(A_bar), [-1 / 9, -1 / 4, 0.0], atol=1e-15)
    assert rcond_bar == ZeroTangent()


def test_relative_tolerance():
    """The newer name of the bound."""
    check_rule(np.linalg.pinv, normal(3, 2), rtol=1e-3)  # an argument of the function, not of the check


@pytest.mark.parametrize("dtype", DTYPES)
def test_hermitian(dtype):
    """One triangle is read, and the cotangent is on it."""
    A = hermitian(3, dtype) + np.eye(3, dtype=dtype)

    check_rule(np.linalg.pinv, A, hermitian=True)
    check_rule(np.linalg.pinv, A + np.triu(A, 1), None, True)


def test_pinv_of_a_constant():
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), np.linalg.pinv, normal(3, 2))[1] == ZeroTangent()


def test_a_tangent_of_the_cutoff():
    """The result does not change with the cutoff between singular values."""
    assert frule((NoTangent(), ZeroTangent(), 1.0), np.linalg.pinv, normal(3, 2), 1e-3)[1] is ZeroTangent()


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.linalg.pinv)
    check_symmetric(np.linalg.pinv, hermitian=True)
