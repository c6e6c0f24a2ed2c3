"""The rules of LU decompositions of SciPy, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import LinAlgWarning, lu, lu_factor

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks

FORMS = [{}, {"permute_l": True}, {"p_indices": True}]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (1, 1)])
def test_shapes(shape, dtype):
    """High, wide and square matrices, in all forms."""
    A = normal(*shape, dtype=dtype)
    for form in FORMS:
        check_results(lu, A, **form)
    check_results(lu_factor, A)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", [(2, 3, 3), (2, 4, 2), (0, 3), (3, 0)])
def test_stacks_and_nothing(shape, form):
    """Stacks, each matrix with its own order, and matrices without elements."""
    check_results(lu, normal(*shape), **form)


@stacks
@pytest.mark.parametrize("form", FORMS)
def test_stacks_of_no_matrix(form):
    """They have no order of rows."""
    check_results(lu, normal(0, 2, 3), **form)


@stacks
@pytest.mark.parametrize("shape", [(2, 3, 3), (2, 4, 2), (2, 2, 4)])
def test_stacks_of_factors(shape):
    """Stacks of `lu_factor`."""
    check_results(lu_factor, normal(*shape))


def test_singular_matrix():
    """There is no derivative, and it is not made up."""
    A = np.array([[1.0, 1.0], [1.0, 1.0]])
    _, pullback = rrule(lu, A)
    with pytest.raises(np.linalg.LinAlgError, match="have no derivative"):
        pullback((ZeroTangent(), A, A))
    with pytest.warns(LinAlgWarning, match="exactly zero"):
        _, pullback = rrule(lu_factor, A)
    with pytest.raises(np.linalg.LinAlgError, match="have no derivative"):
        pullback((A, NoTangent()))


def test_options_and_constants():
    """Options by position; what may be overwritten is not; zeros stay zeros."""
    A, zero = normal(3, 3), ZeroTangent()
    before = A.copy()
    (_, L, U), pullback = rrule(lu, A, False, True, True, False)
    assert len(pullback((zero, L, U))) == 6
    for bars in ((zero, zero, zero), zero):
        assert pullback(bars)[1] == zero
    np.testing.assert_allclose(
        pullback((zero, L, zero))[1] + pullback((zero, zero, U))[1], pullback((zero, L, U))[1]
    )
    assert rrule(lu_factor, A, True, True)[1](zero)[1] == zero
    np.testing.assert_array_equal(A, before)
    for f in (lu, lu_factor):
        assert frule((NoTangent(), zero), f, A)[1] == zero
    assert rrule(lu, A, permute_l=True)[1]((zero, U))[1].shape == (3, 3)


def test_in_plain_code():
    """The gradient of the logarithm of a determinant."""
    A = normal(3, 3)
    expected = np.linalg.inv(A).T
    for gradient in (
        grad(lambda A: np.sum(np.log(np.abs(np.diag(lu(A)[2])))))(A),
        grad(lambda A: np.sum(np.log(np.abs(np.diag(lu_factor(A)[0])))))(A),
    ):
        np.testing.assert_allclose(gradient, expected)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    for f in (lu, lu_factor):
        check_memory_and_checks(f, normal(3, 3))
