"""Tests of descriptions: values are rebuilt from them as they were."""

import functools
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from chainrules.adapters.torch import descriptions  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch.descriptions import described, rebuilt  # noqa: E402 - likewise

Pair = namedtuple("Pair", ["first", "second"])  # noqa: PYI024 - either kind is a tuple with names


@dataclass(frozen=True)
class Frozen:
    """A dataclass that does not let its fields be set."""

    value: Any


class Plain:
    """An ordinary object."""

    def __init__(self, value):
        self.value = value


def test_values_are_rebuilt():
    """Containers, objects and partials, with other leaves in their places and the same constants."""
    leaf, constant, array = 1.5j, object(), np.ones(2)
    value = {
        "tuple": (leaf, 3, "s", None),
        "list": [Pair(leaf, constant), [], ()],
        "objects": (Frozen(leaf), Plain({"inner": leaf})),
        "partial": functools.partial(max, leaf, key=constant),
        "array": array,
    }
    leaves, constants = [], []
    description = described(value, complex, leaves, constants)
    assert leaves == [leaf] * 5 + [array]
    y = rebuilt(description, list(range(6)), constants)
    assert y["tuple"] == (0, 3, "s", None)
    assert y["list"] == [Pair(1, constant), [], ()]
    assert isinstance(y["list"][0], Pair)
    assert y["objects"][0] == Frozen(2)
    assert (type(y["objects"][1]), y["objects"][1].value) == (Plain, {"inner": 3})
    assert (y["partial"].func, y["partial"].args, y["partial"].keywords) == (max, (4,), {"key": constant})
    assert y["array"] == 5


def no_closure(x):
    """A function of a module."""


@pytest.mark.parametrize("x", [None, True, 2, 2.5, 1j, "text", float, np.sin, lambda: 1, no_closure, len])
def test_constants(x, monkeypatch):
    """Of most of them nothing more is asked than their class, which the compiler knows."""
    if not callable(x) or isinstance(x, type | np.ufunc):
        monkeypatch.setattr(
            descriptions, "_is_object_with_fields", lambda cls: pytest.fail("it was asked for")
        )
    leaves, constants = [], []
    assert rebuilt(described(x, torch.Tensor, leaves, constants), leaves, constants) is x
    assert (leaves, constants) == ([], [x])


def test_functions_that_close_over_others():
    """They are constants, whatever they hold: arrays, functions, themselves."""
    array = np.ones(2)

    def f(x):
        return g(f, x * array)

    def g(f, x):
        return f(x)

    leaves, constants = [], []
    assert rebuilt(described([f], torch.Tensor, leaves, constants), leaves, constants) == [f]
    assert (leaves, constants) == ([], [f])
