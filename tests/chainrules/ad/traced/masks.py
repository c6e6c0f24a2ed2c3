"""Masked arrays for tests, and what is checked of programs with them."""

import numpy as np

from chainrules.ad import jvp, value_and_grad
from chainrules_testutils import jacobian as jacobian_by_differences

X = np.array([0.7, -0.4, 1.3, 2.1])
MASK = np.array([False, True, False, False])
OTHER = np.ma.array([1.5, 2.5, 3.5, 4.5], mask=[0, 0, 0, 1])


def masked(x):
    """A new array, the second element of which is masked."""
    return np.ma.array(x * 1.0, mask=MASK.copy())


def check(f, x=X):
    """The value is the program's own, and both modes agree with differences."""
    y, gradient = value_and_grad(f)(x.copy())
    np.testing.assert_allclose(y, f(x.copy()))
    (expected,) = jacobian_by_differences(None, f, x)
    expected = np.reshape(expected, x.shape)
    np.testing.assert_allclose(gradient, expected, rtol=1e-7, atol=1e-9)
    x_dot = np.cos(np.arange(1.0, x.size + 1.0)).reshape(x.shape)
    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], np.sum(expected * x_dot), rtol=1e-7, atol=1e-8)
