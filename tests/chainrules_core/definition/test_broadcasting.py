"""Undoing broadcasting."""

import numpy as np
import pytest

from chainrules_core.definition.broadcasting import sum_over_repeats


@pytest.mark.parametrize("add", [np.sum, np.add.reduce])
@pytest.mark.parametrize(
    "shape", [(), (3,), (1,), (2, 3), (1, 3), (2, 1), (1, 1), (4, 2, 3), (4, 1, 3), (1, 2, 1)]
)
def test_sums_have_the_shape_of_the_argument(shape, add):
    """Each element gets the sum over the places where broadcasting repeated it."""
    x_bar = np.arange(24.0).reshape(4, 2, 3)
    places = np.broadcast_to(np.arange(np.prod(shape, dtype=int)).reshape(shape), x_bar.shape)
    expected = np.bincount(places.ravel(), x_bar.ravel()).reshape(shape)

    np.testing.assert_array_equal(sum_over_repeats(x_bar, shape, add), expected)


@pytest.mark.parametrize(("shape", "sums"), [((2, 3), 1), ((2, 1), 2), ((1, 3), 2), ((4, 1, 3), 1)])
def test_no_more_sums_than_needed(shape, sums):
    """One for the axes in front, and one for those that were stretched."""
    calls = []

    def add(x, **options):
        calls.append(options)
        return np.sum(x, **options)

    sum_over_repeats(np.ones((4, 2, 3)), shape, add)

    assert len(calls) == sums


def test_equal_shapes_give_the_same_object():
    """Nothing is summed, and nothing copied."""
    x_bar = np.ones(3)

    assert sum_over_repeats(x_bar, (3,)) is x_bar
