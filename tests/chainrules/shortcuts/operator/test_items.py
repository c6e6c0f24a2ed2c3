"""Items of plain arrays, the short way."""

import operator

import numpy as np
import pytest

from chainrules.shortcuts.operator.items import item_of_plain
from tests.chainrules.shortcut_checks import Call, variants


def item_calls():
    """Elements, from both ends and by several indices; rows, masks and lists of places beside them."""
    vectors = [Call((operator.getitem, x, i)) for x in variants((4,)) for i in (0, -1, np.int64(2))]
    matrices = [Call((operator.getitem, x, i)) for x in variants((3, 4)) for i in ((1, 2), 0, (0, slice(2)))]
    others = [
        Call((operator.getitem, x, i))
        for x in variants((4,))
        for i in ([1, 1], slice(2), slice(None, None, -2), ..., None, 7, np.array([True, False] * 2))
    ]
    return [*vectors, *matrices, *others, Call((operator.getitem, np.array(2.0), ()))]


CALLS = {f"{item_of_plain.__module__}.{item_of_plain.__qualname__}": item_calls}


@pytest.mark.parametrize(("index", "y_bar"), [(1, 2.0), (slice(1, 2), np.array([2.0]))])
def test_an_element_is_added_in_place(index, y_bar):
    """Its cotangent is a thunk that adds itself to an array, as a loop over elements needs it."""
    _, pullback = item_of_plain(operator.getitem, np.arange(3.0), index)
    total = np.zeros(3)

    assert pullback(y_bar)[1].add(total) is total
    assert total.tolist() == [0.0, 2.0, 0.0]
