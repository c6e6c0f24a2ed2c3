"""The rules of `numpy.linalg.det`, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, of_rank, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_det(dtype):
    """Real and complex matrices."""
    check_rule(np.linalg.det, regular(3, 3, dtype=dtype) / 4)


@pytest.mark.parametrize("shape", [(2, 3, 3), (2, 1, 2, 2), (0, 2, 2), (1, 1)])
def test_det_of_stacks(shape):
    """Stacks, empty ones too."""
    check_rule(np.linalg.det, normal(*shape))


def test_det_without_elements():
    """The determinant of a matrix without elements is a constant, 1."""
    check_rule(np.linalg.det, normal(0, 0))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_det_of_singular_matrices(rank, dtype):
    """The determinant is a polynomial: it has both derivatives where there is no inverse."""
    check_rule(np.linalg.det, of_rank(rank, 4, dtype))


def test_det_of_a_stack_with_a_singular_matrix():
    """One singular matrix does not spoil the derivatives of the others."""
    check_rule(np.linalg.det, np.stack([of_rank(2, 3), of_rank(3, 3)]))


def test_det_near_singular_matrices():
    """The adjugate is found to full precision where the inverse has none."""
    A = np.array([[1.0, 2.0], [3.0, 6.0 + 1e-14]])

    _, pullback = rrule(np.linalg.det, A)

    np.testing.assert_allclose(pullback(1.0)[1], [[6.0, -3.0], [-2.0, 1.0]], rtol=1e-13)


def test_det_of_a_constant():
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), np.linalg.det, regular(2, 2))[1] == ZeroTangent()
