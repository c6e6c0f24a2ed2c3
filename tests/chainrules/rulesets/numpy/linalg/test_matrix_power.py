"""The rules of `numpy.linalg.matrix_power`, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule
from tests.chainrules.rule_checks import check_rule
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular
from tests.chainrules.structured_checks import check_symmetric


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [-3, -1, 0, 1, 2, 3, 6])
def test_matrix_power(n, dtype):
    """Positive, negative and zero exponents."""
    check_rule(np.linalg.matrix_power, regular(3, 3, dtype=dtype) / 6, n)


@pytest.mark.parametrize("shape", [(2, 3, 3), (2, 1, 2, 2), (0, 2, 2), (0, 0), (1, 1)])
def test_powers_of_stacks(shape):
    """Stacks, empty ones too, and matrices without elements."""
    check_rule(np.linalg.matrix_power, regular(*shape) / 4, 3)


def test_power_of_a_singular_matrix():
    """A positive power is a polynomial."""
    check_rule(np.linalg.matrix_power, np.array([[0.0, 1.0], [0.0, 0.0]]), 2)


def test_power_of_a_constant():
    """A zero tangent stays one."""
    tangents = (NoTangent(), ZeroTangent(), NoTangent())

    assert frule(tangents, np.linalg.matrix_power, regular(2, 2), 2)[1] == ZeroTangent()


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.linalg.matrix_power, 3)


def test_numpys_integers():
    """As a loop over `np.arange` gives them."""
    check_rule(np.linalg.matrix_power, regular(3, 3) / 4, np.int64(3))
