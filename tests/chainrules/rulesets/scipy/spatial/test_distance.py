"""Rules of distances of vectors and of all pairs of points."""

import numpy as np
import pytest
from scipy.spatial import distance

from chainrules.ad import grad, hessian
from chainrules.ad import jacobian as jacobian_by_rules
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import jacobian, test_frule, test_rrule

rng = np.random.default_rng(3)
# Positive numbers, none of which are near 0 or equal.
U, V, W = np.array([0.5, 1.3, 0.8]), np.array([1.1, 0.4, 0.3]), np.array([0.7, 1.2, 0.9])
XA, XB = rng.uniform(0.5, 1.5, (3, 2)), rng.uniform(0.5, 1.5, (2, 2))
INVERSE = np.array([[1.0, 0.2, 0.1], [0.3, 2.0, 0.0], [0.0, 0.4, 3.0]])
WEIGHTED = ("braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "dice", "euclidean")
OF_TRUTH = ("rogerstanimoto", "russellrao", "sokalsneath", "yule", "hamming", "jaccard")


def check(f, *args, order=2, **fkwargs):
    """Check both modes of a call, and the derivatives of the pullback."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs, order=order)


@pytest.mark.parametrize("name", [*WEIGHTED, "sqeuclidean", *OF_TRUTH])
def test_vectors(name):
    """Distances of two vectors have right rules, with weights too."""
    f = getattr(distance, name)
    test_frule(f, U, V)
    test_rrule(f, U, V)
    check(f, U, V, W)


@pytest.mark.parametrize(
    ("f", "args", "named"),
    [
        (distance.minkowski, (U, V, 2.5), {}),
        (distance.minkowski, (U, V, 2.5, W), {}),
        (distance.minkowski, (U, V, 2.0, W), {}),
        (distance.minkowski, (U, V, np.inf, W), {}),
        (distance.minkowski, (U, V), {"w": W}),
        (distance.minkowski, (U, V), {"p": 1}),
        (distance.correlation, (U, V), {"centered": False}),
        (distance.correlation, (U, V, W), {"centered": False}),
        (distance.seuclidean, (U, V, W), {}),
        (distance.mahalanobis, (U, V, INVERSE), {}),
        (distance.jensenshannon, (U, V), {}),
        (distance.jensenshannon, (U, V, 2.0), {}),
        (distance.jensenshannon, (np.stack([U, V]), np.stack([V, W])), {"axis": 1, "keepdims": True}),
    ],
)
def test_parameters(f, args, named):
    """Distances with parameters have right rules, by those too."""
    check(f, *args, **named)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "args"),
    [
        (distance.correlation, ()),
        (distance.seuclidean, (W,)),
        (distance.jensenshannon, ()),
        (distance.cosine, (W,)),
        (distance.minkowski, (3.0,)),
    ],
)
def test_each_reading(f, args):
    """The tangent of a distance that does not change is zero, where both vectors grow."""
    _, y_dot = frule((None, U, U, *(NoTangent() for _ in args)), f, U, U, *args)
    np.testing.assert_allclose(y_dot, 0.0, atol=1e-12)


def test_float32():
    """Numbers of single precision keep it where SciPy does."""
    # Differences of functions of single precision have no more digits.
    u, v = U.astype(np.float32), V.astype(np.float32)
    for name in ("euclidean", "cosine", "canberra", "dice"):
        test_frule(getattr(distance, name), u, v, rtol=1e-3, atol=1e-3)
        test_rrule(getattr(distance, name), u, v, rtol=1e-3, atol=1e-3)
    test_rrule(distance.cdist, XA.astype(np.float32), XB, rtol=1e-3, atol=1e-3)


METRICS = [
    *((name, {}) for name in (*WEIGHTED, "sqeuclidean", "jensenshannon", "seuclidean", "mahalanobis")),
    *((name, {"w": W[:2]}) for name in ("cityblock", "cosine", "dice")),
    *((name, {}) for name in OF_TRUTH),
    ("minkowski", {"p": 3}),
    ("seuclidean", {"V": W[:2]}),
    ("mahalanobis", {"VI": INVERSE[:2, :2]}),
    ("E", {}),
    (distance.cityblock, {}),
]


@pytest.mark.parametrize(("metric", "named"), METRICS)
def test_tables(metric, named):
    """The distances of all pairs have right rules for every metric of SciPy."""
    check(distance.cdist, XA, XB, metric, order=1, **named)
    check(distance.pdist, XA, metric, order=1, **named)


def test_second_order_of_tables():
    """The pullbacks are differentiated in their turn."""
    check(distance.cdist, XA, XB)
    check(distance.pdist, XA, "cosine")


@pytest.mark.parametrize("shape", [(0, 2), (1, 2)])
def test_few_points(shape):
    """A table may be empty."""
    check(distance.cdist, np.ones(shape), XB, order=1)
    check(distance.pdist, np.ones(shape), order=1)


def test_calls_left_to_others():
    """A metric of the user, an array for the result, and an unknown metric have no rule."""
    assert rrule(distance.cdist, XA, XB, lambda u, v: u @ v) is None
    assert rrule(distance.cdist, XA, XB, out=np.empty((3, 2))) is None
    assert rrule(distance.pdist, XA, out=np.empty(3)) is None
    assert rrule(distance.mahalanobis, U[:1], V[:1], np.ones(1)) is None


def test_kinks():
    """In a kink zero is taken, and equal differences share the largest."""
    np.testing.assert_array_equal(grad(distance.euclidean)(U, U), 0.0)
    np.testing.assert_array_equal(grad(lambda u: distance.euclidean(u, U, W))(U), 0.0)
    np.testing.assert_array_equal(grad(distance.cityblock)(np.zeros(2), np.array([0.0, 1.0])), [0.0, -1.0])
    np.testing.assert_array_equal(grad(distance.chebyshev)(np.ones(2), np.zeros(2)), [0.5, 0.5])
    np.testing.assert_array_equal(grad(distance.canberra)(np.zeros(1), np.zeros(1)), 0.0)
    np.testing.assert_array_equal(grad(lambda w: distance.euclidean(U, V, w))(0.0 * W), 0.0)
    total = grad(lambda X: np.sum(distance.cdist(X, X)))(XA)
    assert np.all(np.isfinite(total))


def test_curvature_in_zeros():
    """Squares are curved where coordinates are equal, and the cosine where vectors are."""
    v = np.array([U[0], 0.1, 0.2])
    for f in (lambda u: distance.minkowski(u, v, 2, W), lambda u: distance.minkowski(u, v, 2.0, W)):
        np.testing.assert_allclose(hessian(f)(U)[0, 0], W[0] / f(U))
    curvature = hessian(lambda u: distance.cosine(u, U))(U)
    np.testing.assert_allclose(
        curvature, jacobian(None, grad(lambda u: distance.cosine(u, U)), U)[0], atol=1e-6
    )
    assert np.max(np.abs(curvature)) > 0.1


def test_square_form():
    """A matrix is made of a vector, and a vector of what is above the diagonal."""
    check(distance.squareform, np.array([1.0, 2.0, 3.0]))
    check(distance.squareform, np.array([1.0, 2.0, 3.0], np.float32), order=1)
    matrix = distance.squareform([1.0, 2.0, 3.0])
    check(distance.squareform, matrix, "tovector", False)
    check(distance.squareform, np.zeros((1, 1)), order=1)
    assert rrule(distance.squareform, np.zeros(0)) is None
    assert jacobian_by_rules(distance.squareform)(matrix).shape == (3, 3, 3)


def test_directed_hausdorff():
    """The distance of Hausdorff is that of two points, whose numbers have no derivative."""
    check(distance.directed_hausdorff, XA, XB)
    y, y_dot = frule((None, np.ones_like(XA), np.ones_like(XB)), distance.directed_hausdorff, XA, XB)
    assert y == distance.directed_hausdorff(XA, XB)
    np.testing.assert_allclose(y_dot[0], 0.0, atol=1e-12)
