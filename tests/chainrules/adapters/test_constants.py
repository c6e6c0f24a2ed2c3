"""Values that are seen at a glance to hold no tensor."""

import functools
from collections import deque

import numpy as np
import pytest
import scipy.linalg

from chainrules.adapters.constants import is_constant
from tests.chainrules_core.closures import unassigned


class Tensor:
    """Stands for the tensor of a framework."""


def closure(held, default=1.0):
    """A function that holds a value."""

    def f(x, y=default, *, z=default):
        return held, x, y, z

    return f


def with_attribute(value):
    """A function with an attribute."""

    def f():
        return None

    f.attribute = value
    return f


def recursive():
    """A function that holds itself."""

    def f():
        return f

    return f


@pytest.mark.parametrize(
    "x",
    [
        *(1.0, np.float32(1.0), np.ones(2), "text", None, np.sin, float, np, [], (1, [2.0, {"a": None}])),
        *(closure(np.ones(2)), closure(closure(2.0)), unassigned(), with_attribute(1.0)),
        *(functools.partial(closure(1.0), 2.0, z=[3.0]), scipy.linalg.solve, scipy.linalg.cholesky),
    ],
)
def test_no_tensor_is_in_it(x):
    """Numbers, arrays, containers of them, and functions that hold such values."""
    assert is_constant(x)


@pytest.mark.parametrize(
    "hold",
    [
        lambda x: x,
        lambda x: [1.0, (x,)],
        lambda x: {"a": x},
        lambda x: np.array([x, None], dtype=object),
        closure,
        lambda x: closure(closure(x)),
        lambda x: closure(1.0, x),
        with_attribute,
        lambda x: functools.partial(closure(1.0), x),
        lambda x: functools.partial(closure(1.0), z=x),
        lambda x: with_attribute(x).__get__(x),
        lambda x: deque([x]),
    ],
)
def test_a_tensor_is_never_overlooked(hold):
    """Wherever it is."""
    assert not is_constant(hold(Tensor()))


@pytest.mark.parametrize("x", [recursive(), [1.0] * 1000, [[[[1.0] * 20] * 20]], deque()])
def test_a_glance_is_short(x):
    """What would take long, or is seldom, is left to the search."""
    assert not is_constant(x)
