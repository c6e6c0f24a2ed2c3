"""Distances, against SciPy's."""

import numpy as np
import pytest
from scipy.spatial import distance

from chainrules.numerics import distances

rng = np.random.default_rng(2)
A = rng.uniform(size=(4, 3)) * rng.integers(0, 2, (4, 3))
B = rng.uniform(size=(5, 3)) * rng.integers(0, 2, (5, 3))
W = rng.uniform(0.5, 1.5, 3)
WITHOUT_WEIGHTS = ("jensenshannon", "mahalanobis", "seuclidean")
# SciPy 1.15 gives weighted values of `yule` the value zero.
METRICS = [name for name in distances.BY_NAME | distances.OF_TRUTH_VALUES if hasattr(distance, name)]


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning", "ignore:divide by zero:RuntimeWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of metrics that later versions do not have
def test_tables():
    """The distances of all pairs are those of SciPy, with weights too, of zeros and of truth values."""
    for name in METRICS:
        of_numbers = (A + 0.1, B + 0.1) if name == "jensenshannon" else (A, B)
        for points in (of_numbers, (A > 0.3, B > 0.0)):
            for options in ({},) if name in {*WITHOUT_WEIGHTS, "yule"} else ({}, {"w": W}):
                if name in WITHOUT_WEIGHTS and points[0].dtype == bool:
                    continue
                expected = distance.cdist(*points, name, **options)
                np.testing.assert_allclose(distances.between(*points, name, **options), expected, atol=1e-12)
                expected = distance.pdist(points[0], name, **options)
                np.testing.assert_allclose(distances.among(points[0], name, **options), expected, atol=1e-12)


@pytest.mark.every_case
@pytest.mark.parametrize("p", [1, 2, 3.0, np.inf])
def test_orders(p):
    """Distances of Minkowski, and their powers, with weights of ones too."""
    u, v = A[0], B[0]
    y = distances.minkowski(u, v, p)
    np.testing.assert_allclose(y, distance.minkowski(u, v, p))
    np.testing.assert_allclose(distances.minkowski(u, v, p, np.ones(3)), y)
    np.testing.assert_allclose(distances.minkowski_powers(u, v, p), y if p == np.inf else y**p)


def test_options():
    """A base of logarithms, an uncentred correlation, and a metric that later versions do not have."""
    assert distances.kulczynski1(np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0])) == 0.5
    u, v = A[0] + 0.1, B[0] + 0.1
    expected = distance.jensenshannon(u, v, 2.0)
    np.testing.assert_allclose(distances.jensenshannon(u, v, 2.0), expected)
    np.testing.assert_allclose(distances.correlation(u, v, centered=False), distance.cosine(u, v))


def test_names():
    """A metric is known by its short names, and as a function of SciPy; not by a function of that name."""
    assert distances.name_of("E") == "euclidean"
    assert distances.name_of(distance.cosine) == "cosine"
    assert distances.name_of(distances.cosine) is None
    assert distances.name_of(abs) is None
    assert distances.name_of("sqrt") is None
