"""The rules of `scipy.linalg.det`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import det

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, of_rank, regular
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (1, 1), (0, 0)])
def test_det(shape, dtype):
    """Of one matrix, of a stack, of a number, and of nothing."""
    check_rule(det, normal(*shape, dtype=dtype))


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_singular_matrix(rank):
    """The determinant is a polynomial, which has derivatives everywhere."""
    check_rule(det, of_rank(rank, 3))


def test_options_and_constants():
    """They are constants; what may be overwritten is not."""
    A = regular(3, 3)
    before = A.copy()
    assert len(rrule(det, A, True, False)[1](1.0)) == 4
    np.testing.assert_array_equal(A, before)
    assert frule((NoTangent(), ZeroTangent()), det, A)[1] == ZeroTangent()
    np.testing.assert_allclose(grad(det)(A), det(A) * np.linalg.inv(A).T)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(det, normal(3, 3))
