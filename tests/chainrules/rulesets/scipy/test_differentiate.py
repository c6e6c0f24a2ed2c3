"""The rules of `scipy.differentiate`: against derivatives of what the results stand for."""

import numpy as np
import pytest
from scipy.differentiate import derivative, hessian, jacobian

from chainrules.ad import ADConfig, grad
from chainrules_core import DerivativeNotImplementedError, frule, rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.program_checks import check_as_exact

P = np.array([0.4, 0.7])


def curve(t, p):
    """Three functions of two numbers."""
    return np.stack([t[0] * np.exp(p[1] * t[1]), t[1] * p[0], t[0] ** 3])


CASES = {
    "derivative": (
        lambda p: derivative(lambda t: np.sin(p[0] * t) * t, p).df,
        lambda p: np.sin(p[0] * p) + p * p[0] * np.cos(p[0] * p),
    ),
    "args": (
        lambda p: derivative(lambda t, a: np.sin(a * t), p, args=(2.0,)).df,
        lambda p: 2 * np.cos(2 * p),
    ),
    "x": (lambda p: derivative(np.sin, p).x, lambda p: p),
    "number": (lambda p: derivative(lambda t: t**2 * p[0], 2.0).df, lambda p: 4.0 * p[0]),
    "jacobian": (
        lambda p: jacobian(lambda t: curve(t, p), p).df,
        lambda p: np.stack(
            [
                np.stack([np.exp(p[1] ** 2), p[0] * p[1] * np.exp(p[1] ** 2)]),
                np.stack([p[0] * 0.0, p[0]]),
                np.stack([3 * p[0] ** 2, p[0] * 0.0]),
            ]
        ),
    ),
    "points": (
        lambda p: jacobian(lambda t: t[:1] * t[1:] ** 2, np.outer(p, [1.0, 2.0])).df,
        lambda p: np.stack([[4.0 * p[1] ** 2, p[1] ** 2][::-1], [2 * p[0] * p[1], 8 * p[0] * p[1]]])[None],
    ),
    "hessian": (
        lambda p: hessian(lambda t: t[0] ** 2 * p[1] * t[1], p).ddf,
        lambda p: np.stack(
            [np.stack([2 * p[1] ** 2, 2 * p[0] * p[1]]), np.stack([2 * p[0] * p[1], p[0] * 0])]
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_estimates_have_exact_derivatives(name):
    """By the point and by what the function holds, and to second order."""
    check_as_exact(*CASES[name], P, value=1e-9)
    for function in (derivative, jacobian, hessian):
        record_exercised(function, frule.find(ADConfig(), (None,) * 3, function, np.sin, P))
        record_exercised(function, rrule.find(ADConfig(), function, np.sin, P))


def test_what_is_not_implemented():
    """The estimate of the error, and functions that keep the shape of a point."""
    with pytest.raises(DerivativeNotImplementedError, match="the field `error`"):
        grad(lambda p: np.sum(derivative(np.sin, p).error))(P)
    with pytest.raises(DerivativeNotImplementedError, match="`preserve_shape`"):
        grad(lambda p: np.sum(derivative(lambda t: [t, t * p[0]], 1.0, preserve_shape=True).df))(P)
