"""The rules of `scipy.linalg.inv`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import inv

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_real_parts, check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import SCIPY, stacks

since_1_17 = pytest.mark.skipif(SCIPY < (1, 17), reason="structures since SciPy 1.17")


@pytest.mark.parametrize("dtype", DTYPES)
def test_inv(dtype):
    """Of a matrix without structure, and of one of which SciPy finds a structure."""
    check_rule(inv, regular(3, 3, dtype=dtype))
    check_rule(inv, positive_definite(3, 3, dtype=dtype))
    check_rule(inv, np.triu(regular(3, 3, dtype=dtype)))
    check_real_parts(inv, regular(3, 3, dtype=dtype))


@stacks
@pytest.mark.parametrize("shape", [(2, 3, 3), (2, 1, 2, 2)])
def test_stacks(shape):
    """Stacks of matrices."""
    check_rule(inv, regular(*shape))


@since_1_17
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(
    "assumed", ["gen", "pos", "sym", "her", "diagonal", "lower triangular", "upper triangular"]
)
def test_structures(assumed, lower, dtype):
    """Each structure reads its elements alone; beside a diagonal SciPy returns the elements as they were."""
    check_rule(inv, regular(3, 3, dtype=dtype), assume_a=assumed, lower=lower)


@since_1_17
def test_the_upper_triangle_is_read_by_default():
    """Of a matrix that is said to be symmetric."""
    check_rule(inv, regular(3, 3), assume_a="sym")


def test_options_and_constants():
    """They are constants; what may be overwritten is not."""
    A = np.asfortranarray(regular(3, 3))
    before = A.copy()
    Y, pullback = rrule(inv, A, True, False)
    assert len(pullback(Y)) == 4
    np.testing.assert_array_equal(A, before)
    assert frule((NoTangent(), ZeroTangent()), inv, A)[1] == ZeroTangent()
    with pytest.raises(np.linalg.LinAlgError):
        rrule(inv, 0 * A)


def test_in_plain_code():
    """The gradient of a program that calls it."""
    A, b = regular(3, 3), normal(3)
    gradient = grad(lambda A: np.sum(inv(A) @ b))(A)
    expected = grad(lambda A: np.sum(np.linalg.solve(A, b)))(A)
    np.testing.assert_allclose(gradient, expected)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(inv, regular(3, 3))
