"""What is read once stands where it is read, with the same result."""

import numpy as np
import pytest

from chainrules.ad.recording import reuse
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees

X = np.array([0.3, -1.2, 2.1, 0.7])


def written_between(x):
    """An array is written into between an operation that reads it and the one that reads the result."""
    y = np.zeros(4)
    y[0] = x[0]
    z = y * 2.0
    y[0] = x[1]
    return z + y


def overwritten_between(x):
    """Sums go into the memory of operands that others read before."""
    y = np.sin(x)
    z = y * x
    y = y + x
    return np.exp(z) - y, -(x - y) - (z - x), 2.0 - (x * (x - 1.0)) / x


def decided_between(x):
    """A decision stands between two operations."""
    y = np.exp(x)
    return np.log(y + 1.0) if x[0] > 0.0 else y * 2.0


def read_by_parts(x):
    """A part of a result is no result that can stand elsewhere."""
    return np.linalg.slogdet(np.outer(x, x) + np.eye(4))[1] * 2.0, np.divmod(x, 2.0)[0]


@pytest.mark.every_case
@pytest.mark.parametrize("in_place", [1, 256])
@pytest.mark.parametrize("f", [written_between, overwritten_between, decided_between, read_by_parts])
def test_order(f, in_place, monkeypatch):
    """It is that of the program, wherever it makes a difference."""
    monkeypatch.setattr(reuse, "IN_PLACE", in_place)
    agrees(f, [(X,), (-X,), (X + 3.0,)])


def lines_of(f):
    """The lines of a program but the first and the last, without comments."""
    lines = make_variant(f, (X,), {}).source.splitlines()
    return [line.strip() for line in lines[1:-1] if "#" not in line]


def test_text():
    """Parentheses stand where they are needed, and a long text has a line of its own."""
    assert lines_of(lambda x: -(x * 2.0 + 1.0) / (x - 3.0)) == ["v4 = (-(x * 2.0 + 1.0)) / (x - 3.0)"]
    assert lines_of(lambda x: (x - (x - 1.0)) * np.exp(x @ x)) == ["v4 = (x - (x - 1.0)) * np.exp(x @ x)"]
    long = lines_of(lambda x: np.tanh(np.tanh(np.tanh(np.tanh(np.tanh(np.tanh(np.tanh(np.tanh(x)))))))))
    assert len(long) == 2


def test_sums_in_place(monkeypatch):
    """Of arrays that nobody reads any more, and of no others."""
    monkeypatch.setattr(reuse, "IN_PLACE", 1)
    found = lines_of(lambda x: (np.sin(x) + x) * np.cos(x) - 1.0)
    assert found == ["v0 = np.sin(x)", "v0 += x", "v0 *= np.cos(x)", "v0 -= 1.0"]
