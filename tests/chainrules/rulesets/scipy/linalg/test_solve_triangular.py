"""The rules of `scipy.linalg.solve_triangular`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import solve_triangular

from chainrules_core import rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_quickly, check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import RIGHT_SIDES, right_side, stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("unit_diagonal", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("trans", [0, 1, 2, "T", "C"])
def test_options(trans, lower, unit_diagonal, dtype):
    """Both triangles, with and without a diagonal of ones; transposes and adjoints."""
    named = {"trans": trans, "lower": lower, "unit_diagonal": unit_diagonal}
    A = regular(4, 4, dtype=dtype) / 4
    check_rule(solve_triangular, A, right_side((4,), dtype), **named)
    for matrix in (A, np.asfortranarray(A)):
        test_frule(solve_triangular, matrix, right_side((4, 2), dtype), fkwargs=named)
        test_rrule(solve_triangular, matrix, right_side((4, 2), dtype), fkwargs=named)


@stacks
@pytest.mark.parametrize("named", [{}, {"trans": 1}, {"trans": "C", "unit_diagonal": True, "lower": True}])
@pytest.mark.parametrize(("left", "right"), [((2, 3, 3), (3,)), ((3, 3), (2, 3, 1)), ((2, 3, 3), (3, 2))])
def test_stacks(left, right, named):
    """Stacks broadcast."""
    check_rule(solve_triangular, regular(*left), normal(*right, seed=1), **named)


@stacks
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("left", [(3, 3), (2, 3, 3)])
def test_order_in_memory(left, order):
    """The solutions of a stack are stored as SciPy's: functions that read them in that order get the same."""
    A, B = (np.array(x, order=order) for x in (regular(*left), normal(2, 3, 2)))
    np.testing.assert_allclose(
        np.ravel(rrule(solve_triangular, A, B)[0], "K"), np.ravel(solve_triangular(A, B), "K")
    )


def test_cotangent_is_on_the_triangle():
    """Nothing stands where nothing is read."""
    A = regular(3, 3)
    for shape in RIGHT_SIDES:
        x, pullback = rrule(solve_triangular, A, right_side(shape)[:3], lower=True, unit_diagonal=True)
        A_bar = unthunk(pullback(x)[1])
        np.testing.assert_array_equal(A_bar, np.tril(A_bar, -1))


def test_other_triangle_may_hold_anything():
    """NaN in the other triangle, where nothing is checked, is not seen."""
    A = np.tril(regular(3, 3)) + np.triu(np.full((3, 3), np.nan), 1)
    x, pullback = rrule(solve_triangular, A, normal(3), lower=True, check_finite=False)
    assert np.all(np.isfinite(x))
    assert np.all(np.isfinite(unthunk(pullback(x)[1])))


@pytest.mark.parametrize(("left", "right"), [((3, 3), (3, 0)), ((1, 1), (1,))])
def test_small_systems(left, right):
    """No right sides; one unknown."""
    check_quickly(solve_triangular, regular(*left), normal(*right))


def test_operands_of_two_kinds():
    """Real parts and imaginary parts are solved for at once."""
    check_quickly(solve_triangular, regular(3, 3), normal(3, dtype=complex))
    check_quickly(solve_triangular, regular(3, 3, dtype=complex), normal(3), 2)


def test_refusals():
    """What SciPy refuses is refused."""
    A, b = regular(3, 3), normal(3)
    with pytest.raises(np.linalg.LinAlgError):
        rrule(solve_triangular, 0 * A, b)
    with pytest.raises(ValueError, match="trans is 3"):
        rrule(solve_triangular, A, b, 3)
    with pytest.raises(ValueError, match="expected a square matrix"):
        rrule(solve_triangular, A[:2], b)
    with pytest.raises(ValueError, match="infs or NaNs"):
        rrule(solve_triangular, A * np.inf, b)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(solve_triangular, regular(3, 3), normal(3))
