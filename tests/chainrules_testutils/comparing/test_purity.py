"""Copies, and what has changed since."""

import threading

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import Tangent, thunk
from chainrules_testutils.comparing.purity import copied, differences, shared_memory
from tests.chainrules_testutils.rules_under_test import Foo, Multiplier, scaled_by


def change(x):
    """Write into whatever kind of value this is."""
    if isinstance(x, Foo):
        x.A[0] = 9.0
    elif isinstance(x, Multiplier):
        x.w = 9.0
    elif isinstance(x, dict):
        x["new"] = 1.0
    elif isinstance(x, list):
        x.append(1.0)
    elif isinstance(x, tuple):
        change(x[0])
    elif isinstance(x, set):
        x.add(9.0)
    elif callable(x):
        x.__closure__[0].cell_contents[0] = 9.0
    elif scipy.sparse.issparse(x):
        x.data[0] = 9.0
    else:
        x.flat[0] = 9.0


MUTABLE = [
    np.ones(2),
    np.ones(2, dtype=object),
    Foo(np.ones(2), 1.0),
    Multiplier(np.ones(2)),
    {"a": 1.0},
    [1.0],
    ([np.ones(2)], "a"),
    {1.0},
    scaled_by(np.ones(2)),
    scipy.sparse.csr_array(np.eye(2)),
]


@pytest.mark.parametrize("x", MUTABLE, ids=lambda x: type(x).__name__)
def test_changes_are_found(x):
    """A value differs from its copy once it was written into, and not before."""
    copy = copied(x)

    assert list(differences(copy, x, "it")) == []
    change(x)
    assert len(list(differences(copy, x, "it"))) == 1


def test_places():
    """The place of each change is told."""
    x = {"a": [np.ones(2), np.ones(2)]}
    copy = copied(x)
    x["a"][1][0] = 2.0

    assert list(differences(copy, x, "it")) == ["it, a, 1"]


def test_nan_is_no_change():
    """NaN in the same place counts as the same."""
    x = (np.array([np.nan]), np.nan)

    assert list(differences(copied(x), x, "it")) == []
    assert list(differences(np.nan, 1.0, "it")) == list(differences(1.0, np.nan, "it")) == ["it"]


def test_changes_of_dtype_are_found():
    """An equal array of another dtype is another array."""
    assert list(differences([np.ones(2)], [np.ones(2, dtype=np.float32)], "it")) == ["it, 0"]


def test_what_cannot_be_copied():
    """Beside something that cannot be copied the rest is still copied."""
    x = [threading.Lock(), np.ones(2)]
    copy = copied(x)
    x[1][0] = 2.0

    assert copy[0] is x[0]
    assert copy[1][0] == 1.0
    assert list(differences(copy, x, "it")) == ["it, 1"]


def test_shared_memory():
    """Views and the arrays in tangents and thunks are found; interleaved views share nothing."""
    x = np.ones(4)

    assert shared_memory(x[1:], (x,))
    assert shared_memory(Tangent[tuple](thunk(lambda: x)), [{"a": x}])
    assert shared_memory(scaled_by(x), x)
    assert not shared_memory(x.copy(), x)
    assert not shared_memory(x[::2], (x[1::2],))
    assert not shared_memory(1.0, (1.0,))


def test_doubt_about_shared_memory(monkeypatch):
    """Where the exact answer takes too long, overlapping bounds count as sharing."""

    def too_hard(*_, **__):
        raise np.exceptions.TooHardError

    monkeypatch.setattr(np, "shares_memory", too_hard)
    assert shared_memory(np.ones(2), np.ones(2))


@pytest.mark.parametrize("array", ["indices", "data"])
@pytest.mark.parametrize("format_", ["csr", "csc"])
def test_changes_of_sparse_arrays(format_, array):
    """An entry that is elsewhere is a change, as one of another value is."""
    x = scipy.sparse.csr_array(np.array([[1.0, 0.0], [2.0, 0.0]])).asformat(format_)
    before = copied(x)
    assert list(differences(before, x, "x")) == []

    getattr(x, array)[0] += 1
    assert list(differences(before, x, "x")) == ["x"]
