"""Checks of programs that make objects of traced values, as a user of `chainrules.ad` writes them."""

import numpy as np

from chainrules.ad import ADConfig, grad, hessian, jvp
from chainrules_core import frule_via_ad, rrule_via_ad
from chainrules_testutils import jvp as jvp_by_differences
from chainrules_testutils import test_frule, test_rrule


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
    slope = jvp_by_differences(None, f, (x, x_dot))
    np.testing.assert_allclose(grad(f)(x) @ x_dot, slope, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], slope, rtol=1e-8, atol=1e-9)
    bend = jvp_by_differences(None, grad(f), (x, x_dot))
    np.testing.assert_allclose(hessian(f)(x) @ x_dot, bend, rtol=1e-7, atol=1e-8)
