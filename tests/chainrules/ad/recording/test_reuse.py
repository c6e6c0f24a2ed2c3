"""Results go into memory that nobody reads any more, and into no other."""

import numpy as np
import pytest

from chainrules.ad import grad, value_and_grad
from chainrules.ad.recording import reuse
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees
from tests.chainrules.ad.recording.test_compiled import FUNCTIONS, POINTS, X

DATA = np.array([1.0, -2.0, 0.5, 3.0])


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    """Arrays of any size are reused."""
    monkeypatch.setattr(reuse, "LARGE", 1)


@pytest.mark.parametrize("f", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_gradients(f):
    """The same as with memory of their own."""
    agrees(value_and_grad(f), POINTS, strict=False)


def views(x):
    """Views of what could be reused are read later, or returned."""
    y = x * 2.0
    row, turned = y.reshape(2, 2)[0], y[::-1]
    z = y + 1.0
    return z + y, row * 1.0, turned + z, (z * z).reshape(2, 2)


def equal_ones(x):
    """An operation that was done before is read by a view of its own result."""
    y, z = x * DATA, x * DATA
    part = z[1:]
    w = y + 1.0
    return w * w, part + part


def filled(x):
    """Arrays that somebody writes into."""
    y = x * 2.0
    z = y + 1.0
    y[0] = 7.0
    w = y * z
    w += z
    return w, y + z


def returned(x):
    """Results, arguments and arrays from outside are somebody's own."""
    y = np.sin(x)
    return y, y * y, x * DATA, DATA * 1.0, x * 1.0


@pytest.mark.parametrize("f", [views, equal_ones, filled, returned])
def test_who_reads_later(f):
    """Nothing is overwritten before that."""
    x, data = X.copy(), DATA.copy()
    agrees(f, [(x,), (2.0 * x,), (x.astype(np.float32),), (-x,)])
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(data, DATA)


def test_text():
    """It says so."""
    source = make_variant(grad(lambda x: np.sum(np.sin(x * x) * DATA)), (X,), {}).source
    assert ", out=" in source


def test_small_arrays(monkeypatch):
    """They are as quick to get."""
    monkeypatch.undo()
    f = lambda x: np.sum(np.exp(-x * x))  # noqa: E731 - as users write them
    assert "out=" not in compiled(grad(f)).source(X)
    assert "out=" in compiled(grad(f)).source(np.ones(reuse.LARGE))
