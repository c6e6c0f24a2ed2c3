"""The rules of `scipy.linalg.cholesky_banded`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import cholesky_banded

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


def bands(*shape, dtype=np.float64, lower=False):
    """The diagonals of one triangle of a positive definite matrix."""
    ab = normal(*shape, dtype=dtype) / 3
    ab[..., 0 if lower else -1, :] += 4
    return ab


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shape", [(1, 3), (2, 5), (4, 2), (3, 1), (2, 0)])
def test_either_triangle(shape, lower, dtype):
    """Few diagonals, and more than there are; corners that are no elements stay as they were."""
    check_rule(cholesky_banded, bands(*shape, dtype=dtype, lower=lower), lower=lower)


@pytest.mark.parametrize("lower", [False, True])
def test_several_blocks(lower):
    """A matrix larger than a block of the recurrence; the last block is not full."""
    check_rule(cholesky_banded, bands(3, 33, lower=lower), lower=lower)


@stacks
def test_stacks():
    """A stack of matrices."""
    check_rule(cholesky_banded, bands(2, 2, 3))


def test_many_rows():
    """Work and memory are proportional to the rows: the gradient of a logarithm of a determinant."""
    n = 3000
    ab = np.stack((np.full(n, 4.0), np.full(n, -1.0)))
    ab_bar = grad(lambda ab: 2 * np.sum(np.log(cholesky_banded(ab, lower=True)[0])))(ab)
    # In the middle, the diagonal of the inverse of an infinite matrix.
    np.testing.assert_allclose(ab_bar[0, n // 2], 1 / np.sqrt(12), rtol=1e-12)
    np.testing.assert_allclose(ab_bar[1, n // 2], 2 * (2 - np.sqrt(3)) / np.sqrt(12), rtol=1e-12)


def test_options_and_constants():
    """Options by position; zeros stay zeros."""
    ab, zero = bands(2, 3), ZeroTangent()
    c, pullback = rrule(cholesky_banded, ab, True, False, False)
    assert len(pullback(c)) == 5
    assert pullback(zero)[1] == zero
    assert frule((NoTangent(), zero), cholesky_banded, ab)[1] == zero


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(cholesky_banded, bands(2, 3))
