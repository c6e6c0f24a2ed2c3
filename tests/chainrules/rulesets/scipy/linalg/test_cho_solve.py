"""The rules of systems with given Cholesky factors, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import cho_factor, cho_solve, cho_solve_banded, cholesky_banded

from chainrules.ad import grad
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import RIGHT_SIDES, check_factored, right_side, stacks


def bands(*shape, dtype=np.float64, is_lower=False):
    """The diagonals of one triangle of a positive definite matrix."""
    ab = normal(*shape, dtype=dtype) / 2
    ab[..., 0 if is_lower else -1, :] = 4
    return ab


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("is_lower", [False, True])
@pytest.mark.parametrize("shape", RIGHT_SIDES)
def test_cho_solve(shape, is_lower, dtype):
    """The cotangent of the factor stands on its triangle, whatever is in the other one."""
    factor, B = regular(4, 4, dtype=dtype) / 4, right_side(shape, dtype)
    test_frule(cho_solve, (factor, is_lower), B)
    test_rrule(cho_solve, (factor, is_lower), B)
    check_factored(cho_solve, factor, is_lower, B)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("is_lower", [False, True])
@pytest.mark.parametrize("shape", RIGHT_SIDES)
def test_cho_solve_banded(shape, is_lower, dtype):
    """The same for a factor whose diagonals are stored."""
    factor, B = bands(3, 4, dtype=dtype, is_lower=is_lower), right_side(shape, dtype)
    test_frule(cho_solve_banded, (factor, is_lower), B)
    test_rrule(cho_solve_banded, (factor, is_lower), B)
    check_factored(cho_solve_banded, factor, is_lower, B)


@stacks
@pytest.mark.parametrize("is_lower", [False, True])
@pytest.mark.parametrize(("left", "right"), [((2,), (3,)), ((2,), (3, 2)), ((), (2, 3, 1))])
def test_stacks(left, right, is_lower):
    """Stacks broadcast."""
    B = normal(*right)
    for f, factor in (
        (cho_solve, regular(*left, 3, 3) / 4),
        (cho_solve_banded, bands(*left, 2, 3, is_lower=is_lower)),
    ):
        test_frule(f, (factor, is_lower), B)
        test_rrule(f, (factor, is_lower), B)
        check_factored(f, factor, is_lower, B)


@pytest.mark.parametrize("f", [cho_solve, cho_solve_banded])
def test_constants(f):
    """A zero tangent of the pair, or of the factor in it."""
    factor = bands(2, 2) if f is cho_solve_banded else regular(2, 2)
    b, zero = normal(2), ZeroTangent()
    for pair_dot in (zero, Tangent[tuple](zero, NoTangent())):
        _, x_dot = frule((NoTangent(), pair_dot, b), f, (factor, False), b)
        np.testing.assert_allclose(x_dot, f((factor, False), b))
    _, pullback = rrule(f, (factor, False), b)
    assert unthunk(pullback(zero)[1][0]) == zero


def test_options():
    """They are constants, and infinite elements are refused."""
    factor, b = regular(3, 3), normal(3)
    assert len(rrule(cho_solve, (factor, True), b, True, False)[1](b)) == 5
    with pytest.raises(ValueError, match="infs or NaNs"):
        rrule(cho_solve, (factor * np.nan, True), b)
    test_rrule(cho_solve, [factor, True], normal(3, 0))


@pytest.mark.parametrize("lower", [False, True])
def test_together_with_the_factorization(lower):
    """The gradient of a quadratic form through both is that of the inverse."""
    A, b = positive_definite(4, 4), normal(4)

    def form(A):
        return b @ cho_solve(cho_factor(A, lower=lower), b)

    x = np.linalg.solve(A, b)
    whole = -np.outer(x, x)
    expected = (np.tril if lower else np.triu)(2 * whole) - np.diag(np.diag(whole))
    np.testing.assert_allclose(grad(form)(A), expected, atol=1e-12)
    ab = np.stack([np.append(np.diag(A, -1), 0) / 4, np.diag(A)])[:: 1 if not lower else -1]
    ab = ab if lower else np.stack([np.append(0, np.diag(A, 1) / 4), np.diag(A)])
    dense = np.diag(np.diag(A)) + np.diag(np.diag(A, 1) / 4, 1) + np.diag(np.diag(A, 1) / 4, -1)
    y = np.linalg.solve(dense, b)

    def banded(ab):
        return b @ cho_solve_banded((cholesky_banded(ab, lower=lower), lower), b)

    ab_bar = grad(banded)(ab)
    np.testing.assert_allclose(ab_bar[0 if lower else 1], -y * y, atol=1e-12)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(cho_solve, (np.triu(regular(4, 4)), False), right_side((4,)))
    check_memory_and_checks(cho_solve_banded, (bands(2, 4), False), right_side((4,)))
