"""Results for all items."""

import numpy as np
import pytest

from chainrules.ad import vectorized
from chainrules.ad.recording.batching.items import Items
from chainrules.ad.recording.batching.results import arrays, joined, row, whole

X = np.arange(4.0).reshape(2, 2)


def test_groups_are_joined_in_the_order_of_the_items():
    """In containers, and where a group has one value for all its items."""
    found = joined([{"a": Items(X, X[0])}, {"a": np.ones(2)}], [2, 1], np.array([2, 0, 1]))
    assert found["a"].value.tolist() == [[1.0, 1.0], [0.0, 1.0], [2.0, 3.0]]
    assert whole(1.0, 2).tolist() == [1.0, 1.0]
    assert whole(None, 2) is None


def test_groups_that_do_not_agree():
    """They are an error."""
    for parts in (
        [(X,), [X]],
        [(X,), (X, X)],
        ["a", "b"],
        [X, "a"],
        [Items(X, X[0]), Items(X[:, :1], X[0, :1])],
    ):
        with pytest.raises(ValueError, match="vectorized: the results of"):
            joined(parts, [2, 2], np.arange(4))


def test_rows():
    """The result of one item, in plain arrays."""
    assert row([Items(X, X[0]), {"a": 1.0, "b": None}], 1)[0].tolist() == [2.0, 3.0]
    assert arrays({"a": (1.0, "b")}) == {"a": [np.asarray(1.0), "b"]}


def test_results_with_names():
    """NumPy's classes of several results stay, in groups that decide otherwise too."""
    matrices = np.stack([np.diag([1.0, 2.0]) + 0.1 * i for i in range(4)])

    def f(A, sign):
        return np.linalg.eigh(A) if sign > 0 else np.linalg.eigh(2.0 * A)

    y = vectorized(f)(matrices, np.array([1.0, -1.0, -1.0, 1.0]))
    rows = [f(A, sign) for A, sign in zip(matrices, [1, -1, -1, 1], strict=True)]
    assert type(y) is type(rows[0])
    np.testing.assert_allclose(y.eigenvalues, [row.eigenvalues for row in rows])
    np.testing.assert_allclose(vectorized(f, (0, None), -1)(matrices, 1.0)[1][..., 3], rows[3][1])
