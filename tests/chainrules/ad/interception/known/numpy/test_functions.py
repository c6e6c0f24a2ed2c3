"""Functions of NumPy that make functions of functions, or apply them."""

import numpy as np

from chainrules.ad import grad
from chainrules.ad.values import memory
from chainrules.ad.values.facts import PASSING
from tests.chainrules.ad.while_traced import while_traced


def test_functions_of_lines():
    """They may hold what is traced, or be given it, beside an array that is not."""
    rows = np.arange(6.0).reshape(2, 3)
    expected = np.sum(rows)
    assert grad(lambda x: np.sum(np.apply_along_axis(lambda row: row * x, 1, rows)))(0.5) == expected
    assert grad(lambda x: np.sum(np.apply_along_axis(lambda row, x: row * x, 0, rows, x)))(0.5) == expected
    np.testing.assert_array_equal(
        while_traced(0.5, lambda x: np.apply_along_axis(np.sum, 1, rows)), np.sum(rows, axis=1)
    )


def test_ufuncs_are_forgotten(monkeypatch):
    """A ufunc that is made at each call of a program is remembered for so many others."""
    monkeypatch.setattr(memory, "MOST", 2)
    PASSING.clear()
    sizes = []

    for _ in range(4):
        assert grad(lambda x: np.frompyfunc(lambda t: t * t, 1, 1)(x))(3.0) == 6.0
        sizes.append(len(PASSING))

    assert sizes == [1, 2, 1, 2]
