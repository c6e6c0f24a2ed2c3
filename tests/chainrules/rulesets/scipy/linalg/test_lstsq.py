"""The rules of `scipy.linalg.lstsq`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import lstsq

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_kinds, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("driver", [None, "gelss", "gelsy"])
@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (3, 3)])
def test_lstsq(shape, driver, dtype):
    """Systems of every shape: the solution, the residuals, the singular values."""
    A = normal(*shape, dtype=dtype)
    for right in ((shape[0],), (shape[0], 2)):
        check_results(lstsq, A, normal(*right, dtype=dtype, seed=1), lapack_driver=driver)


@stacks
@pytest.mark.parametrize("driver", [None, "gelsy"])
@pytest.mark.parametrize(("left", "right"), [((2, 4, 2), (4,)), ((2, 2, 3), (2, 2, 1)), ((4, 2), (2, 4, 2))])
def test_stacks(left, right, driver):
    """Stacks broadcast; a vector is a right side of every problem."""
    test_frule(lstsq, normal(*left), normal(*right, seed=1), fkwargs={"lapack_driver": driver})
    test_rrule(lstsq, normal(*left), normal(*right, seed=1), fkwargs={"lapack_driver": driver})


@pytest.mark.parametrize("driver", ["gelsd", "gelsy"])
def test_low_rank(driver):
    """Along directions in which the rank is constant there is a derivative."""
    X, Y, b, X_dot = normal(5, 2), normal(2, 3, seed=1), normal(5, seed=2), normal(5, 2, seed=3)
    named = {"cond": 1e-9, "lapack_driver": driver}
    _, y_dot = frule((NoTangent(), X_dot @ Y, np.zeros(5)), lstsq, X @ Y, b, **named)
    step = 1e-6
    ahead, behind = (lstsq((X + sign * step * X_dot) @ Y, b, **named)[0] for sign in (1, -1))
    np.testing.assert_allclose(y_dot[0], (ahead - behind) / (2 * step), atol=1e-7)


def test_rank_zero():
    """The solution for a matrix of zeros is zero, along all directions that keep it so."""
    A, b = np.zeros((3, 2)), normal(3)
    np.testing.assert_array_equal(frule((NoTangent(), A, b), lstsq, A, b)[1][0], 0)


def test_constants_and_options():
    """Zeros stay zeros; options by position; what may be overwritten is not."""
    A, b, zero = normal(4, 2), normal(4), ZeroTangent()
    before = A.copy()
    assert frule((NoTangent(), zero, zero), lstsq, A, b)[1] == zero
    _, y_dot = frule((NoTangent(), zero, b), lstsq, A, b)
    np.testing.assert_allclose(y_dot[0], lstsq(A, b)[0])
    _, pullback = rrule(lstsq, A, b, 1e-9, True, True)
    assert pullback((zero, zero, NoTangent(), zero))[1:3] == (zero, zero)
    assert len(pullback(zero)) == 6
    np.testing.assert_array_equal(A, before)


def test_in_plain_code():
    """The gradient of the solution is that of NumPy's."""
    A, b = normal(4, 2), normal(4, seed=1)
    ours = grad(lambda A: np.sum(lstsq(A, b)[0] ** 2))(A)
    np.testing.assert_allclose(ours, grad(lambda A: np.sum(np.linalg.lstsq(A, b)[0] ** 2))(A))


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real beside a complex one."""
    check_kinds(lstsq, normal(4, 2), normal(4, seed=1))
    check_kinds(lstsq, normal(2, 4), normal(2, 3, seed=1))


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(lstsq, normal(4, 2), normal(4))
