"""Masked arrays for tests, and what is checked of programs with them."""

import numpy as np

from chainrules.ad import jvp, value_and_grad
from chainrules_testutils import jvp as jvp_by_differences

X = np.array([0.7, -0.4, 1.3, 2.1])
MASK = np.array([False, True, False, False])
OTHER = np.ma.array([1.5, 2.5, 3.5, 4.5], mask=[0, 0, 0, 1])


def masked(x):
    """A new array, the second element of which is masked."""
    return np.ma.array(x * 1.0, mask=MASK.copy())


def check(f, x=X):
    """The value is the program's own, and both modes agree with a difference in one direction."""
    x_dot = np.cos(np.arange(1.0, x.size + 1.0)).reshape(x.shape)
    y, gradient = value_and_grad(f)(x.copy())
    np.testing.assert_allclose(y, f(x.copy()))
    expected = jvp_by_differences(None, f, (x, x_dot))
    np.testing.assert_allclose(np.sum(gradient * x_dot), expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], expected, rtol=1e-8, atol=1e-9)


def check_all(f):
    """The same for all elements of the result."""

    def weighted(x):
        y = f(x)
        return np.sum(y * np.cos(np.arange(float(np.size(y)))).reshape(np.shape(y)))

    check(weighted)
