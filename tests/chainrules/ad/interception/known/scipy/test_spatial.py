"""Distances of all pairs by metrics of the user, and by parameters that have derivatives."""

import numpy as np
import pytest
from scipy import spatial
from scipy.spatial import distance

from chainrules.ad import grad, hessian
from chainrules_core import RuleNotFoundError
from chainrules_testutils import grad as by_differences

rng = np.random.default_rng(9)
A, B, W = rng.uniform(0.5, 1.5, (3, 2)), rng.uniform(0.5, 1.5, (2, 2)), np.array([0.7, 1.2])
C = rng.normal(size=(3, 2))


def metric(u, v, scale=1.0):
    """A metric of a user."""
    return scale * np.sum(np.sin(u - v) ** 2)


@pytest.mark.parametrize(
    "f",
    [
        lambda a: distance.cdist(a, B, metric),
        lambda a: distance.cdist(a, B, metric=metric, scale=2.0),
        lambda a: distance.cdist(A, B, lambda u, v: metric(u, v) * a[0, 0]),
        lambda a: distance.cdist(A, B, metric, scale=a[0, 1]),
        lambda a: distance.cdist(a, B, distance.minkowski, p=3),
        lambda a: distance.cdist(a, B, "cosine", w=a[0]),
        lambda a: distance.cdist(a, B, "test_minkowski", p=3),  # SciPy's code in Python of this metric
        lambda a: distance.cdist(A, B, "minkowski", p=a[0, 0] + 2.0),
        lambda a: distance.cdist(A, B, metric="seuclidean", V=a[0]),
        lambda a: distance.cdist(A, a[:2] + B, "mahalanobis", VI=np.outer(a[0], a[0]) + np.eye(2)),
        lambda a: distance.squareform(distance.pdist(a, metric))[:, :2],
        lambda a: distance.squareform(distance.pdist(a, "cityblock", w=a[0]))[:, :2],
        lambda a: distance.squareform(distance.pdist(A, "dice", w=a[0]))[:, :2],
        lambda a: distance.cdist(A, B, "hamming", w=a[0]),
    ],
)
def test_derivatives(f):
    """Right ones, as finite differences say."""
    total = lambda a: np.sum(C * f(a))  # noqa: E731 - it is said in a word
    np.testing.assert_allclose(grad(total)(A), by_differences(None, total, A)[0], rtol=1e-8, atol=1e-8)


def test_second_order():
    """A metric of the user is differentiated twice."""
    curvature = hessian(lambda u: np.sum(distance.cdist([u], [B[0]], metric)))(A[0])
    np.testing.assert_allclose(curvature, np.diag(2.0 * np.cos(2.0 * (A[0] - B[0]))))
    curvature = hessian(lambda u: np.sum(distance.pdist(np.stack([u, B[0]]), metric)))(A[0])
    np.testing.assert_allclose(curvature, np.diag(2.0 * np.cos(2.0 * (A[0] - B[0]))))


def test_errors():
    """An unknown metric is SciPy's error, and a plain array takes no traced distances."""
    with pytest.raises(ValueError, match="Unknown Distance Metric: nearness"):
        grad(lambda a: np.sum(distance.cdist(a, B, "nearness")))(A)
    out = np.zeros((3, 2))
    with pytest.raises(TypeError, match="cdist"):
        grad(lambda a: np.sum(distance.cdist(a, B, out=np.asfortranarray(out))))(A)


def test_array_for_the_result():
    """An array that the program has made is filled."""

    def f(a):
        out = np.zeros((3, 2))
        distance.cdist(a, B, out=out)
        return np.sum(C * out)

    expected = grad(lambda a: np.sum(C * distance.cdist(a, B)))(A)
    np.testing.assert_allclose(grad(f)(A), expected)


@pytest.mark.parametrize("kind", [spatial.KDTree, spatial.cKDTree])
def test_sparse_tables_of_trees(kind):
    """They have no rule, and the error says what to write."""
    with pytest.raises(
        RuleNotFoundError, match=r"Its sparse table has no rule: write `scipy\.spatial\.distance\.cdist`"
    ):
        grad(lambda a: kind(a).sparse_distance_matrix(kind(B), 2.0).sum())(A)
