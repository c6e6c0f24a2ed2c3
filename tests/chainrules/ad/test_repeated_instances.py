"""Instances that hold themselves, or that others hold twice, are found and named."""

import functools
import types
import weakref
from dataclasses import dataclass

import pytest

from chainrules.ad.repeated_instances import is_instance, repeated_instance
from chainrules.ad.tracing import is_differentiable


class Layer:
    """An instance with a number, or another value."""

    def __init__(self, weight):
        self.weight = weight

    def method(self):
        """Hold the instance."""


@dataclass
class Data:
    """A dataclass."""

    a: object
    b: object = None


def found_in(x):
    """How the message names an instance that is held twice."""
    repeated = repeated_instance(x, is_differentiable)
    return None if repeated is None else str(repeated)


shared = Layer(2.0)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([shared, {"a": shared}], "a list, whose `[0]` and `[1]['a']` are one Layer"),
        (Data(shared, (1.0, shared)), "a Data, whose `.a` and `.b[1]` are one Layer"),
        (
            types.SimpleNamespace(first=shared, rest=Layer([shared])),
            "a SimpleNamespace, whose `.first` and `.rest.weight[0]` are one Layer",
        ),
        ([shared, functools.partial(max, shared)], "a list, whose `[0]` and `[1].args[0]` are one Layer"),
        ([shared, weakref.ref(shared)], "a list, whose `[0]` and `[1]` are one Layer"),
        ([weakref.ref(shared), shared], "a list, whose `[1]` and `[0]` are one Layer"),
    ],
)
def test_held_twice(x, message):
    """Both places are named as a program writes them."""
    assert found_in(x) == message


def test_holding_itself():
    """A pointer to the parent, a method that is kept as an attribute."""
    parent = types.SimpleNamespace(weight=1.0, kids=[])
    parent.kids.append(types.SimpleNamespace(parent=parent))
    assert found_in(parent) == "a SimpleNamespace, whose `.kids[0].parent` is itself"
    layer = Layer(1.0)
    layer.again = layer.method
    assert found_in(layer) == "a Layer, whose `.again.__self__` is itself"


def test_what_may_be_held_twice():
    """Instances without numbers, also those that hold themselves; dataclasses and containers."""
    constant, data, items = Layer("name"), Data(1.0), [1.0]
    constant.again = constant
    for part in (constant, data, items):
        assert found_in([part, {"again": part}]) is None
    items.append(items)
    assert found_in([items, shared]) is None
    gone = weakref.ref(Layer(1.0))
    assert found_in([gone, shared]) is None


def test_instances():
    """Of ordinary classes, which dataclasses are not."""
    assert is_instance(shared)
    assert not any(map(is_instance, (1.0, [shared], Data(1.0), Layer)))
