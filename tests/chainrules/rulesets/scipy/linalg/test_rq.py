"""The rules of `scipy.linalg.rq`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import rq

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_rq(shape, dtype):
    """High, wide and square matrices."""
    check_results(rq, normal(*shape, dtype=dtype), mode="economic")
    check_rule(rq, normal(*shape, dtype=dtype), mode="r")


@pytest.mark.parametrize("shape", [(3, 3), (2, 3), (4, 2)])
def test_full_mode(shape):
    """At most one vector completes the basis, which is determined up to its sign."""
    check_results(rq, normal(*shape))


@stacks
def test_stacks():
    """Stacks of matrices."""
    check_results(rq, normal(2, 2, 3), mode="economic")


def test_choice_of_the_complement_is_refused():
    """A function of the vectors that LAPACK chose has no derivative."""
    _, pullback = rrule(rq, normal(2, 4))
    with pytest.raises(ValueError, match=r"scipy\.linalg\.rq.*no derivative by vectors that complete"):
        pullback((normal(2, 4), normal(4, 4, seed=1)))


def test_options_and_constants():
    """Options by position; what may be overwritten is not; zeros stay zeros."""
    A, zero = np.asfortranarray(normal(3, 3)), ZeroTangent()
    before = A.copy()
    y, pullback = rrule(rq, A, True, None, "economic")
    assert len(pullback(y)) == 5
    assert pullback((zero, zero))[1] == zero
    np.testing.assert_array_equal(A, before)
    assert frule((NoTangent(), zero), rq, A)[1] == zero
    np.testing.assert_allclose(grad(lambda A: np.sum(rq(A)[0] ** 2))(A), 2 * A, atol=1e-12)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    for mode in ("full", "economic", "r"):
        check_memory_and_checks(rq, normal(3, 3), mode=mode)
