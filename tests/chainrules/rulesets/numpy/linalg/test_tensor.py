"""The rules of `numpy.linalg.tensorsolve` and `tensorinv`, against finite differences."""

import numpy as np
import pytest

from chainrules_core import AbstractThunk, NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_kinds, check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular
from tests.chainrules.structured_checks import check_symmetric


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("shape", "options"), [((2, 3, 3, 2), ()), ((2, 3, 6), (2,)), ((6, 2, 3), (1,))])
def test_tensorinv(shape, options, dtype):
    """The axes are split in two, and both parts flattened."""
    n = int(np.prod(shape) ** 0.5)
    A = regular(n, n, dtype=dtype) if n else np.empty((0, 0), dtype)

    check_rule(np.linalg.tensorinv, A.reshape(shape), *options)


def test_tensorinv_by_keyword():
    """`ind` has a name."""
    check_rule(np.linalg.tensorinv, regular(4, 4).reshape(4, 2, 2), ind=1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("left", "right"), [((2, 3, 6), (2, 3)), ((4, 2, 2), (4,)), ((0, 0), (0,))])
def test_tensorsolve(left, right, dtype):
    """The axes that are not those of the right-hand side are summed over."""
    n = int(np.prod(right))
    A = regular(n, n, dtype=dtype) if n else np.empty((0, 0), dtype)

    check_rule(np.linalg.tensorsolve, A.reshape(left), normal(*right, dtype=dtype, seed=1))


@pytest.mark.parametrize(("shape", "axes"), [((2, 4, 2), (0, 2)), ((2, 2, 4), (1, 0)), ((2, 4, 2), (2, 0))])
def test_tensorsolve_with_axes(shape, axes):
    """Any axes may be summed over, in any order, which is that of the solution."""
    A, b = normal(*shape), normal(4, seed=1)

    check_rule(np.linalg.tensorsolve, A, b, axes)
    check_rule(np.linalg.tensorsolve, A, b, axes=list(axes))


def test_tensors_of_both_kinds():
    """Real ones have real cotangents, whatever the other operand is."""
    check_kinds(np.linalg.tensorinv, regular(4, 4).reshape(2, 2, 2, 2))
    check_kinds(np.linalg.tensorsolve, regular(4, 4).reshape(2, 2, 4), normal(2, 2))


def test_tensors_that_are_constant():
    """A zero tangent stays one; one operand may be constant."""
    zero, A, b = ZeroTangent(), regular(4, 4).reshape(2, 2, 4), normal(2, 2)

    assert frule((NoTangent(), zero, NoTangent()), np.linalg.tensorinv, A, 2)[1] == zero
    assert frule((NoTangent(), zero, zero), np.linalg.tensorsolve, A, b)[1] == zero
    _, by_b = frule((NoTangent(), zero, b), np.linalg.tensorsolve, A, b)
    np.testing.assert_allclose(np.tensordot(A, by_b, 1), b)
    _, by_A = frule((NoTangent(), A, zero), np.linalg.tensorsolve, A, b)
    np.testing.assert_allclose(np.tensordot(A, by_A, 1), -b)


def test_cotangent_of_the_tensor_is_computed_on_demand():
    """It is as large as the tensor, and a constant one is frequent."""
    _, pullback = rrule(np.linalg.tensorsolve, regular(4, 4).reshape(2, 2, 4), normal(2, 2))

    assert isinstance(pullback(normal(4))[1], AbstractThunk)


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.linalg.tensorinv, 1)
    check_symmetric(np.linalg.tensorsolve, normal(3))


def test_numpys_integers():
    """As a loop over `np.arange` gives them."""
    check_rule(np.linalg.tensorinv, regular(4, 4).reshape(4, 2, 2), np.int64(1))
