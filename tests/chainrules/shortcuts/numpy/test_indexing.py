"""Calls of the shortcut of taking elements."""

import numpy as np

from chainrules.shortcuts.numpy.indexing import take_from_vector
from tests.chainrules.shortcut_checks import Call, arrays


def takes():
    """With indices that are arrays, numbers and lists, along an axis, from either end, and out of range."""
    indices = [np.array([2, 0, 2]), np.array([[-1, 1]]), np.array([], dtype=int), 1, [0, 1], np.array([9])]
    return [
        *(Call((x, (index,), {})) for x in arrays((4,), (3, 4)) for index in indices),
        *(Call((x, (index, axis), {})) for x in arrays((3, 4)) for index in indices for axis in (0, 1, -1)),
        Call((np.ones(4), (np.array([5]), None, None, "wrap"), {})),
        Call((np.ones(4), (np.array([5]),), {"mode": "clip"})),
    ]


def vector_takes():
    """From vectors with indices of every kind, from either end, repeated, out of range; few and many."""
    indices = [np.array([2, 0, 2]), np.array([-1, 1]), np.array([], dtype=int), [0, 1], 1, np.array([9])]
    others = [np.array([1], np.int32), np.array([[0], [1]]), np.array([True, False])]
    return [
        *(Call((np.take, x, index)) for x in arrays((4,), (3, 4)) for index in (*indices, *others)),
        *(Call((np.take, np.ones(n), np.array([0, 5, -1]))) for n in (1000, 1001)),
        Call((np.take, np.ones(4), np.zeros(1001, int))),
        Call((np.take, np.ones(4), np.array([5]), None, None, "wrap")),
        Call((np.take, np.ones(4), np.array([5])), {"mode": "clip"}),
    ]


CALLS = {
    "chainrules.shortcuts.numpy.indexing.take_from_array": takes,
    "chainrules.shortcuts.numpy.indexing.take_from_vector": vector_takes,
}


def test_elements_of_a_large_table_are_added_in_place():
    """A sum over the whole table for each few elements would take too long."""
    _, pullback = take_from_vector(np.take, np.ones(10_000), np.array([3, 3]))
    total = np.zeros(10_000)

    assert pullback(np.array([1.0, 2.0]))[1].add(total) is total
    assert total[3] == total.sum() == 3.0
