"""The rules of `isotonic_regression`."""

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from chainrules.ad import grad, hessian, jvp
from chainrules_core import frule, rrule
from chainrules_testutils.testers.exercised import record_exercised

Y = np.array([1.0, 3.0, 2.0, 4.0, 6.0, 4.5])


@pytest.mark.parametrize("options", [{}, {"weights": np.arange(1.0, 7.0)}, {"increasing": False}])
@pytest.mark.parametrize("y", [Y, -Y, Y.astype(np.float32), Y[:1]])
def test_blocks_have_their_means(y, options):
    """It is linear where the blocks stay; a precision is kept."""
    options = {key: x[: len(y)] if key == "weights" else x for key, x in options.items()}
    weights = np.cos(np.arange(len(y)))

    def f(y):
        return np.sum(weights * isotonic_regression(y, **options).x)

    expected = [(f(y + h) - f(y - h)) / 0.02 for h in 0.01 * np.eye(len(y))]
    np.testing.assert_allclose(grad(f)(y), expected, atol=1e-5 if y.dtype == np.float32 else 1e-12)
    assert grad(f)(y).dtype == y.dtype
    np.testing.assert_allclose(jvp(f, (y,), (y,))[1], grad(f)(y) @ y, rtol=1e-6)
    record_exercised(isotonic_regression, frule.find((None, None), isotonic_regression, y))
    record_exercised(isotonic_regression, rrule.find(isotonic_regression, y))


def test_lists_and_second_order():
    """The sum of the squares has a constant Hessian."""
    np.testing.assert_allclose(
        hessian(lambda y: np.sum(isotonic_regression([*y]).x ** 2))(Y[:3]),
        [[2.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]],
        atol=1e-15,
    )


def test_what_has_no_derivative():
    """The sizes of the blocks are constant."""
    np.testing.assert_array_equal(grad(lambda y: np.sum(isotonic_regression(y).weights * 1.0))(Y), 0.0)
