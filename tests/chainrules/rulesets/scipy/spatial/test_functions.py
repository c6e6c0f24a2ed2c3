"""Rules of the distances of Minkowski."""

import numpy as np
import pytest
from scipy.spatial import distance_matrix, minkowski_distance, minkowski_distance_p

from chainrules.ad import hessian
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule

# Since SciPy 1.18 these are deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

rng = np.random.default_rng(6)
# Points of which no coordinates are near.
X, Y = rng.uniform(0.0, 1.0, (3, 2)), rng.uniform(2.0, 3.0, (2, 2))


@pytest.mark.parametrize("f", [minkowski_distance, minkowski_distance_p])
@pytest.mark.parametrize("p", [1, 2, 2.0, 2.5, np.inf])
def test_points_that_broadcast(f, p):
    """Both modes, by the order too."""
    test_frule(f, X[:, np.newaxis], Y, p)
    test_rrule(f, X[:, np.newaxis], Y, p)
    assert rrule(minkowski_distance, X, X, 2)[1](np.ones(3))[1].shape == X.shape


def test_all_pairs():
    """The matrix of distances, of points of single precision too."""
    test_frule(distance_matrix, X, Y)
    test_rrule(distance_matrix, X, Y)
    test_rrule(distance_matrix, X, Y, 3.0)
    # Differences of a function of single precision have no more digits.
    test_rrule(distance_matrix, X.astype(np.float32), Y, rtol=1e-3, atol=1e-3)


def test_curvature_in_zeros():
    """A square is curved where coordinates are equal."""
    y = np.array([X[0, 0], 2.0])
    curvature = hessian(lambda x: minkowski_distance_p(x, y, 2.0))(X[0])
    np.testing.assert_allclose(curvature, 2.0 * np.eye(2), atol=1e-12)
