"""The rules of determinants, for a matrix whose cofactors are given."""

import numpy as np
import pytest

from chainrules.ad import jvp
from chainrules.formulas.equations.determinants import (
    cofactors,
    pull_det,
    pull_slogdet,
    push_det,
    push_slogdet,
)
from chainrules_core import NoTangent, ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks
from tests.python_calls import functions_run_by

A, A_DOT, H = normal(3, 3, dtype=complex), normal(3, 3, dtype=complex, seed=1), 1e-6


def difference(f):
    """The derivative of `f` along `A_DOT`, by central differences."""
    return (f(A + H * A_DOT) - f(A - H * A_DOT)) / (2 * H)


def test_determinant():
    """Both modes, with the result computed or known."""

    def cofactors(A, y):
        return y * np.linalg.inv(A).T

    for known in (None, np.linalg.det(A)):
        y, y_dot = push_det((NoTangent(), A_DOT), A, cofactors, known)
        assert y == np.linalg.det(A)
        assert y_dot == pytest.approx(difference(np.linalg.det))
        _, pullback = pull_det(A, cofactors, known)
        assert np.vdot(pullback(2 - 1j)[1], A_DOT).real == pytest.approx(((2 + 1j) * y_dot).real)


def test_logarithm():
    """Both modes, for the sign and the logarithm of a complex matrix."""

    def gradient(A):
        return np.linalg.inv(A).T

    y, y_dot = push_slogdet((NoTangent(), A_DOT), A, gradient)
    assert y_dot[0] == pytest.approx(difference(lambda A: np.linalg.slogdet(A)[0]))
    assert y_dot[1] == pytest.approx(difference(lambda A: np.linalg.slogdet(A)[1]))
    _, pullback = pull_slogdet(A, gradient, y)
    A_bar = pullback((2 - 1j, 3.0))[1]
    assert np.vdot(A_bar, A_DOT).real == pytest.approx(((2 + 1j) * y_dot[0]).real + 3.0 * y_dot[1])


NEARLY_SINGULAR = normal(3, 3) @ np.diag([1.0, 2.0, 1e-9]) @ normal(3, 3, seed=1)


@pytest.mark.parametrize(
    "A", [normal(3, 3), np.diag([2.0, 3.0, 0.0]), np.diag([1.0, 2.0, 3e-6]), NEARLY_SINGULAR]
)
def test_cofactors(A):
    """Of a regular, a singular and a badly conditioned matrix; and their derivatives."""
    expected = np.stack([np.cross(A[1], A[2]), np.cross(A[2], A[0]), np.cross(A[0], A[1])])
    np.testing.assert_allclose(cofactors(A, np.linalg.det(A)), expected, atol=1e-13)
    A_dot = normal(3, 3, seed=1)
    _, by_rule = jvp(lambda A: cofactors(A, np.linalg.det(A)), (A,), (A_dot,))
    rows = [[A, A_dot], [A_dot, A]]
    dots = [
        sum(np.cross(X[i], Y[j]) for X, Y in rows) for i, j in ((1, 2), (2, 0), (0, 1))
    ]  # the product rule
    np.testing.assert_allclose(by_rule, dots, rtol=1e-11, atol=1e-11)
    check_stacks(lambda A: cofactors(A, np.linalg.det(A)), A)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_short_way(size):
    """The derivative at a regular matrix, of any size, is that of the inverse."""
    A = size * normal(3, 3)
    calls = functions_run_by(lambda: jvp(lambda A: cofactors(A, np.linalg.det(A)), (A,), (A,)))
    assert not calls["adjugate"]


def test_precision():
    """The cotangent of a real matrix in single precision is one, whatever that of the result is."""
    A = normal(2, 2, dtype=np.float32)
    for pull, y_bar in ((pull_det, np.complex128(1 + 1j)), (pull_slogdet, (0.0, np.float64(1.0)))):
        _, pullback = pull(A, cofactors if pull is pull_det else lambda A: np.linalg.inv(A).T)
        assert pullback(y_bar)[1].dtype == np.float32


def test_zeros():
    """They are passed on."""
    assert push_det((NoTangent(), ZeroTangent()), A, None)[1] == ZeroTangent()
    assert pull_slogdet(A, None)[1](ZeroTangent())[1] == ZeroTangent()
