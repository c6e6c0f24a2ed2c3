"""Programs that write into arrays, differentiated, beside the same programs run by NumPy."""

import numpy as np

from chainrules.ad import grad, hessian, jacobian, jvp, value_and_grad
from chainrules.ad.writing.fillable import fillable
from chainrules_testutils import grad as grad_by_differences

X = np.array([0.3, -0.7, 1.1])


def check_program(f, x=X):
    """Check a function of an array, and of a function that is called for each plain array it makes.

    The value is that of the plain program, and both modes agree with finite differences of it. Second
    derivatives in both orders of modes agree with differences of the gradient.
    """

    def plain(x):
        return f(x.copy(), lambda y: y)

    def traced(x):
        return f(x, fillable)

    before = x.copy()
    value, gradient = value_and_grad(traced)(x)
    by_differences = grad_by_differences(None, plain, x)[0]

    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(value, plain(x), rtol=1e-12)
    np.testing.assert_allclose(gradient, by_differences, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(jvp(traced, (x,), (x,))[1], np.sum(gradient * x), rtol=1e-10, atol=1e-10)
    second = hessian(traced)(x)
    for other in (jacobian(grad(traced), mode="forward")(x), jacobian(jacobian(traced, mode="forward"))(x)):
        np.testing.assert_allclose(other, second, rtol=1e-9, atol=1e-9)
    direction = np.array([0.4, -0.2, 0.9])[: x.size]
    step = 1e-5 * direction
    change = (grad(traced)(x + step) - grad(traced)(x - step)) / 2e-5
    np.testing.assert_allclose(second @ direction, change, rtol=1e-5, atol=1e-6)
