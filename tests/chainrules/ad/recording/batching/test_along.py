"""Functions along axes, beside loops."""

import numpy as np
import pytest
import scipy.special

from tests.chainrules.ad.recording.batching.loops import agrees_with_loop, check_gradients

A = np.random.default_rng(1).normal(size=(3, 4))
SQUARE = np.random.default_rng(2).normal(size=(4, 4)) + 4.0 * np.eye(4)
V = np.random.default_rng(3).normal(size=4)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), (-1, 0)])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("f", [np.sum, np.max, np.mean, np.std, np.any, np.count_nonzero])
def test_reductions(f, axis, keepdims):
    """Axes are counted in each item, and all of an item's are meant where none is named."""
    assert agrees_with_loop(lambda x: f(x, axis=axis, keepdims=keepdims), (3, 4)) == set()


ALONG = [
    (lambda x: np.sum(x), ()),
    (lambda x: x.sum(0, dtype=np.float32), (3, 4)),
    (lambda x: np.mean(x, where=V > 0.0), (4,)),
    (lambda x: np.max(x, initial=0.0), (4,)),
    (np.add.reduce, (3, 4)),
    (lambda x: np.maximum.reduce(x, -1), (3, 4)),
    (np.add.accumulate, (3, 4)),
    (np.cumsum, (3, 4)),
    (lambda x: np.cumprod(x, axis=-2), (3, 4)),
    (lambda x: np.sort(x, axis=0), (3, 4)),
    (lambda x: np.sort(x, axis=None), (3, 4)),
    (np.argsort, (3, 4)),
    (np.argmax, (3, 4)),
    (lambda x: np.argmin(x, axis=1, keepdims=True), (3, 4)),
    (lambda x: np.diff(x, axis=0), (3, 4)),
    (lambda x: np.roll(x, 1), (3, 4)),
    (lambda x: np.roll(x, (1, 2), (0, 1)), (3, 4)),
    (lambda x: np.flip(x), (3, 4)),
    (lambda x: np.flip(x, 0), (3, 4)),
    (lambda x: np.repeat(x, 2), (2, 3)),
    (lambda x: np.repeat(x, [1, 2], axis=0), (2, 3)),
    (lambda x: np.split(x, 2, axis=1)[1], (3, 4)),
    (lambda x: np.array_split(x, 3, -1)[2], (3, 4)),
    (np.fft.fft, (3, 4)),
    (lambda x: np.fft.fft(x, axis=0), (3, 4)),
    (lambda x: np.take_along_axis(x, np.argsort(x, 1), 1), (3, 4)),
    (lambda x: np.take_along_axis(A, np.argsort(x, 0), -2), (3, 4)),
    (lambda x: np.take_along_axis(x, np.array([[0], [1], [2]]), 1), (3, 4)),
    (scipy.special.logsumexp, (3, 4)),
    (lambda x: scipy.special.softmax(x, axis=0), (3, 4)),
    (np.linalg.norm, (4,)),
    (np.linalg.norm, (3, 4)),
    (np.linalg.norm, (2, 3, 4)),
    (lambda x: np.linalg.norm(x, 1), (3, 4)),
    (lambda x: np.linalg.norm(x, 3, axis=0), (3, 4)),
    (lambda x: np.linalg.norm(x, axis=(0, -1), keepdims=True), (3, 4)),
]


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize(("f", "shape"), ALONG)
def test_functions_along_axes(f, shape):
    """Sorts, running sums, norms and the like."""
    assert agrees_with_loop(f, shape) == set()


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize(("f", "shape"), [*ALONG[:2], *ALONG[7:11]])
def test_gradients_of_both_orders(f, shape):
    """The gradients of a vectorized function are the vectorized gradients."""
    check_gradients(f, shape)


def _filled(f):
    """The function with its result in an array that is given to it."""

    def filling(x):
        y = f(x) * 0.0
        f(x, out=y)
        return y

    return filling


@pytest.mark.parametrize(
    ("f", "shape", "name"),
    [
        (_filled(lambda x, **out: np.sum(x, 0, **out)), (3, 4), "sum"),
        (_filled(lambda x, **out: np.cumsum(x, 0, **out)), (3, 4), "cumsum"),
        (lambda x: np.cumsum(x), (), "cumsum"),
        (lambda x: np.argmax(x, keepdims=True), (3, 4), "argmax"),
    ],
)
@pytest.mark.every_case  # each is refused in its own place
def test_item_by_item(f, shape, name):
    """What has no form runs item by item."""
    assert agrees_with_loop(f, shape) == {name}
