"""Arrays that a library's functions make for their callers can be filled; those that anybody keeps cannot."""

import importlib
import sys

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.writing.programs import check_program

LIBRARY = """
import numpy as np
from numpy import eye, full

_KEPT = {}


def blank(n, dtype=None):
    dtype = np.float64 if dtype is None else dtype
    return np.zeros(n, dtype)


def ramp(n):
    if n == 0:
        return None
    if n == 1:
        return eye(1)
    y = np.empty(n)
    for i in range(y.size):
        y[i] = i
    y *= 2.0
    return y


class Grid:
    def points(self, n):
        return full(n, 0.5)


def squares(x):
    y = blank(x.shape)
    y[x > 1.5] = x[x > 1.5] ** 2
    return y


def kept(n):
    y = np.ones(n)
    _KEPT["kept"] = y
    return y


def given(y):
    if y is None:
        y = np.zeros(3)
    return y


def rest(*y):
    if len(y) == 0:
        y = np.zeros(3)
    return y


def part(n):
    y = np.ones(n)
    _KEPT["part"] = y[:2]
    return y


def captured(n):
    y = np.ones(n)
    _KEPT["captured"] = lambda: y
    return y


def handed(n):
    y = np.ones(n)
    _KEPT.update(handed=y)
    return y


def looked_up(n):
    _KEPT.setdefault(n, np.ones(n))
    return _KEPT[n]


def by_argument(n, ones=lambda n: _KEPT.setdefault("by argument", np.ones(n))):
    return ones(n)


def matched(n):
    match _KEPT.setdefault("matched", np.ones(n)):
        case y:
            pass
    if n < 0:
        y = np.ones(n)
    return y


class Maker:
    ones = staticmethod(np.ones)


def by_class(n):
    return Maker.ones(n)
"""
X = np.array([1.0, 2.0, 3.0])


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A module as it is installed."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "makers_of_others.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(folder)
    yield importlib.import_module("makers_of_others")
    del sys.modules["makers_of_others"]


def test_arrays_that_functions_of_libraries_make(library):
    """What a library makes of plain numbers, for its caller or for another function of its own."""

    def program(x, fill):
        y = library.blank(3)
        y[:2] = x[1:] * x[0]
        z = library.ramp(3)
        z *= x
        p = library.Grid().points(3)
        p[1] += x[2] ** 2
        q = library.by_class(3)
        q /= x
        return np.sin(y) + z + p + library.squares(x) + q

    check_program(lambda x, fill: np.sum(np.cos(program(x, fill))), X)


@pytest.mark.parametrize(
    "name", ["kept", "part", "captured", "handed", "looked_up", "by_argument", "matched", "given", "rest"]
)
def test_arrays_that_somebody_may_hold(library, name):
    """They stay plain, and a write of traced values into one is an error."""
    outside = np.ones(3)
    argument = outside if name == "given" else 3

    def program(x):
        y = getattr(library, name)(argument)
        y *= x
        return np.sum(y)

    def constant(x):
        y = getattr(library, name)(argument)
        y += 1.0
        return np.sum(y * x)

    if name != "rest":
        with pytest.raises(TypeError, match="plain array"):
            grad(program)(X)
        assert np.all(grad(constant)(X) == 2.0)
    assert {np.ndarray}.issuperset(map(type, [x for x in library._KEPT.values() if not callable(x)]))


def test_a_maker_that_is_replaced(library):
    """What a name of the library means is looked up at each call."""
    held = np.ones(3)
    blank = library.blank

    def program(x):
        y = blank(3)
        y *= x
        return np.sum(y)

    assert np.all(grad(program)(X) == 0.0)
    library.np = type("Other", (), {"zeros": lambda n, dtype: held, "float64": float})
    with pytest.raises(TypeError, match="plain array"):
        grad(program)(X)
