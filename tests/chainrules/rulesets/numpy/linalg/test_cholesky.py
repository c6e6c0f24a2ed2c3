"""The rules of `numpy.linalg.cholesky`, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite
from tests.chainrules.structured_checks import check_symmetric


@pytest.mark.parametrize("dtype", DTYPES)
def test_cholesky(dtype):
    """Real and complex matrices, perturbed in each element by itself."""
    check_rule(np.linalg.cholesky, positive_definite(3, 3, dtype=dtype))


@pytest.mark.parametrize("shape", [(2, 3, 3), (2, 1, 2, 2), (0, 2, 2), (0, 0), (1, 1)])
def test_cholesky_of_stacks(shape):
    """Stacks, empty ones too, and matrices without elements."""
    check_rule(np.linalg.cholesky, positive_definite(*shape))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("upper", [True, False])
def test_cholesky_by_either_triangle(upper, dtype):
    """The factor is the upper one, from the upper triangle, on demand."""
    A = normal(3, 3, dtype=dtype) / 2
    A = positive_definite(3, 3, dtype=dtype) + (np.tril(A, -1) if upper else np.triu(A, 1))

    check_rule(np.linalg.cholesky, A, upper=upper)


def test_cotangent_is_on_the_triangle_that_is_read():
    """The other one is not looked at."""
    _, pullback = rrule(np.linalg.cholesky, positive_definite(3, 3))

    A_bar = pullback(normal(3, 3))[1]

    np.testing.assert_array_equal(A_bar, np.tril(A_bar))


def test_cholesky_of_a_constant():
    """A zero tangent stays one."""
    tangents = (NoTangent(), ZeroTangent())

    assert frule(tangents, np.linalg.cholesky, positive_definite(2, 2))[1] == ZeroTangent()


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.linalg.cholesky)
