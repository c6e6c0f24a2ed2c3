"""The rules of `scipy.linalg.subspace_angles`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from chainrules.ad import grad, jacobian
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("columns", [(2, 2), (1, 2), (3, 1), (1, 1)])
def test_subspace_angles(columns, dtype):
    """Spaces of the same dimension, and of others."""
    A, B = normal(6, columns[0], dtype=dtype), normal(6, columns[1], dtype=dtype, seed=1)
    check_rule(subspace_angles, A, B)


@stacks
def test_stacks():
    """Stacks of matrices."""
    check_rule(subspace_angles, normal(2, 4, 2), normal(2, 4, 1, seed=1))


def test_angle_of_two_vectors():
    """It is small, and its derivative still right."""
    a, b = np.array([[1.0], [0.0]]), np.array([[1.0], [1e-7]])
    by_a, by_b = grad(lambda a, b: np.sum(subspace_angles(a, b)), (0, 1))(a, b)
    np.testing.assert_allclose(by_a, [[0.0], [-1.0]], atol=2e-7)
    np.testing.assert_allclose(by_b, [[0.0], [1.0]], atol=2e-7)


def test_kinks():
    """Zero is taken; where spaces meet in any case, it is the derivative."""
    for a, b in ((np.eye(2, 1), np.eye(2, 1)), (np.eye(2, 1), np.eye(2)[:, 1:])):
        np.testing.assert_array_equal(grad(lambda a, b=b: np.sum(subspace_angles(a, b)))(a), np.zeros((2, 1)))
    A, B = normal(3, 2), normal(3, 2, seed=1)
    by_A = jacobian(lambda A: subspace_angles(A, B))(A)
    assert np.any(by_A[0])
    np.testing.assert_array_equal(by_A[1], 0)


def test_dependent_columns():
    """There is no derivative, and it is not made up."""
    for A in (np.ones((3, 2)), np.ones((1, 2))):
        with pytest.raises(np.linalg.LinAlgError, match="columns are dependent"):
            frule((NoTangent(), A, ZeroTangent()), subspace_angles, A, np.eye(len(A)))


def test_constants():
    """Zeros stay zeros."""
    A, zero = normal(3, 1), ZeroTangent()
    assert frule((NoTangent(), zero, zero), subspace_angles, A, np.eye(3, 1))[1] == zero
    assert rrule(subspace_angles, A, np.eye(3, 1))[1](zero)[1] == zero
