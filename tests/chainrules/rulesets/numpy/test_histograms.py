"""The rules of histograms, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad, jacobian
from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal, positive
from tests.chainrules.structured_checks import check_symmetric

BINS = np.array([0, 2, 1, 2])
X, Y = normal(8), normal(8, seed=1)
WEIGHTS = positive(8, seed=2)
EDGES = np.array([-1.5, -0.2, 0.4, 2.0])


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((BINS, positive(4)), {}),
        ((BINS, positive(4), 5), {}),
        ((BINS, positive(4)), {"minlength": 6}),
        ((BINS, positive(4, dtype=np.float32)), {}),
        ((BINS[:0], normal(0)), {"minlength": 2}),
        ((BINS,), {}),
        ((BINS, None, 5), {}),
        ((BINS,), {"weights": positive(4)}),
    ],
)
def test_bincount(args, options):
    """Each weight gets the cotangent of its bin; counts have no derivative."""
    check_rule(np.bincount, *args, **options)


def test_bincount_of_a_list_of_weights():
    """NumPy takes it for an array."""
    for mode in ("forward", "reverse"):
        slopes = jacobian(lambda x: np.bincount([0, 1, 1], [x, 1.0, x**2]), mode=mode)(3.0)
        np.testing.assert_array_equal(slopes, [1.0, 6.0])


def check(f, *args, **options):
    """Check both modes of a function with several results."""
    test_frule(f, *args, fkwargs=options)
    test_rrule(f, *args, fkwargs=options)


@pytest.mark.parametrize("density", [False, True])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize(
    "options", [{}, {"bins": 4}, {"bins": EDGES}, {"range": (-1.0, 1.0)}, {"bins": "sturges"}]
)
def test_histogram(options, weights, density):
    """By the samples, of which two are the ends of edges that NumPy chooses, and by the weights."""
    options = {"bins": 3, **options}
    if weights is None:
        check(np.histogram, X, density=density, **options)
    elif isinstance(options["bins"], int) and "range" not in options:
        check(np.histogram, X, options["bins"], None, density, weights)
        check(np.histogram, X, options["bins"], None, density)
    elif not isinstance(options["bins"], str):
        check(np.histogram, X, density=density, weights=weights, **options)


def test_histogram_of_other_samples():
    """Matrices of samples with as many weights; no samples."""
    check(np.histogram, normal(2, 3), 3, None, True, positive(2, 3))
    check(np.histogram, normal(0), 3)
    check(np.histogram, X.astype(np.float32), 3, density=True)


def test_histogram_by_its_weights():
    """The second derivative of a density by the weights, from traced values."""

    def density(w):
        return np.sum(np.histogram(X, bins=3, density=True, weights=w)[0] ** 2)

    w_bar = grad(density)(WEIGHTS)
    step = 1e-6
    by_differences = (density(WEIGHTS + step * Y) - density(WEIGHTS - step * Y)) / (2 * step)
    assert np.sum(w_bar * Y) == pytest.approx(by_differences, rel=1e-6)


@pytest.mark.parametrize("density", [False, True])
@pytest.mark.parametrize("bins", [3, [2, 3], [EDGES, 2]])
def test_histogram2d(bins, density):
    """Pairs of samples; the weights by keyword and by position."""
    check(np.histogram2d, X, Y, bins=bins, density=density, weights=WEIGHTS)
    if bins == 3:
        check(np.histogram2d, X, Y, bins, None, density, WEIGHTS)
        single = (x.astype(np.float32) for x in (X, Y, WEIGHTS))
        check(np.histogram2d, next(single), next(single), bins, None, density, next(single))


@pytest.mark.parametrize("density", [False, True])
@pytest.mark.parametrize("x", [np.stack((X, Y), axis=-1), X[:, np.newaxis]])
def test_histogramdd(x, density):
    """Samples in rows."""
    check(np.histogramdd, x, bins=2, density=density)
    check(np.histogramdd, x, 2, None, density, WEIGHTS)


@pytest.mark.parametrize("x", [[X, Y], (X, list(Y)), [X], list(X)])
def test_histogramdd_of_a_list(x):
    """Its items are the coordinates, where those of an array are the samples."""
    check(np.histogramdd, x, bins=2, density=True)
    check(np.histogramdd, x, 2, None, False, WEIGHTS)


def test_programs_that_list_the_coordinates():
    """The engine makes no array of such a list, also of as many coordinates as there are samples."""

    def edges(x):
        return np.sum(np.histogramdd([x, x**2], bins=2)[1][1] * [1.0, 2.0, 4.0])

    x = np.array([0.1, 0.2])
    np.testing.assert_allclose(grad(edges)(x), [2 * 2.0 * 0.1, 5 * 2.0 * 0.2])
    weights_bar = grad(lambda w: np.histogramdd([x, x**2], bins=2, weights=w)[0][1, 1])(np.ones(2))
    np.testing.assert_allclose(weights_bar, [0.0, 1.0])


def test_given_edges_are_not_forgotten():
    """No rule pretends that a histogram does not depend on the edges that it is given."""
    y, pullback = rrule(np.histogram, X, EDGES)

    assert isinstance(pullback((np.ones(3), np.ones(4)))[2], NotImplementedTangent)
    assert isinstance(frule((NoTangent(), X, EDGES), np.histogram, X, EDGES)[1][1], NotImplementedTangent)
    assert len(y) == 2


def test_histogram_without_tangents():
    """Zeros in either mode give zeros."""
    _, y_dot = frule.unchecked((NoTangent(), ZeroTangent()), np.histogram, X)
    assert y_dot[0] == NoTangent()
    x_bar = rrule.unchecked(np.histogram, X)[1](ZeroTangent())[1]
    np.testing.assert_array_equal(x_bar, np.zeros(8))


@pytest.mark.parametrize(
    ("x", "options"),
    [
        (X, {}),
        (X, {"bins": 4}),
        (normal(2, 3), {"bins": "sturges"}),
        (X.astype(np.float32), {"bins": 4}),
        (X, {"bins": EDGES}),
        (X, {"range": (-1.0, 1.0)}),
        (normal(0), {}),
    ],
)
def test_edges_alone(x, options):
    """They move with the least and the greatest sample, unless they or their range are given."""
    check_rule(np.histogram_bin_edges, x, **options)


def test_options_of_edges():
    """Weights have no influence; given edges are not forgotten."""
    test_frule(np.histogram_bin_edges, X, 3, None, WEIGHTS)
    test_rrule(np.histogram_bin_edges, X, 3, None, WEIGHTS)
    e, pullback = rrule(np.histogram_bin_edges, X, 3, None, WEIGHTS)
    assert pullback(e)[2:] == (NoTangent(), NoTangent(), ZeroTangent())
    moved = (NoTangent(), X, NoTangent(), NoTangent(), WEIGHTS)
    assert frule(moved, np.histogram_bin_edges, X, 3, None, WEIGHTS)[1].shape == (4,)
    tangents = (NoTangent(), ZeroTangent(), EDGES)

    assert isinstance(rrule(np.histogram_bin_edges, X, EDGES)[1](EDGES)[2], NotImplementedTangent)
    assert isinstance(frule(tangents, np.histogram_bin_edges, X, EDGES)[1], NotImplementedTangent)


def test_places_have_no_derivative():
    """The bins of samples are integers."""
    check_rule(np.digitize, X, EDGES)


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.histogram)
    check_symmetric(np.histogramdd, 2)


def test_samples_that_do_not_move():
    """Beside weights that do: as if their tangents were zeros."""
    x = normal(8, 2)
    h_dots = [
        frule((NoTangent(), x_dot, *(NoTangent(),) * 3, WEIGHTS), np.histogramdd, x, 2, None, True, WEIGHTS)[
            1
        ][0]
        for x_dot in (ZeroTangent(), np.zeros((8, 2)))
    ]
    np.testing.assert_allclose(*h_dots)
