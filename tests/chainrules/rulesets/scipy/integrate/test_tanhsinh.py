"""The rules of `scipy.integrate.tanhsinh`, against differences; `nsum` is followed into it."""

import numpy as np
import pytest
from scipy.integrate import nsum, tanhsinh

from chainrules.ad import ADConfig, grad, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError, frule, rrule
from chainrules_testutils import jvp as jvp_by_differences
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.program_checks import check_along

Q = np.array([1.0, 2.0, 3.0])


def integral(f, a, b, **named):
    """The sum of the integrals, with other weights."""
    found = tanhsinh(f, a, b, **named).integral
    return np.sum(found * np.linspace(1.0, 2.0, np.size(found)).reshape(np.shape(found)))


INTEGRALS = {
    "a number": lambda x: integral(lambda t: np.exp(-x[0] * t), 0.2 * x[1], 1.5 * x[0]),
    "a singular end": lambda x: integral(lambda t: t ** (x[0] - 1.0) * x[1], 0, x[0]),
    "the whole line": lambda x: integral(lambda t: np.exp(-x[0] * t**2 + x[1] * t), -np.inf, np.inf),
    "arguments": lambda x: integral(lambda t, q: np.exp(-x[0] * t * q), 0.0, x[1], args=(Q,)),
    "other limits": lambda x: integral(
        lambda t, q: np.exp(-x[0] * t * q), x / 9, [[x[1]], [3.0]], args=(2.0,)
    ),
    "complex": lambda x: np.abs(integral(lambda t, q: np.exp(1j * x[0] * t * q), 0.0, x[1], args=(Q,))),
    "a sum": lambda x: nsum(lambda k: k ** -(1.2 + x[0]) * x[1], 1, np.inf).sum,
    "empty": lambda x: integral(lambda t, q: np.exp(x[0] * t * q), x[1], Q[:0], args=(Q[:0],)) + x[0],
}


@pytest.mark.parametrize("name", INTEGRALS)
def test_both_modes_to_second_order(name):
    """By the limits, and by what the function holds."""
    check_along(INTEGRALS[name], np.array([0.7, 0.9]), np.array([0.4, -0.3]))
    record_exercised(tanhsinh, frule.find(ADConfig(), (None,) * 4, tanhsinh, np.sin, 0.0, 1.0))
    record_exercised(tanhsinh, rrule.find(ADConfig(), tanhsinh, np.sin, 0.0, 1.0))


def test_first_order_of_what_needs_many_places():
    """All kinds of intervals in one call, a peak, and logarithms of integrals."""

    def f(x):
        bells = integral(
            lambda t, q: np.exp(-x[0] * q * t**2),
            [x[1], -np.inf, np.inf, np.inf, 0.0],
            [np.inf, x[0], x[1], -np.inf, 1],
            args=(2.0,),
        )
        peak = integral(lambda t: x[1] / ((t - 0.7) ** 2 + 1e-4 * x[0]), 0.0, 1.0)
        return bells + peak + integral(lambda t: -x[0] * t**2 + x[1] * t, -x[1], np.inf, log=True)

    x, x_dot = np.array([0.7, 0.9]), np.array([0.4, -0.3])
    slope = jvp_by_differences(None, f, (x, x_dot))
    np.testing.assert_allclose([grad(f)(x) @ x_dot, jvp(f, (x,), (x_dot,))[1]], slope, rtol=1e-7)


def test_conditions():
    """A divergent integral, and functions whose arrays are no lists of integrals."""
    with pytest.raises(NoDerivativeError, match="did not converge, with the status -"):
        grad(lambda p: tanhsinh(lambda t: p / t, 0.0, 1.0).integral)(0.5)
    with pytest.raises(DerivativeNotImplementedError, match="write `quad_vec`"):
        grad(lambda p: np.sum(tanhsinh(lambda t: p * t, Q, 5.0, preserve_shape=True).integral))(0.5)


def test_estimate_of_the_error():
    """It is a constant."""
    assert grad(lambda p: tanhsinh(lambda t: p * t, 0.0, p).error)(0.5) == 0.0
