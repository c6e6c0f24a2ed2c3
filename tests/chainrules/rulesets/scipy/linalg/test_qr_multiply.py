"""The rules of `scipy.linalg.qr_multiply`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import qr_multiply

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("conjugate", [False, True])
@pytest.mark.parametrize("mode", ["left", "right"])
@pytest.mark.parametrize("shape", [(4, 2), (2, 3)])
def test_qr_multiply(shape, mode, conjugate, dtype):
    """From the left and from the right, of a matrix and of a vector."""
    A, rows = normal(*shape, dtype=dtype), shape[0]
    factors = [(min(shape), 3), (min(shape),)] if mode == "left" else [(3, rows), (rows,)]
    for factor in factors:
        C = normal(*factor, dtype=dtype, seed=1)
        for pivoting in (False, True):
            test_frule(qr_multiply, A, C, mode, pivoting, conjugate)
            test_rrule(qr_multiply, A, C, mode, pivoting, conjugate)
        check_results(qr_multiply, A, C, mode=mode, conjugate=conjugate)


@stacks
def test_stacks():
    """Stacks broadcast."""
    test_frule(qr_multiply, normal(2, 3, 2), normal(2, 3, seed=1))
    test_rrule(qr_multiply, normal(2, 3, 2), normal(2, 3, seed=1))


def test_refusals():
    """The complete ``Q``, and modes that SciPy does not know."""
    A, C = normal(3, 2), normal(3, 2)
    with pytest.raises(ValueError, match="Write overwrite_c=False"):
        rrule(qr_multiply, A, C, "left", overwrite_c=True)
    with pytest.raises(ValueError, match="the mode is 'above'"):
        rrule(qr_multiply, A, C, "above")


def test_constants():
    """One operand may be constant, or both."""
    A, C, zero = normal(3, 2), normal(2), ZeroTangent()
    _, y_dot = frule((NoTangent(), zero, C), qr_multiply, A, C, mode="left")
    np.testing.assert_allclose(y_dot[0], qr_multiply(A, C, "left")[0], atol=1e-14)
    _, pullback = rrule(qr_multiply, A, C, "left")
    assert pullback((zero, zero))[1:] == (zero, zero, NoTangent())
    gradient = grad(lambda C: np.sum(qr_multiply(A, C, "left")[0]))(C)
    np.testing.assert_allclose(gradient, np.sum(np.linalg.qr(A)[0], axis=0))


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real beside a complex matrix; SciPy does not take the reverse."""
    check_results(qr_multiply, normal(3, 3, dtype=complex), normal(3, 3, seed=1), mode="left")


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(qr_multiply, normal(3, 3), normal(3, 3, seed=1))
