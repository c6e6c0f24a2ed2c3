"""Derivatives of functions that rules were given."""

import numpy as np

from chainrules.ad import ADConfig
from chainrules.formulas.calls.derivatives_by_directions import (
    derivative_along,
    hessian_of,
    jacobian_of,
    unit,
)


def test_a_derivative():
    """In a direction that the point says; of a constant it is zero."""
    along = derivative_along(ADConfig(), np.ones_like)
    np.testing.assert_allclose(along(np.arange(3.0), lambda x, a: a * x**2, 2.0), [0.0, 4.0, 8.0])
    np.testing.assert_array_equal(along(np.arange(3.0), lambda x: np.ones(2)), [0.0, 0.0])


def test_matrices_of_derivatives():
    """Axes of several points stand last."""
    points = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    np.testing.assert_array_equal(unit(points, 1), [[0.0] * 3, [1.0] * 3])
    J = jacobian_of(ADConfig(), 2)(points, lambda x: np.stack([x[0] * x[1], x[0], x[1]]))
    assert J.shape == (3, 2, 3)
    np.testing.assert_allclose(J[0], points[::-1])
    H = hessian_of(ADConfig(), 2)(points, lambda x: x[0] * x[1] ** 2)
    assert H.shape == (2, 2, 3)
    np.testing.assert_allclose(H[0, 1], 2.0 * points[1])
