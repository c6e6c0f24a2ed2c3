"""The rules of `scipy.linalg.qr`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import qr

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("pivoting", [False, True])
@pytest.mark.parametrize("mode", ["economic", "r"])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_qr(shape, mode, pivoting, dtype):
    """High, wide and square matrices; the order of the columns is a constant."""
    check_results(qr, normal(*shape, dtype=dtype), mode=mode, pivoting=pivoting)


@pytest.mark.parametrize("pivoting", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (3, 2), (2, 4)])
def test_full_mode(shape, pivoting):
    """At most one vector completes the basis, which is determined up to its sign."""
    check_results(qr, normal(*shape), pivoting=pivoting)


@stacks
@pytest.mark.parametrize("mode", ["economic", "r"])
def test_stacks(mode):
    """Stacks, whose results come in a list, or alone."""
    for pivoting in (False, True):
        check_results(qr, normal(2, 3, 2), mode=mode, pivoting=pivoting)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_without_elements(shape):
    """Nothing to decompose."""
    check_results(qr, normal(*shape), mode="economic")


def test_choice_of_the_complement_is_refused():
    """A function of the vectors that LAPACK chose has no derivative."""
    _, pullback = rrule(qr, normal(4, 2))
    with pytest.raises(ValueError, match=r"mode='full'.*no derivative by vectors that complete the basis"):
        pullback((normal(4, 4), normal(4, 2)))


def test_reflectors_are_refused():
    """They are LAPACK's own."""
    with pytest.raises(ValueError, match=r"mode='raw'.*cannot be differentiated"):
        rrule(qr, normal(3, 3), mode="raw")


def test_options_and_constants():
    """Options by position; what may be overwritten is not; zeros stay zeros."""
    A, zero = np.asfortranarray(normal(3, 3)), ZeroTangent()
    before = A.copy()
    y, pullback = rrule(qr, A, True, None, "economic", True)
    assert pullback((zero, zero, NoTangent()))[1] == zero
    assert len(pullback((*y[:2], NoTangent()))) == 6
    np.testing.assert_array_equal(A, before)
    assert frule((NoTangent(), zero), qr, A)[1] == zero


def test_in_plain_code():
    """The gradient is that of NumPy's function."""
    A = normal(4, 3)
    ours = grad(lambda A: np.sum(qr(A, mode="economic")[0] ** 3))(A)
    np.testing.assert_allclose(ours, grad(lambda A: np.sum(np.linalg.qr(A)[0] ** 3))(A), atol=1e-12)
    by_r = grad(lambda A: np.sum(qr(A, mode="r")[0] ** 3))(A)
    np.testing.assert_allclose(by_r, grad(lambda A: np.sum(np.linalg.qr(A, "r") ** 3))(A), atol=1e-12)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    for mode in ("full", "economic", "r"):
        check_memory_and_checks(qr, normal(3, 3), mode=mode)
