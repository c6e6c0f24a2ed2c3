"""Arrays that are written into between a call and its pullback."""

import numpy as np
import pytest

from chainrules.ad import grad, interception, vjp
from chainrules.ad.watching.mutation import MutatedInputError
from chainrules_core import debugging


def scaled_then_cleared(weights):
    """A program that writes into a constant which the rule of the product keeps."""

    def f(x):
        y = x * weights
        weights[:] = 0
        return np.sum(y)

    return f


def test_writing_into_a_constant_is_told_in_debug_mode():
    """The gradient would be that of other weights; the error names the function and the argument."""
    with (
        debugging(),
        interception(False),
        pytest.raises(MutatedInputError, match=r"Argument 2 of _?operator.mul was written into"),
    ):
        grad(scaled_then_cleared(np.ones(2)))(np.ones(2))


def test_writing_into_the_argument_is_told_in_debug_mode():
    """Writing into the array that the caller differentiates by is an error too."""
    x = np.ones(2)

    def f(traced):
        y = traced * traced
        x[0] = 5.0
        return np.sum(y)

    with debugging(), interception(False), pytest.raises(MutatedInputError, match="Argument 1"):
        grad(f)(x)


def test_programs_that_write_nowhere_pass():
    """The gradient is the same; an array that holds a NaN has not changed by that."""
    weights = np.array([2.0, np.nan])

    def f(x):
        return np.sum((x * weights)[:1])

    with debugging():
        assert grad(f)(np.ones(2))[0] == 2.0


def test_arguments_may_be_written_into_before_the_pullback():
    """An optimiser that updates parameters in place does; the pullback is that of the call."""
    x, parameters = np.array([1.0, 2.0]), {"weights": [np.array([3.0, 4.0])]}

    _, pullback = vjp(lambda x, p: np.sum(x**2 * p["weights"][0]), x, parameters)
    x[:], parameters["weights"][0][:] = 100.0, 50.0
    x_bar, p_bar = pullback(1.0)

    np.testing.assert_array_equal(x_bar, [6.0, 16.0])
    np.testing.assert_array_equal(p_bar["weights"][0], [1.0, 4.0])
