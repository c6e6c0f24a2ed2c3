"""Whether values are what they were."""

import collections
import types

import numpy as np
import pytest

from chainrules.ad.recording.same import ABSENT, answer, content_of, has_same_items, is_same, is_unchanging


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        (2.0, 2.0, True),
        (0.0, -0.0, False),
        (float("nan"), float("nan"), True),
        (1, True, False),
        (np.float64(2.0), 2.0, False),
        ("a" * 3, "aaa", True),
        ([1], [1], False),
        (ABSENT, ABSENT, True),
    ],
)
def test_values(now, then, expected):
    """Numbers and text by what they are, all else by identity."""
    assert is_same(now, then) is expected


def test_items():
    """In their order, and as many."""
    queue, held = collections.deque([1.0, "a"]), [1.0]
    assert has_same_items(queue, [1.0, "a"])
    assert not has_same_items(queue, ["a", 1.0])
    assert not has_same_items(queue, [1.0])
    assert has_same_items({"a": held, "b": 2}, {"a": held, "b": 2})
    assert not has_same_items({"a": held, "b": 2}, {"b": 2, "a": held})
    assert not has_same_items({"a": held}, {"a": [1.0]})


def test_answers_and_cells():
    """A question that fails has another answer than any that did not, and so has an empty cell."""
    assert answer(int, ("3",)) == 3
    assert answer(int, ("a",)) is answer(dict, (1,))
    assert answer(int, ("a",)) is not ABSENT
    assert content_of(types.CellType()) is ABSENT
    assert is_unchanging(None)
    assert not is_unchanging([])
