"""Values that are held where nobody looks for them."""

import collections
import functools
import io
import itertools
import types
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core.carriers.hiding import HidingPlace, hiding_place, is_bare_iterator


class Model:
    """Keeps its weights as an attribute."""

    def __init__(self, weights):
        self.weights = weights


class Resource(Model):
    """Nobody makes another one in its place, and so nobody looks into it."""

    def __del__(self):
        """Be told when it goes."""


class Slotted:
    """Keeps its weights in a slot, and has to be told when it goes."""

    __slots__ = ("weights",)

    def __init__(self, weights):
        self.weights = weights

    def __del__(self):
        """Be told."""


@dataclass
class Data:
    """A dataclass, with a value that it computes from its field."""

    x: object

    @functools.cached_property
    def computed(self):
        """The field itself."""
        return self.x


class Sought:
    """What is sought."""


def is_sought(x):
    """Whether it is."""
    return isinstance(x, Sought)


def array_of(x):
    """An array of objects."""
    array = np.empty((1, 2), dtype=object)
    array[0, 1] = x
    return array


def with_attribute(holder, x, name="extra"):
    """The holder with one more attribute."""
    setattr(holder, name, x)
    return holder


HIDING = {
    "deque": lambda x: collections.deque([1.0, x]),
    "set": lambda x: {x},
    "frozenset": lambda x: frozenset({x}),
    "dict_keys": lambda x: {x: 1}.keys(),
    "dict_values": lambda x: {1: x}.values(),
    "dict_items": lambda x: {1: [x]}.items(),
    "mappingproxy": lambda x: types.MappingProxyType({1: x}),
    "ndarray": array_of,
    "UserDict": lambda x: collections.UserDict(a=x),
    "UserList": lambda x: collections.UserList([x]),
    "ChainMap": lambda x: collections.ChainMap({}, {"a": x}),
    "Resource": lambda x: Resource([{"a": x}]),
    "Slotted": Slotted,
    "generator": lambda x: (item for item in [x]),
    "list_iterator": lambda x: iter([x]),
    "map": lambda x: map(str, [x]),
    "chain": lambda x: itertools.chain([1.0], [x]),
}


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: [1.0, {"a": (x,)}], Data])
def test_hidden(name, wrap):
    """The holder into which nobody looks is found inside containers, and nothing where there is nothing."""
    place = hiding_place(wrap(HIDING[name](Sought())), is_sought)
    assert type(place.holder).__name__ == name
    assert hiding_place(wrap(HIDING[name](1.0)), is_sought) is None


def test_generators_are_not_used_up():
    """What a generator closes over is seen without a step of it."""
    sought = Sought()
    generator = (sought for _ in range(2))
    assert hiding_place(generator, is_sought).holder is generator
    assert list(generator) == [sought, sought]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda x: x,
        lambda x: [x],
        lambda x: {"a": (x,)},
        Data,
        lambda x: lambda: x,
        Model,
        lambda x: types.SimpleNamespace(a=[x]),
    ],
)
def test_not_hidden(wrap):
    """What is itself sought, or held where everybody looks, is not hidden."""
    assert hiding_place(wrap(Sought()), is_sought, beside_fields=True) is None


def test_outermost_holder_and_its_attribute():
    """A message names the value into which nobody looks first."""
    place = hiding_place([Resource(collections.deque([Sought()]))], is_sought)
    assert isinstance(place.holder, Resource)
    assert place.attribute == "weights"
    assert str(place) == "a Resource, in its attribute 'weights'"
    assert str(HidingPlace({1.0})) == "a set"


def test_one_value_by_two_ways():
    """A list that one way shows and another hides is hidden."""
    shared = [Sought()]
    for both in ((shared, collections.deque([shared])), (collections.deque([shared]), shared)):
        assert isinstance(hiding_place(both, is_sought).holder, collections.deque)


def test_cycles():
    """Values that hold themselves are looked at once."""
    model = Model([])
    model.weights.append(model)
    assert hiding_place(model, is_sought) is None


def default(x):
    """A function with it as a default."""

    def f(a=x):
        return a

    return f


def keyword_default(x):
    """A function with it as the default of a keyword."""

    def f(*, a=x):
        return a

    return f


@pytest.mark.parametrize(
    "hide",
    [
        default,
        keyword_default,
        lambda x: with_attribute(lambda: 0, x),
        lambda x: with_attribute(Data(1.0), x),
        lambda x: with_attribute(type("List", (list,), {})(), x),
        lambda x: with_attribute(lambda: 0, x, "__extra"),
    ],
)
def test_beside_fields(hide):
    """Defaults, and attributes beside fields, are looked into if that is asked for."""
    assert hiding_place(hide(Sought()), is_sought, beside_fields=True) is not None
    assert hiding_place(hide(Sought()), is_sought) is None


def test_values_computed_from_fields():
    """What a cached property computed from the fields is not hidden."""
    data = Data(Sought())
    assert data.computed is data.x
    assert hiding_place(data, is_sought, beside_fields=True) is None


def test_cells_that_are_empty():
    """A variable that is not assigned yet hides nothing."""

    def generator():
        yield later

    started = generator()
    assert hiding_place(started, is_sought) is None
    later = Sought()
    assert hiding_place(started, is_sought) is not None


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (iter([1.0]), True),
        ((i for i in ()), True),
        (zip([1.0]), True),
        ([1.0], False),
        (range(3), False),
        (np.ones(2), False),
        (io.StringIO(), False),
    ],
)
def test_bare_iterators(x, expected):
    """Generators and iterators are bare; a value that can be iterated over again is not, nor is a file."""
    assert is_bare_iterator(x) is expected


@pytest.mark.parametrize("shared", [[2.5], {2.5}, frozenset({2.5}), collections.deque([2.5])])
def test_what_is_held_twice_is_looked_into_once(shared):
    """A container that several others hold is searched the first time only."""
    searched = []

    def is_sought(value):
        searched.append(value)
        return False

    assert hiding_place([[shared], [shared]], is_sought) is None
    assert searched.count(2.5) == 1
