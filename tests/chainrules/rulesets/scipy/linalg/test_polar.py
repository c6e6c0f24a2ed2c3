"""The rules of `scipy.linalg.polar`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import polar

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (1, 1)])
def test_polar(shape, side, dtype):
    """High, wide and square matrices, with the positive factor on either side."""
    check_results(polar, normal(*shape, dtype=dtype), side=side)


@stacks
def test_stacks():
    """Stacks of matrices."""
    check_results(polar, normal(2, 3, 2))


def test_equal_singular_values():
    """Where all are equal the first derivatives are finite, and right."""
    A_dot = normal(3, 3)
    _, y_dot = frule((NoTangent(), A_dot), polar, np.eye(3))
    np.testing.assert_allclose(y_dot[0], (A_dot - A_dot.T) / 2, atol=1e-14)
    np.testing.assert_allclose(y_dot[1], (A_dot + A_dot.T) / 2, atol=1e-14)


def test_low_rank():
    """There is no derivative, and it is not made up."""
    _, pullback = rrule(polar, np.diag([1.0, 0.0]))
    with pytest.raises(np.linalg.LinAlgError, match="has no derivative"):
        pullback((np.eye(2), np.eye(2)))


def test_constants():
    """Zeros stay zeros; either part may be one."""
    A, zero = normal(3, 3), ZeroTangent()
    assert frule((NoTangent(), zero), polar, A)[1] == zero
    (U, P), pullback = rrule(polar, A, "left")
    np.testing.assert_allclose(
        pullback((U, zero))[1] + pullback((zero, P))[1], pullback((U, P))[1], atol=1e-12
    )
    assert pullback((zero, zero))[1] == zero
    np.testing.assert_allclose(grad(lambda A: np.sum(polar(A)[1] ** 2))(A), 2 * A)
