"""The rules of the orthogonal Procrustes problem, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_kinds, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results


@pytest.mark.parametrize("dtype", DTYPES)
def test_solution(dtype):
    """The unitary matrix and the scale, by both matrices."""
    check_results(orthogonal_procrustes, normal(4, 2, dtype=dtype), normal(4, 2, dtype=dtype, seed=1))
    check_results(orthogonal_procrustes, normal(2, 2, dtype=dtype), normal(2, 2), False)


def test_equal_singular_values():
    """They do no harm: only sums of them are divided by."""
    gradient = grad(lambda A: orthogonal_procrustes(A, np.eye(2))[0][0, 1])(np.eye(2))
    np.testing.assert_allclose(gradient, [[0.0, -0.5], [0.5, 0.0]])


def test_singular_product():
    """The unitary matrix is an arbitrary choice."""
    A_dot = normal(3, 2)
    y_dot = frule((NoTangent(), A_dot, ZeroTangent()), orthogonal_procrustes, np.zeros((3, 2)), A_dot)[1]
    assert np.isnan(y_dot[0]).all()


def test_parts_and_constants():
    """Either result may have no cotangent, and zero tangents stay zero."""
    A, B, zero = normal(3, 2), normal(3, 2, seed=1), ZeroTangent()
    y, pullback = rrule(orthogonal_procrustes, A, B)

    whole = pullback((np.ones((2, 2)), 1.0))[1:]
    parts = pullback((np.ones((2, 2)), zero))[1:], pullback((zero, 1.0))[1:]
    for bar, first, second in zip(whole, *parts, strict=True):
        np.testing.assert_allclose(first + second, bar)
    assert pullback((zero, zero))[1:] == (zero, zero)
    assert frule((NoTangent(), zero, zero), orthogonal_procrustes, A, B)[1] == zero
    np.testing.assert_allclose(y[0], orthogonal_procrustes(A, B)[0])


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real beside a complex one."""
    check_kinds(orthogonal_procrustes, normal(4, 2), normal(4, 2, seed=1))
