"""The blocks of NumPy's state of warnings that steps stand in."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording import blocks
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees

X = np.arange(1.0, 5.0)


def test_as_few_as_can_be():
    """A block goes on where the state makes no difference."""
    source = make_variant(grad(lambda x: np.sum(np.logaddexp(0.0, x) ** 2)), (1e40 * X,), {}).source
    assert source.count("with ignoring_errors():") == 1


def test_what_runs_part_by_part_is_in_one(monkeypatch):
    """A block cannot begin in the middle of a loop."""
    monkeypatch.setattr(blocks, "LARGE", 1)
    monkeypatch.setattr(blocks, "FEWEST", 1)

    def f(x):
        y = -x
        with np.errstate(all="ignore"):
            return np.exp(y * x) * y

    source = make_variant(f, (X,), {}).source
    assert source.index("ignoring_errors") < source.index("parts_of") < source.index("np.negative")
    np.testing.assert_array_equal(make_variant(f, (X,), {}).run([-X]), f(-X))


@pytest.mark.parametrize("large", [blocks.LARGE, 1])
def test_bounded_numbers_underflow_in_silence(large, monkeypatch):
    """What needs no state since its numbers are bounded is in no block that raises where they underflow."""
    monkeypatch.setattr(blocks, "LARGE", large)

    def f(x):
        with np.errstate(all="raise"):
            y = x + 1.0
        return y, np.cos(x) * x * x

    def slope(x):
        with np.errstate(under="raise"):
            y = np.sum(x + 1.0)
        return grad(lambda x: np.sum(x**3))(x) * y

    many = np.ones(1000)
    agrees(f, [(many,), (1e-170 * many,), (-many,)])
    agrees(slope, [(many,), (1e-170 * many,), (-many,)])
