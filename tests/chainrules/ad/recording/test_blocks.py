"""Chains of operations part by part: the same numbers to the bit, and nothing that must not be."""

import numpy as np
import pytest

from chainrules.ad import grad, hvp, value_and_grad
from chainrules.ad.recording import blocks, reuse
from tests.chainrules.ad.recording.agreement import agrees
from tests.chainrules.ad.recording.test_compiled import FUNCTIONS, POINTS, X
from tests.chainrules.ad.recording.writing_programs import PROGRAMS_OF_ARRAYS, WRITING

RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True, params=["own memory", "reused memory"])
def everything_is_large(request, monkeypatch):
    """Arrays of any size run part by part, of two elements each."""
    monkeypatch.setattr(blocks, "LARGE", 1)
    monkeypatch.setattr(blocks, "FEWEST", 1)
    monkeypatch.setattr(blocks, "PART", 16)
    if request.param == "reused memory":
        monkeypatch.setattr(reuse, "LARGE", 1)


@pytest.mark.parametrize("f", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_gradients(f):
    """The same as without parts, with the same warnings and errors."""
    agrees(value_and_grad(f), POINTS, strict=False)


@pytest.mark.parametrize("f", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_second_derivatives(f):
    """Programs of more operations."""
    agrees(lambda x, v: hvp(f, x, v), [(X, X[::-1].copy()), (-X, X), (np.zeros(4), X)], strict=False)


@pytest.mark.parametrize("f", PROGRAMS_OF_ARRAYS.values(), ids=PROGRAMS_OF_ARRAYS)
def test_programs_of_arrays(f):
    """Programs that fill arrays, write into views, simulate, and hand arrays on."""
    agrees(value_and_grad(f), [(np.array(x),) for x in ([1.0, 2.0, 3.0], [1.3, 2.3, 3.3])], strict=False)


@pytest.mark.parametrize("f", WRITING, ids=range(len(WRITING)))
def test_writes_into_arrays_that_others_see(f):
    """Arrays that somebody writes into are read whole, where they stand."""
    d = np.array([0.5, -1.0, 2.0])
    agrees(value_and_grad(f), [(X[:3], d), (2.5 * X[:3], -d), (-X[:3], d)], strict=False)


def comparisons(x):
    """What is compared is read once, by an expression that stands in a later line."""
    y = np.sin(x)
    z = np.exp(x)
    w = np.cos(y * 2.0 + z)
    return np.where((y < 0.3) | (z < w), w * w, np.tan(w) * x)


def powers(x):
    """Operations that write into no given memory."""
    y = (np.sin(x) + 2.0) ** 1.5
    return np.where(y > 2.0, y**2, -y) * np.abs(np.cos(y))


def views(x):
    """Views of an array that a part of the loop could write into: its other parts would be others."""
    y = x * 2.0
    row, turned = y[:1], y[::-1].copy()
    z = np.sin(y) * row + turned
    return y * 3.0 * row + z * np.cos(z)


def of_matrices(x):
    """Rows, columns and transposes are read as wholes or part by part."""
    a = np.reshape(np.concatenate([x, x * 0.5, x - 1.0]), (4, 3))
    row, column = a[0] * 1.0, a[:, :1] * 1.0
    b = np.sin(a * row + column) * a
    c = np.cos(a.T.copy()) * 2.0 + b.T
    return b * np.exp(-b) + row, np.tanh(c) * c - 1.0, (column * row) * 0.5 + column


def returned(x):
    """Results, arguments and arrays from outside are somebody's own."""
    y = np.sin(x)
    z = y * y + x
    return y, z, z * DATA + y, DATA * 1.0 + x, x * 1.0 - DATA


DATA = RNG.normal(size=4)


@pytest.mark.parametrize("f", [comparisons, powers, views, of_matrices, returned])
def test_who_reads(f):
    """Plain functions and gradients: nothing is overwritten that somebody reads."""
    x, data = X.copy(), DATA.copy()

    def loss(x):
        y = f(x)
        return sum(np.sum(part * part) for part in (y if isinstance(y, tuple) else (y,)))

    for g in (f, grad(loss), value_and_grad(loss), lambda x: hvp(loss, x, X)):
        agrees(g, [(x,), (2.0 * x,), (-x,), (x.astype(np.float32),), (x[::-1],)])
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(data, DATA)
