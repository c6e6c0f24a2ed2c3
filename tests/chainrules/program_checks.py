"""Checks of programs that make objects of traced values, as a user of `chainrules.ad` writes them."""

import numpy as np

from chainrules.ad import ADConfig, grad, hessian, jvp, value_and_grad
from chainrules_core import frule_via_ad, rrule_via_ad
from chainrules_testutils import jvp as jvp_by_differences
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import assert_by_differences


def check_program(f, *args, order=2):
    """Compare the derivatives of a program in both modes, and those of its gradient, with differences."""
    test_frule(f, *args, frule_f=frule_via_ad, config=ADConfig())
    test_rrule(f, *args, rrule_f=rrule_via_ad, config=ADConfig(), order=order)


def check_via_ad(f, *args, **fkwargs):
    """Check the rules of a function that call back into AD, with that of `chainrules.ad`."""
    test_frule(f, *args, fkwargs=fkwargs, config=ADConfig())
    test_rrule(f, *args, fkwargs=fkwargs, config=ADConfig())


def check_along(f, x, x_dot):
    """Compare gradient, tangent and Hessian along a direction with differences of values and of gradients."""
    slopes = np.array([grad(f)(x) @ x_dot, jvp(f, (x,), (x_dot,))[1]])
    assert_by_differences(slopes, lambda by: jvp_by_differences(by, f, (x, x_dot)), rtol=1e-8, atol=1e-9)
    bend = hessian(f)(x) @ x_dot
    assert_by_differences(bend, lambda by: jvp_by_differences(by, grad(f), (x, x_dot)), rtol=1e-7, atol=1e-8)


def check_as_exact(estimate, exact, x, *, value, first=1e-10, second=1e-9, atol=0.0):
    """Compare an estimate with the exact value, and so their derivatives, in both modes and to second order.

    Parameters
    ----------
    estimate, exact, x
        The programs, and their argument.
    value, first, second
        The relative tolerances of the values, and of the derivatives of each order.
    atol
        The absolute tolerance of values and first derivatives.
    """
    weights = np.random.default_rng(0).normal(size=np.shape(exact(x)))

    def f(x):
        return np.sum(weights * estimate(x))

    def g(x):
        return np.sum(weights * exact(x))

    np.testing.assert_allclose(f(x), g(x), rtol=value, atol=atol)
    np.testing.assert_allclose(grad(f)(x), grad(g)(x), rtol=first, atol=atol)
    np.testing.assert_allclose(jvp(f, (x,), (x,))[1], grad(g)(x) @ x, rtol=first, atol=atol)
    np.testing.assert_allclose(hessian(f)(x), hessian(g)(x), rtol=second, atol=1e-12)


def check_slope(f, *args, rtol=1e-6):
    """Compare value, gradient and tangent along a direction of all arguments with a difference."""

    def weighted(*args):
        y = f(*args)
        return np.sum(np.cos(np.arange(np.size(y)).reshape(np.shape(y))) * y)

    x_dots = tuple(np.cos(3.0 + np.arange(x.size)).reshape(x.shape) for x in args)
    value, gradients = value_and_grad(weighted, argnums=tuple(range(len(args))))(*args)
    np.testing.assert_allclose(value, weighted(*args), rtol=1e-9, atol=1e-12)
    h = 1e-5
    ends = [
        weighted(*(x + k * h * x_dot for x, x_dot in zip(args, x_dots, strict=True))) for k in (-2, -1, 1, 2)
    ]
    slope = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * h)
    scale = max(1.0, abs(slope))
    pulled = sum(np.sum(x_bar * x_dot) for x_bar, x_dot in zip(gradients, x_dots, strict=True))
    np.testing.assert_allclose([pulled, jvp(weighted, args, x_dots)[1]], slope, rtol=rtol, atol=rtol * scale)
