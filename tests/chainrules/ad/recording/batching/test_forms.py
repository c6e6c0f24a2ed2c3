"""The table of forms, and what has none."""

import math

import numpy as np
import pytest

from chainrules.ad.recording.batching.forms import standing_for
from tests.chainrules.ad.recording.batching.loops import agrees_with_loop

A = np.random.default_rng(1).normal(size=(3, 4))
SQUARE = np.random.default_rng(2).normal(size=(4, 4)) + 4.0 * np.eye(4)
V = np.random.default_rng(3).normal(size=4)

BY_ROWS = [
    (lambda x: np.ravel(x, "F"), (3, 4), "ravel"),
    (lambda x: np.ravel(x.T, "K"), (3, 4), "ravel"),
    (lambda x: np.kron(x, A), (2, 2), "kron"),
    (lambda x: np.quantile(x, [0.1, 0.2, 0.9]), (5,), "quantile"),
    (np.linalg.eigvals, (3, 3), "eigvals"),
    (np.triu, (4,), "triu"),
]


@pytest.mark.parametrize(("f", "shape", "name"), BY_ROWS)
def test_what_has_no_form_runs_item_by_item(f, shape, name):
    """It is named, and its results are right."""
    assert agrees_with_loop(f, shape) == {name}


@pytest.mark.parametrize("dtype", [np.float32, complex])
@pytest.mark.parametrize(
    "f",
    [np.sum, np.sin, lambda x: x @ V.astype(np.float32), lambda x: x / 3, np.linalg.norm, lambda x: x**2 + 1],
)
def test_dtypes(f, dtype):
    """They are those of an item."""
    assert agrees_with_loop(f, (4,), dtype=dtype) == set()


def test_functions_that_do_the_same():
    """Methods, and functions of Python's numbers, have the forms of NumPy's functions."""
    assert standing_for(math.asin) is np.arcsin
    assert standing_for(np.ndarray.sum) is np.sum
    assert standing_for([]) == []
