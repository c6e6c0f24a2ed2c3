"""The rules of `numpy.linalg.cond`, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_core.structured import Diagonal, Symmetric
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular

ORDERS = [None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ORDERS)
def test_cond(order, dtype):
    """Both modes are right for every norm."""
    check_rule(np.linalg.cond, regular(2, 2, dtype=dtype) / 4, order)


@pytest.mark.parametrize("order", [-2, 1, "nuc"])
def test_cond_of_stacks(order):
    """One number for each matrix."""
    check_rule(np.linalg.cond, regular(2, 2, 2) / 4, p=order)


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 3, 3), (0, 2, 2)])
def test_cond_by_default(shape):
    """By singular values matrices need not be square."""
    check_rule(np.linalg.cond, normal(*shape))
    check_rule(np.linalg.cond, normal(*shape), -2)


@pytest.mark.parametrize("order", [None, 1])
def test_cond_of_a_singular_matrix(order):
    """It is infinite and has no derivative; the other matrices of a stack have theirs."""
    A = np.stack([np.zeros((2, 2)), regular(2, 2)])
    y, pullback = rrule(np.linalg.cond, A, order)

    A_bar = pullback(np.ones(2))[1]

    assert np.isinf(y[0])
    assert np.isnan(A_bar[0]).all()
    assert np.isfinite(A_bar[1]).all()


def test_cond_of_the_identity():
    """The condition number has its minimum there, where zero is a subgradient."""
    _, pullback = rrule(np.linalg.cond, np.eye(3))

    np.testing.assert_allclose(pullback(1.0)[1], np.zeros((3, 3)), atol=1e-15)


def test_cond_of_structured_matrices():
    """Their cotangents have their structure."""
    A, B = Diagonal(np.array([1.0, 2.0, 4.0])), Symmetric(regular(3, 3))

    A_bar, B_bar = (rrule(np.linalg.cond, X)[1](1.0)[1] for X in (A, B))

    np.testing.assert_allclose(A_bar.diag, [-4.0, 0.0, 1.0], atol=1e-14)
    assert isinstance(B_bar, Symmetric)


def test_cond_of_a_constant():
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), np.linalg.cond, regular(2, 2))[1] == ZeroTangent()


def test_a_tangent_of_the_order():
    """Between the orders that there are is nothing, so that nothing changes."""
    assert frule((NoTangent(), ZeroTangent(), 1.0), np.linalg.cond, normal(3, 2), 2.0)[1] is ZeroTangent()
