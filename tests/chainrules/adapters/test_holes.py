"""Tensors are taken out of a value, and other things are put in their places."""

import collections
import functools
import typing

import numpy as np
import pytest

from chainrules.adapters import AdapterError
from chainrules.adapters.holes import components, filled, find_holes, holds_nothing, structural_tangent
from chainrules_core import MutableTangent, NoTangent, Tangent, ZeroTangent
from tests.chainrules.adapters.tensors import Layer, Model, Node, Tensor, is_tensor


def holes_of(x):
    """The tensors in a value, and where they are."""
    tensors = []
    return tensors, find_holes(x, is_tensor, tensors)


def closure_over(x):
    """A function that holds `x`."""
    return lambda: x


class Pair(typing.NamedTuple):
    """A named tuple."""

    first: object
    second: object


A, B = Tensor(1.0), Tensor(2.0)

HOLDERS = {
    "tensor": (A, 0),
    "tuple": ((1.0, A, (B,)), {1: 0, 2: {0: 1}}),
    "list": ([A, "text", [B]], {0: 0, 2: {0: 1}}),
    "dict": ({"a": A, 3: {"b": B}}, {"a": 0, 3: {"b": 1}}),
    "named tuple": (Pair(A, B), {"first": 0, "second": 1}),
    "dataclass": (Layer(A, B), {"weights": 0, "offset": 1}),
    "object": (Model([A]), {"weights": {0: 0}}),
    "closure": (closure_over((A, B)), {"x": {0: 0, 1: 1}}),
    "partial": (functools.partial(print, A, end=B), {"args": {0: 0}, "keywords": {"end": 1}}),
    "bound method": (Model(A).__call__, {"__self__": {"weights": 0}}),
    "one tensor twice": ((A, A), {0: 0, 1: 1}),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_tensors_are_found(holder):
    """In containers, objects, closures, partials and bound methods; in the order in which they stand."""
    value, expected = HOLDERS[holder]
    tensors, holes = holes_of(value)
    assert holes == expected
    assert set(tensors) <= {A, B}


@pytest.mark.parametrize("holder", HOLDERS)
def test_filled_value_has_others_in_their_places(holder):
    """What is put in is found there again, the value itself is as it was, and the class is the same."""
    value, expected = HOLDERS[holder]
    tensors, holes = holes_of(value)
    others = [Tensor(0.0) for _ in tensors]
    copy = filled(value, holes, others)
    assert holes_of(copy) == (others, expected)
    assert holes_of(value) == (tensors, expected)
    assert type(copy) is type(others[0] if holder == "tensor" else value)


@pytest.mark.parametrize(
    "value", [1.0, "text", None, np.ones(2), [1, {}], closure_over(2.0), np.sin, Layer(1.0)]
)
def test_value_without_tensors_has_no_holes(value):
    """It is left alone."""
    tensors, holes = holes_of(value)
    assert (tensors, holes) == ([], None)
    assert filled(value, holes, []) is value


HIDDEN = {
    "deque": collections.deque([A]),
    "set": {A},
    "iterator": iter([A]),
    "generator": (x for x in [A]),
    "object array": np.array([A, 1.0], dtype=object),
    "default of a function": lambda x=A: x,
    "in a list": [1.0, collections.deque([A])],
}


@pytest.mark.parametrize("place", HIDDEN)
def test_hidden_tensor_is_refused(place):
    """Where a tensor is not found its derivative would be lost."""
    with pytest.raises(AdapterError, match=r"A tensor is held by .* where it is not found"):
        holes_of(HIDDEN[place])


def test_value_that_holds_itself_and_tensors_is_refused():
    """Nothing can be put into it; without tensors it is a constant."""
    node = Node(A)
    node.next = [node]
    with pytest.raises(AdapterError, match=r"A Node holds itself, and tensors, as its `\.x`"):
        holes_of((1.0, node))
    node.x = 1.0
    assert holes_of((node, A)) == ([A], {1: 0})


def test_object_held_twice_is_refused():
    """A gradient has a place for each place of a value, and the function would be given two objects."""
    model = Model(A)
    with pytest.raises(AdapterError, match=r"Tensors are held by .* one Model"):
        holes_of([model, model])


def test_components_of_a_tangent():
    """A tangent, structural or in the containers of its primal, has a part for each hole that is wanted."""
    _, holes = holes_of((1.0, Layer(A, B)))
    expected = [(0, 3.0), (1, 4.0)]
    structural = Tangent[tuple](NoTangent(), Tangent[Layer](weights=3.0, offset=4.0))
    assert list(components(structural, holes, {0, 1})) == expected
    assert list(components((None, Layer(3.0, 4.0)), holes, {0, 1})) == expected
    assert list(components(structural, holes, {1})) == expected[1:]
    assert list(components(ZeroTangent(), holes, {0, 1})) == [(0, ZeroTangent()), (1, ZeroTangent())]
    assert list(components(Tangent[tuple](NoTangent(), Tangent[Layer](offset=4.0)), holes, {0})) == [
        (0, ZeroTangent())
    ]


def test_structural_tangent_has_its_parts_in_the_holes():
    """Elsewhere there is no tangent; a tangent of zeros is a zero."""
    value = (1.0, Layer(A, B))
    _, holes = holes_of(value)
    of_tuple = structural_tangent(value, holes, [3.0, ZeroTangent()])
    assert of_tuple[0] == NoTangent()
    assert of_tuple[1] == MutableTangent[Layer](weights=3.0, offset=ZeroTangent())
    assert structural_tangent(value, holes, [ZeroTangent(), ZeroTangent()]) == ZeroTangent()
    assert structural_tangent(A, 0, [2.0]) == 2.0
    assert structural_tangent("text", None, []) == NoTangent()


def with_attribute():
    """A function that has one."""


with_attribute.of = A


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        *((1.5, True), (np.ones(2), True), (np.array([None]), False), (lambda: 1.5, True)),
        *((closure_over(A), False), (lambda x=A: x, False), (lambda *, x=A: x, False)),
        *((with_attribute, False), ([], False)),
    ],
)
def test_what_is_seen_at_once(x, expected):
    """Numbers, arrays, and functions that hold nothing in any of four places."""
    assert holds_nothing(x) is expected
