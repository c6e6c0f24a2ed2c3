"""Rules of vectors and their codes."""

import numpy as np
from scipy.cluster import vq

from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule

rng = np.random.default_rng(7)
# Two groups of points, far from each other.
OBS = rng.normal(size=(6, 2)) + np.repeat([[0.0, 0.0], [8.0, 8.0]], 3, axis=0)
BOOK = np.array([[1.0, 0.5], [7.0, 8.5]])


def check(f, *args, **fkwargs):
    """Check both modes of a call."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs)


def test_whitened():
    """Each column is scaled; one that does not vary is left to SciPy."""
    check(vq.whiten, OBS)
    assert rrule(vq.whiten, np.ones((3, 2))) is None


def test_quantized():
    """Distances from the nearest code, of vectors and of numbers."""
    check(vq.vq, OBS, BOOK)
    check(vq.vq, OBS[:, 0], BOOK[:, 0])


def test_means():
    """The means of the points of each code, and the mean distance from them."""
    check(vq.kmeans, OBS, BOOK)
    check(vq.kmeans2, OBS, BOOK, minit="matrix")
    assert rrule(vq.kmeans, OBS, 2) is None
    assert rrule(vq.kmeans2, OBS, 2) is None


def test_stopped_early():
    """A search that stops before the means are those of the nearest points has no rule."""
    spread = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.1, 0.0], [9.0, 0.0]])
    guess = np.array([[0.0, 0.0], [1.0, 0.0]])
    assert rrule(vq.kmeans, spread, guess, 1, 1e9) is None
