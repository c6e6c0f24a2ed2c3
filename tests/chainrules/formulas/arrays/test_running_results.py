"""The derivatives of running results of functions of two numbers."""

import numpy as np
import pytest

from chainrules.formulas.arrays.running_results import pull_running, push_running
from tests.chainrules.rule_checks import normal, positive


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("f", [np.multiply, np.divide, np.hypot])
def test_modes_are_transposed(f, axis):
    """What the tangent pushes forwards, the cotangent pulls back."""
    x, x_dot, y_bar = positive(3, 4), normal(3, 4), normal(3, 4, seed=1)
    y = f.accumulate(x, axis=axis)

    y_dot, x_bar = push_running(f, x, x_dot, y, axis), pull_running(f, x, y, y_bar, axis)
    np.testing.assert_allclose(np.sum(y_dot * y_bar), np.sum(x_dot * x_bar))


def test_derivative_of_running_products():
    """Each product's derivative by each factor, a zero among them."""
    x = np.array([2.0, 0.0, 3.0])

    y_dot = push_running(np.multiply, x, np.array([0.0, 1.0, 0.0]), np.cumprod(x), 0)
    assert y_dot.tolist() == [0.0, 2.0, 6.0]


def test_complex_cotangents():
    """They are those of the adjoint: of the conjugate partial derivatives."""
    x, y_bar = positive(3, dtype=complex), normal(3, dtype=complex, seed=1)
    x_dot = normal(3, dtype=complex, seed=2)
    y = np.cumprod(x)

    pushed, pulled = push_running(np.multiply, x, x_dot, y, 0), pull_running(np.multiply, x, y, y_bar, 0)
    np.testing.assert_allclose(np.vdot(y_bar, pushed).real, np.vdot(pulled, x_dot).real)
