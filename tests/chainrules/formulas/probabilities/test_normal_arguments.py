"""How the arguments of a normal distribution of vectors are read."""

import numpy as np
from scipy import stats

from chainrules.formulas.probabilities.normal_arguments import is_left_to_scipy, read_arguments, read_matrix
from chainrules_core import NoTangent

NORMAL = stats.multivariate_normal


def test_shapes():
    """Points become rows of distances from the mean; results have SciPy's shape."""
    x, mean = np.arange(12.0).reshape(2, 1, 2, 3), np.array([1.0, 0.0, 0.0])
    matrix, points = read_arguments(NORMAL, x, mean, np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(points.rows, (x - mean).reshape(4, 3))
    assert points.result(np.zeros(4)).shape == NORMAL.logpdf(x, mean).shape
    bars = [bar.__unthunk__() for bar in points.pull(np.ones((4, 3)))]
    np.testing.assert_array_equal(bars[0], np.ones_like(x))
    np.testing.assert_array_equal(bars[1], [-4.0, -4.0, -4.0])
    np.testing.assert_array_equal(points.moved(NoTangent(), mean), np.tile(-mean, (4, 1)))
    np.testing.assert_array_equal(matrix.elements, np.diag([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(matrix.pull(np.ones((3, 3))), np.ones(3))


def test_matrices():
    """A number is that of each coordinate; other covariances, and complex numbers, are left alone."""
    matrix = read_matrix(NORMAL, np.zeros(2), 1.5)
    np.testing.assert_array_equal(matrix.moved(2.0), 2.0 * np.eye(2))
    assert matrix.pull(np.ones((2, 2))) == 2.0
    assert not is_left_to_scipy(NORMAL, (np.zeros(2),), {})
    assert is_left_to_scipy(NORMAL, (np.zeros(2) + 1j,), {})
    assert is_left_to_scipy(NORMAL, (), {"cov": stats.Covariance.from_diagonal([1.0, 2.0])})
