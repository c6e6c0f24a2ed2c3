"""Global lists and dicts that functions may keep values in."""

import functools
import sys

import numpy as np
import pytest

from chainrules.ad import checkpoint, grad
from chainrules.ad.syntax.global_holders import global_holders

MEMORY: dict[str, object] = {}
LOG: list[object] = []
TABLE = [1.0, 2.0]


def remembering(x):
    """Computes once."""
    if "y" not in MEMORY:
        MEMORY["y"] = np.sin(x)
    return MEMORY["y"]


def logging_it(x):
    """Appends in a function inside of it, and calls itself."""
    (lambda: LOG.append(x))()
    return logging_it(x) if x is None else LOG[0]


def reading(x):
    """Writes into nothing."""
    return x * TABLE[0]


def by_module(x):
    """Names a function of a module."""
    return sys.modules[__name__].reading(x) + np.sin(x) * HERE.remembering(x)


HERE = sys.modules[__name__]


def remembered_by(f):
    """A decorator that keeps results."""
    kept = {}

    @functools.wraps(f)
    def remembering_f(x):
        if "y" not in kept:
            kept["y"] = f(x)
        return kept["y"]

    remembering_f.kept = kept
    return remembering_f


@remembered_by
def squared(x):
    """A function that keeps its results."""
    return x * x


class Model:
    """A class with a method."""

    def method(self, x):
        """Calls a function that keeps values."""
        return remembering(x)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: remembering(x), [MEMORY]),
        (functools.partial(lambda y, x: remembering(x), 1.0), [MEMORY]),
        (lambda x: [logging_it(y) for y in x], [LOG]),
        (lambda x: reading(x), []),
        (by_module, [MEMORY]),
        (Model().method, [MEMORY]),
        (lambda x: squared(x), [squared.kept]),
        (np.sin, []),
        (np.linalg.norm, []),
    ],
)
def test_holders(f, expected):
    """Those of functions that write, however these are reached."""
    found = list(global_holders(f))

    assert [id(holder) for holder in found] == [id(holder) for holder in expected]


def test_variables_that_are_assigned_later():
    """Closures may have variables without a value."""

    def f(x):
        return later(x)

    assert list(global_holders(f)) == []
    later = remembering
    assert list(global_holders(f)) == [MEMORY]


@pytest.mark.parametrize("helper", [remembering, logging_it, squared, HERE.by_module])
def test_checkpoints(helper):
    """The second run of a checkpointed function finds them as the first one did."""
    derivative = {remembering: np.sin, logging_it: lambda x: x, squared: np.square}
    for holder in (MEMORY, LOG, squared.kept):
        holder.clear()
    x = np.array([0.5, 1.5])
    block = checkpoint(lambda x: helper(x) * x)

    gradient = grad(lambda x: np.sum(block(x)))(x)

    for holder in (MEMORY, LOG, squared.kept):
        holder.clear()
    np.testing.assert_allclose(gradient, grad(lambda x: np.sum(helper(x) * x))(x))
    assert helper not in derivative or np.all(gradient > derivative[helper](x))
