"""The derivatives of the pseudo-inverse."""

import numpy as np
import pytest

from chainrules.formulas.equations.pseudo_inverses import constant_in, pull_pinv, push_pinv
from chainrules_core import NoTangent, ZeroTangent
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (3, 3)])
def test_difference_and_adjoint(shape, dtype):
    """The tangent is that of differences, and the cotangent is adjoint to it."""
    A, A_dot = normal(*shape, dtype=dtype), normal(*shape, dtype=dtype, seed=1)
    Y, h = np.linalg.pinv(A), 1e-6
    Y_dot = push_pinv(Y, A, A_dot)
    expected = (np.linalg.pinv(A + h * A_dot) - np.linalg.pinv(A - h * A_dot)) / (2 * h)
    np.testing.assert_allclose(Y_dot, expected, atol=1e-6)
    Y_bar = normal(*shape[::-1], dtype=dtype, seed=2)
    np.testing.assert_allclose(np.vdot(pull_pinv(Y, A, Y_bar), A_dot).real, np.vdot(Y_bar, Y_dot).real)


def test_options():
    """A bound for the rank is a number, between jumps; a switch is none."""
    assert constant_in(1e-9) == ZeroTangent()
    assert constant_in(None) == constant_in(True) == NoTangent()
