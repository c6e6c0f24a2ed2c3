"""What a program asks of memory, where strides or views depend on values."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from tests.chainrules.ad.recording.agreement import agrees

POINTS = [(np.array(x),) for x in ([0.3, -1.2, 2.5, 0.9], [5.0, 4.0, 3.0, 2.0], [1.0, 2.0, 2.0, 5.0])]
TABLE = np.arange(16.0).reshape(4, 4)


def strides_of_slices(x):
    """Slices of the same length."""
    y = x[:: np.argmax(x) + 2]
    return np.sum(y) * y.strides[0]


def flags_of_turned(x):
    """Matrices of the same shape."""
    y = np.rot90(np.outer(x, x), np.argmax(x))
    return np.sum(y[0]) * (2.0 if y.flags.c_contiguous else 3.0)


def flags_by_letters(x):
    """The same, of what is computed with it."""
    y = np.swapaxes(np.outer(x, x), np.argmax(x) % 2, 0) + 1.0
    return np.sum(y[0]) * (2.0 if y.T.flags["C_CONTIGUOUS"] else 3.0)


@pytest.mark.parametrize("f", [strides_of_slices, flags_of_turned, flags_by_letters])
@pytest.mark.parametrize("form", [lambda f: f, grad], ids=["plain", "grad"])
def test_questions_about_memory(f, form):
    """They are refused: nobody would notice another answer."""
    with pytest.raises(CompilationError, match="order in memory depends on values"):
        compiled(form(f), strict=True)(*POINTS[0])


def writeable_slices(x):
    """Every array can be written into, however it lies."""
    y = TABLE[:: np.argmax(x) + 1]
    return np.sum(x) * (2.0 if y.flags.writeable and y.flags.aligned else 3.0) + np.sum(x) * len(y)


def other_strides(x):
    """Those of arrays that have nothing to do with it."""
    y = np.outer(x, x)
    return np.sum(y) * y.strides[0] + np.sum(x[:: np.argmax(x) + 1]) * x.strides[0]


def written_slices(x):
    """Slices are views wherever they begin."""
    y = x * 1.0
    part = y[:: np.argmax(x) + 1]
    part += 1.0
    return np.sum(y * y)


def by_shapes(x):
    """A shape says how the elements of a new array lie."""
    n = np.argmax(x) % 2 + 1
    y = np.reshape(x * 1.0, np.stack([n, 4 // n]))
    return np.sum(y[0]) * y.strides[0]


@pytest.mark.parametrize("f", [writeable_slices, other_strides, written_slices, by_shapes])
@pytest.mark.parametrize("first", range(3))
def test_what_is_known_of_memory(f, first):
    """What does not depend on values is answered."""
    agrees(f, POINTS[first:] + POINTS[:first])


def test_writes_into_views_or_copies():
    """Which of both `numpy.ravel` returns depends on the strides."""

    def f(x):
        y = np.outer(x, x)
        part = np.rot90(y, np.argmax(x)).ravel()
        part[0] = 7.0
        return np.sum(y)

    with pytest.raises(CompilationError, match="a view or a copy, as values decide"):
        compiled(f, strict=True)(*POINTS[0])


def test_flags_are_locked():
    """A slice whose step depends on values is locked as the function locks it."""

    def f(x):
        y = (x * 1.0)[:: np.argmax(x) + 1]
        y.flags.writeable = False
        return np.sum(y * y)

    agrees(f, POINTS)
