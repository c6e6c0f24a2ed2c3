# ruff: noqa: D101, D102, D103 - stand-ins have nothing to document
"""Finding carriers among the arguments of a call."""

import functools
import types
import typing
from dataclasses import dataclass, field

import numpy as np
import pytest

from chainrules_core import MixedCarriersError, StructuralTangent, Tangent, register_carrier
from chainrules_core.carriers.search import (
    ORDINARY_CLASSES,
    backend_for,
    cell_contents,
    contains_carrier,
    may_contain_carriers,
    parts_to_search,
)
from tests.chainrules_core.boxes import Box, OtherBox, backend, other_backend


@dataclass
class Data:
    x: object
    y: object = field(default=0.0)


class Pair(typing.NamedTuple):
    x: object
    y: object


class Holder:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x

    def method(self): ...


class Functor:
    def __call__(self): ...

    def method(self): ...


def closure_over(x):
    return lambda: x


@pytest.mark.parametrize(
    "wrap",
    [
        lambda x: x,
        lambda x: (1.0, x),
        lambda x: [[x]],
        lambda x: {"a": {"b": x}},
        lambda x: {"a": 1.0, "b": (x,)},
        lambda x: Data(1.0, x),
        lambda x: Pair(x, 1.0),
        lambda x: closure_over([x]),
        lambda x: functools.partial(max, x),
        lambda x: functools.partial(max, key=x),
        lambda x: functools.partial(closure_over(x)),
        lambda x: Data([x]).__eq__,
        lambda x: {1.0: closure_over(Data(x=(x,)))},
        lambda x: Tangent[tuple](1.0, x),
        lambda x: StructuralTangent[Data](y=Tangent[dict]({"a": x})),
        lambda x: types.SimpleNamespace(a=[x]),
        Holder,
        lambda x: Holder(x).method,
    ],
    ids=range(18),
)
def test_found_wherever_they_are(wrap):
    """Carriers are found in containers, dataclasses, cells, partials, bound methods and tangents, nested."""
    assert contains_carrier(wrap(Box(1.0)))
    assert backend_for((0.0, wrap(Box(1.0)))) is backend
    assert backend_for((wrap(OtherBox(1.0)),)) is other_backend
    assert not contains_carrier(wrap(1.0))
    assert backend_for((wrap(np.ones(2)), wrap("text"))) is None


def test_parts_that_are_looked_at():
    """The items of containers, the fields of dataclasses and the like; of other values nothing."""
    assert list(parts_to_search([1.0, "a"])) == [1.0, "a"]
    assert list(parts_to_search({"a": 1.0})) == list(parts_to_search(Holder(1.0))) == [1.0]
    assert list(parts_to_search(1.0)) == list(parts_to_search(np.ones(2))) == []


def test_containers_that_contain_themselves():
    """A cycle is searched once."""
    cycle = [1.0]
    cycle.append({"again": cycle})
    assert not contains_carrier(cycle)
    cycle.append(Box(1.0))
    assert contains_carrier(cycle)


def test_fields_and_cells_that_are_not_assigned():
    """A dataclass without a value for a field, and a cell that is filled later, hold nothing there."""
    data = Data(1.0)
    del data.x

    def early():
        return later

    assert cell_contents(early) == []
    assert not contains_carrier([data, early])
    later = Box(1.0)
    assert contains_carrier(early)


def test_two_systems_in_one_call():
    """Carriers of two AD systems in one call are refused; two of one system are not."""
    with pytest.raises(MixedCarriersError, match=r"One call has a Box and a OtherBox, .* two AD systems"):
        backend_for((Box(1.0), [OtherBox(1.0)]))
    assert backend_for((Box(1.0), [Box(2.0)])) is backend
    assert backend_for((Box(OtherBox(1.0)),)) is backend, "what a carrier carries is its own affair"


def test_class_that_becomes_a_carrier():
    """A class that was found to be ordinary is searched again once it is registered."""

    class Late(str):
        __slots__ = ()

    assert not contains_carrier(Late())
    assert Late in ORDINARY_CLASSES
    register_carrier(__name__, Late.__qualname__, backend)
    assert contains_carrier(Late())


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (max, False),
        (np.sin, False),
        (lambda: 1, False),
        (closure_over(1.0), True),
        (functools.partial(max), True),
        (Functor().method, True),
        (Functor, False),
    ],
)
def test_functions_that_may_hold_carriers(f, expected):
    """Closures, partials and methods may hold a carrier themselves; plain functions cannot."""
    assert may_contain_carriers(f) is expected


def test_a_search_does_not_use_up_what_it_looks_at():
    """A list of which the first items are ordinary is read twice: for classes, and for what is not ordinary."""
    assert contains_carrier([1.0, "a", Box(1.0)])
    assert contains_carrier([1.0, [2.0, (3.0, {Box(1.0)})]])
