"""The rules of pseudo-inverses of SciPy, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import pinv, pinvh

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results, hermitian
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (3, 3)])
def test_pinv(shape, dtype):
    """High, wide and square matrices; the rank that is returned is a constant."""
    check_rule(pinv, normal(*shape, dtype=dtype))
    check_results(pinv, normal(*shape, dtype=dtype), return_rank=True, rtol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [False, True])
def test_pinvh(lower, dtype):
    """One triangle is read, whatever is in the other one."""
    A = hermitian(3, dtype=dtype) + np.eye(3)
    A = A + (np.triu(normal(3, 3), 1) if lower else np.tril(normal(3, 3), -1))
    check_rule(pinvh, A, lower=lower)
    check_results(pinvh, A, lower=lower, return_rank=True)
    check_rule(pinvh, A, 0.1, None, lower)


def test_values_left_out_are_not_zero():
    """Kept singular vectors turn towards them."""
    A = np.linalg.svd(normal(3, 3))[0] * np.array([3.0, 2.0, 0.5])
    check_rule(pinv, A, rtol=0.4)
    check_rule(pinvh, A @ A.T, rtol=0.3)


@stacks
def test_stacks():
    """Stacks of matrices."""
    check_rule(pinv, normal(2, 3, 2))
    check_rule(pinvh, np.stack([hermitian(2) + np.eye(2)] * 2))


def test_constant_rank():
    """Along directions in which the rank is constant there is a derivative of a matrix of low rank."""
    X, Y, X_dot = normal(4, 2), normal(2, 3, seed=1), normal(4, 2, seed=2)
    _, Y_dot = frule((NoTangent(), X_dot @ Y), pinv, X @ Y)
    step = 1e-6
    difference = pinv((X + step * X_dot) @ Y, rtol=1e-8) - pinv((X - step * X_dot) @ Y, rtol=1e-8)
    np.testing.assert_allclose(Y_dot, difference / (2 * step), atol=1e-7)


def test_constants():
    """Zero tangents, zero cotangents, and a program in plain code."""
    A, zero = normal(3, 2), ZeroTangent()
    assert frule((NoTangent(), zero), pinv, A)[1] == zero
    assert rrule(pinv, A, return_rank=True)[1]((zero, NoTangent()))[1] == zero
    np.testing.assert_allclose(
        grad(lambda A: np.sum(pinv(A) ** 2))(A), grad(lambda A: np.sum(np.linalg.pinv(A) ** 2))(A)
    )


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    for f in (pinv, pinvh):
        check_memory_and_checks(f, hermitian(3) + np.eye(3))
