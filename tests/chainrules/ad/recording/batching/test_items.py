"""Values for all items."""

import numpy as np
import pytest

from chainrules.ad.recording.batching.items import (
    Call,
    Items,
    NoBatchedFormError,
    call_of,
    is_of_kind,
    items_in,
    only_first,
    row_of,
    stacked_rows,
    with_items,
)

X = np.arange(6.0).reshape(3, 2)
ITEMS = Items(X, X[0])


def test_axes_are_inserted_behind_the_items():
    """An item with fewer axes gets some in front of its own."""
    assert ITEMS.ndim == 1
    assert ITEMS.aligned(1) is X
    assert ITEMS.aligned(3).shape == (3, 1, 1, 2)
    assert ITEMS.shaped(-1, 1).shape == (3, 2, 1)
    assert ITEMS.shaped(2) is X


def test_rows_are_as_in_the_program():
    """A number of Python's stays one."""
    assert type(Items(X[:, 0], 1.0).row(1)) is float
    assert type(Items(X[:, 0], X[0, 0]).row(1)) is np.float64
    assert np.array_equal(row_of({"a": [ITEMS, slice(ITEMS, None)]}, 1)["a"][0], X[1])


def test_items_are_found_in_arguments():
    """In containers and slices."""
    assert list(items_in(([ITEMS], {"a": slice(ITEMS)}, 1.0))) == [ITEMS, ITEMS]
    assert with_items((ITEMS, [1.0]), lambda items: items.ndim) == (1, [1.0])


def test_calls_item_by_item():
    """Each with its own arguments, and those that are the same for all."""
    assert np.array_equal(Call(np.add, (ITEMS, 1.0), {}, X[0], 3).by_rows(), X + 1.0)
    assert call_of(np.ndarray.sum, (X, 0), {}).tolist() == [6.0, 9.0]
    assert call_of(lambda x: x, (1.0,), {}) == 1.0


def test_only_the_first_argument():
    """Others have no form, nor has a call without it."""
    assert only_first(Call(np.sum, (ITEMS, 0), {}, 1.0, 3)) is ITEMS
    for args in ((), (1.0,), (ITEMS, ITEMS)):
        with pytest.raises(NoBatchedFormError):
            only_first(Call(np.sum, args, {}, 1.0, 3))


def test_results_are_stacked():
    """Tuples part by part; of no items there is an empty array."""
    first, second = stacked_rows([(1.0, X), (2.0, X)], (1.0, X))
    assert first.tolist() == [1.0, 2.0]
    assert second.shape == (2, 3, 2)
    assert stacked_rows([], np.float32(1.0)).dtype == np.float32


def test_kinds():
    """The dtype and the shape behind the items decide."""
    assert is_of_kind(X, X[0], 3)
    assert is_of_kind([X, X[:, 0]], (X[0], 1.0), 3)
    assert not is_of_kind(X, X[0], 2)
    assert not is_of_kind(X, X[0].astype(np.float32), 3)
    assert not is_of_kind([X], (), 3)
