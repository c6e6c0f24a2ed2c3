"""Cotangents back to the places of lazy arrays that an index picked."""

import numpy as np
import pytest

from chainrules.operations.scatter import scatter
from tests.chainrules.lazy_checks import lazily, nothing_computed

da = pytest.importorskip("dask.array")

A = np.arange(24.0).reshape(6, 4)
INDICES = [
    2,
    -1,
    slice(1, 5),
    slice(None, None, -1),
    (slice(None), 1),
    (Ellipsis, slice(2)),
    (0, slice(None, None, 2)),
]
INDICES += [None, (slice(1, 3), None), (None, 2, None, Ellipsis), (Ellipsis, None), (0, 1)]
ARRAYS = [
    np.array([0, 0, 5]),
    [3, -1, -6],
    (slice(None), np.array([2, 2, 0])),
    np.zeros(0, int),
    (Ellipsis, [1, 1]),
]


@pytest.mark.parametrize("index", INDICES + ARRAYS, ids=str)
def test_places(index):
    """The same as in memory: sums where an element is picked several times, zeros elsewhere."""
    y = np.random.default_rng(0).normal(size=A[index].shape)
    expected = scatter(y, A, index)
    with nothing_computed():
        scattered = scatter(lazily(y) if y.ndim else da.asarray(y), lazily(A), index)

    assert scattered.shape == A.shape
    np.testing.assert_allclose(scattered.compute(scheduler="synchronous"), expected)


@pytest.mark.parametrize(
    "index", [A > 3, ([0, 1], [0, 1]), (1, [0, 1]), np.array([[0, 1], [1, 0]])], ids=repr
)
def test_refused(index):
    """Masks, and several arrays of integers."""
    with pytest.raises(TypeError, match=r"np\.where"):
        scatter(lazily(A[index]), lazily(A), index)


def test_lazy_masks_are_refused():
    """Whose number of elements nobody knows."""
    x = lazily(A)
    with nothing_computed(), pytest.raises(TypeError, match=r"np\.where"):
        scatter(x[x > 3], x, x > 3)


def test_tasks_grow_linearly():
    """Twice as many chunks make about twice as many tasks, for slices and for integers."""
    for index in (slice(1, 50), np.arange(100)[::3]):
        few, many = (
            len(scatter(x[index], x, index).__dask_graph__())
            for x in (da.zeros((100, 2), chunks=(10, 2)), da.zeros((100, 2), chunks=(5, 2)))
        )
        assert many < 2.5 * few
