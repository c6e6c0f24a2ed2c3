"""The rules of systems whose matrix has few diagonals, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import solve_banded, solveh_banded

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_kinds, check_rule, check_second_derivative, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import (
    RIGHT_SIDES,
    in_single_precision,
    right_side,
    stacks,
)


def bands(*shape, dtype=np.float64, main=0):
    """Diagonals, of which one dominates."""
    ab = normal(*shape, dtype=dtype)
    ab[..., main, :] = 6
    return ab


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("l_and_u", [(1, 1), (2, 1), (0, 2), (1, 0), (0, 0), (5, 4)])
def test_solve_banded(l_and_u, dtype):
    """Tridiagonal and other matrices, also with more diagonals than there are."""
    lower, upper = l_and_u
    ab = bands(lower + upper + 1, 4, dtype=dtype, main=upper)
    for shape in RIGHT_SIDES:
        B = right_side(shape, dtype)
        test_frule(solve_banded, l_and_u, ab, B)
        test_rrule(solve_banded, l_and_u, ab, B)
    test_rrule(solve_banded, l_and_u, in_single_precision(ab), in_single_precision(B))
    if dtype is np.float64:
        check_second_derivative(lambda ab, B: solve_banded(l_and_u, ab, B), ab, B)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_solveh_banded(count, lower, dtype):
    """The diagonals of either triangle, of which the main one is read as real."""
    ab = bands(count, 4, dtype=dtype, main=0 if lower else -1)
    for shape in RIGHT_SIDES:
        check_rule(solveh_banded, ab, right_side(shape, dtype), lower=lower)


@stacks
@pytest.mark.parametrize(("left", "right"), [((2,), (3,)), ((2,), (3, 2)), ((), (2, 3, 1))])
def test_stacks(left, right):
    """Stacks broadcast."""
    B = normal(*right)
    test_frule(solve_banded, (1, 1), bands(*left, 3, 3, main=1), B)
    test_rrule(solve_banded, (1, 1), bands(*left, 3, 3, main=1), B)
    check_rule(solveh_banded, bands(*left, 2, 3, main=-1), B)


def test_unused_corners():
    """What belongs to no element is not read, and has no cotangent."""
    ab = bands(3, 4, main=1)
    ab[0, 0] = ab[2, -1] = np.nan
    x, pullback = rrule(solve_banded, [1, 1], ab, normal(4), check_finite=False)
    _, l_and_u_bar, ab_bar, b_bar = pullback(x)
    assert l_and_u_bar == NoTangent()
    assert unthunk(ab_bar)[0, 0] == unthunk(ab_bar)[2, -1] == 0
    assert np.all(np.isfinite(unthunk(ab_bar)))
    assert np.all(np.isfinite(b_bar))


@pytest.mark.parametrize("size", [1, 4])
def test_small_systems(size):
    """One unknown, and no right sides."""
    test_rrule(solve_banded, (0, 1), bands(2, size, main=1), normal(size))
    test_rrule(solve_banded, (0, 1), bands(2, size, main=1), normal(size, 0))
    test_rrule(solveh_banded, bands(1, size), normal(size))


def test_constants_and_options():
    """Constant operands; options by position."""
    ab, b, zero = bands(3, 4, main=1), normal(4), ZeroTangent()
    tangents = NoTangent(), NoTangent(), zero, zero
    assert frule(tangents, solve_banded, (1, 1), ab, b)[1] == zero
    assert len(rrule(solve_banded, (1, 1), ab, b, True, True)[1](b)) == 6
    assert len(rrule(solveh_banded, np.stack((ab[0], ab[1] + 9)), b, True, True)[1](b)) == 5


def test_refusals():
    """What SciPy refuses is refused."""
    ab, b = bands(3, 4, main=1), normal(4)
    with pytest.raises(ValueError, match="2 diagonals below the main one and 1 above it are not the 3 rows"):
        rrule(solve_banded, (2, 1), ab, b)
    with pytest.raises(np.linalg.LinAlgError):
        rrule(solve_banded, (1, 1), 0 * ab, b)
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        rrule(solveh_banded, -ab, b, lower=True)
    with pytest.raises(ValueError, match="infs or NaNs"):
        rrule(solveh_banded, ab, b * np.inf)


def test_work_is_proportional_to_the_diagonals():
    """A dense matrix with so many rows would take 80 gigabytes."""
    n = 100_000
    ab = np.stack((np.full(n, -1.0), np.full(n, 4.0), np.full(n, -1.0)))
    ab_bar = grad(lambda ab: np.sum(solve_banded((1, 1), ab, np.ones(n))))(ab)
    assert ab_bar.shape == (3, n)
    np.testing.assert_allclose(ab_bar[1, n // 2], -0.25, rtol=1e-12)


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real beside a complex one."""
    check_kinds(solve_banded, (1, 1), bands(3, 4, main=1), normal(4, 2, seed=1))


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(solve_banded, (1, 1), bands(3, 4, main=1), normal(4))
    check_memory_and_checks(solveh_banded, bands(2, 3, main=-1), normal(3))
