"""The rules of `scipy.linalg.lu_solve`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import lu_factor, lu_solve

from chainrules.ad import grad
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import RIGHT_SIDES, check_factored, right_side, stacks

PIVOTS = np.array([2, 3, 2, 3])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("trans", [0, 1, 2])
@pytest.mark.parametrize("shape", RIGHT_SIDES)
def test_lu_solve(shape, trans, dtype):
    """The system, its transpose and its adjoint; both factors have a cotangent, the pivots have none."""
    factors, B = regular(4, 4, dtype=dtype) / 4, right_side(shape, dtype)
    test_frule(lu_solve, (factors, PIVOTS), B, fkwargs={"trans": trans})
    test_rrule(lu_solve, (factors, PIVOTS), B, trans)
    check_factored(lu_solve, factors, PIVOTS, B, trans=trans)


@stacks
@pytest.mark.parametrize("trans", [0, 1])
@pytest.mark.parametrize(("left", "right"), [((2,), (3,)), ((2,), (3, 2)), ((), (2, 3, 1))])
def test_stacks(left, right, trans):
    """Stacks broadcast."""
    factors, B = regular(*left, 3, 3), normal(*right)
    pivots = np.array([[1, 2, 2], [0, 2, 2]]) if left else np.array([1, 1, 2])
    test_frule(lu_solve, (factors, pivots), B, trans)
    test_rrule(lu_solve, (factors, pivots), B, trans)
    check_factored(lu_solve, factors, pivots, B, trans=trans)


def test_constants():
    """A zero tangent of the pair, or of the factors in it."""
    pair, b, zero = lu_factor(regular(3, 3)), normal(3), ZeroTangent()
    for pair_dot in (zero, Tangent[tuple](zero, NoTangent())):
        _, x_dot = frule((NoTangent(), pair_dot, b), lu_solve, pair, b)
        np.testing.assert_allclose(x_dot, lu_solve(pair, b))
    assert unthunk(rrule(lu_solve, pair, b)[1](zero)[1][0]) == zero
    test_rrule(lu_solve, pair, normal(3, 0))


def test_together_with_the_factorization():
    """The gradient through both is that of the solution."""
    A, b = normal(4, 4), normal(4, seed=1)
    by_factors = grad(lambda A: np.sum(lu_solve(lu_factor(A), b, trans=1) ** 2))(A)
    by_solve = grad(lambda A: np.sum(np.linalg.solve(A.T, b) ** 2))(A)
    np.testing.assert_allclose(by_factors, by_solve, rtol=1e-9)


def test_refusals():
    """What SciPy refuses is refused."""
    pair, b = lu_factor(regular(3, 3)), normal(3)
    with pytest.raises(ValueError, match="trans is 'T'"):
        rrule(lu_solve, pair, b, "T")
    with pytest.raises(ValueError, match="infs or NaNs"):
        rrule(lu_solve, pair, b * np.inf)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(lu_solve, (regular(4, 4), PIVOTS), right_side((4,)))
