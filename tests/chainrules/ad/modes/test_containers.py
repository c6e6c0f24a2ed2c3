"""Tangents in the containers of what they are tangents of."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad.modes.containers import (
    flatten,
    in_containers_of,
    matching_parts,
    ones_in_containers_of,
    parts_with_tangents,
)
from chainrules_core import NoTangent, StructuralTangent, Tangent, ZeroTangent, thunk
from chainrules_core.structured import Diagonal


class Named(NamedTuple):
    """A tuple with names."""

    a: object
    b: object


@dataclass
class Data:
    """A dataclass."""

    a: object
    b: object = "name"


def test_ones_in_the_same_containers():
    """For each number and array ones in its precision, for sparse arrays at their entries."""
    S = scipy.sparse.csr_array(np.array([[0.0, 2.0], [3.0, 0.0]]))

    a, (b, c, d) = ones_in_containers_of([1.5, (np.zeros(2, np.float32), S, Diagonal(np.zeros(2)))])

    assert a == 1.0
    assert (b.dtype, b.tolist()) == (np.float32, [1.0, 1.0])
    assert c.format == "csr"
    assert c.toarray().tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert d == Diagonal(np.ones(2))


def test_a_tangent_in_the_same_containers():
    """Each part has its tangent, whatever the form."""
    for x, x_dot in [
        ((1.0, 2.0), (3.0, 4.0)),
        ([1.0, 2.0], [3.0, 4.0]),
        ([1.0, 2.0], (3.0, 4.0)),
        ((1.0, 2.0), Tangent[tuple](3.0, 4.0)),
        ((1.0, 2.0), thunk(lambda: Tangent[tuple](3.0, 4.0))),
    ]:
        assert parts_with_tangents(x, x_dot) == {0: (1.0, 3.0), 1: (2.0, 4.0)}
    for x, x_dot in [
        ({"a": 1.0, "b": 2.0}, {"b": 4.0, "a": 3.0}),
        ({"a": 1.0, "b": 2.0}, Tangent[dict]({"a": 3.0, "b": 4.0})),
        (Named(1.0, 2.0), Named(3.0, 4.0)),
        (Data(1.0, 2.0), Data(3.0, 4.0)),
        (Data(1.0, 2.0), StructuralTangent[Data](a=3.0, b=4.0)),
    ]:
        assert parts_with_tangents(x, x_dot) == {"a": (1.0, 3.0), "b": (2.0, 4.0)}


def test_parts_that_are_not_given_do_not_move():
    """In a zero no part moves; in a `Tangent` only the parts that it names."""
    zero = ZeroTangent()

    assert parts_with_tangents((1.0, 2.0), zero) == {0: (1.0, zero), 1: (2.0, zero)}
    assert parts_with_tangents(Data(1.0, 2.0), StructuralTangent[Data](b=4.0)) == {
        "a": (1.0, zero),
        "b": (2.0, 4.0),
    }
    assert parts_with_tangents({"a": 1.0}, Tangent[dict]({})) == {"a": (1.0, zero)}


@pytest.mark.parametrize(
    ("x", "x_dot", "message"),
    [
        ((1.0, 2.0), (1.0,), r"a tuple with the parts 0, 1 .* not as a tuple with the parts 0:"),
        ({"a": 1.0}, {"b": 1.0}, r"a dict with the parts 'a' .* not as a dict with the parts 'b':"),
        ([1.0], np.ones(1), r"a list with the parts 0 .* not as a ndarray:"),
        (Data(1.0), 1.0, r"a Data with the parts 'a', 'b' .* not as a float:"),
        ([], [1.0], r"an empty list .* not as a list with the parts 0:"),
        ([1.0], {}, r"not as an empty dict: one for each part, `ZeroTangent\(\)` where it is zero"),
    ],
)
def test_other_containers_are_refused(x, x_dot, message):
    """A tangent in other containers is refused; the error names both, and their parts."""
    with pytest.raises(TypeError, match=message):
        parts_with_tangents(x, x_dot)


def test_parts_at_the_end_of_a_path():
    """Through containers of every kind; an empty path ends at the value itself."""
    x = {"a": [Named(1.0, (2.0, 3.0))]}
    x_dot = {"a": [Tangent[Named](b=(5.0, 6.0))]}

    assert matching_parts(x, x_dot, ("a", 0, "b", 1)) == (3.0, 6.0)
    assert matching_parts(x, x_dot, ("a", 0, "a")) == (1.0, ZeroTangent())
    assert matching_parts(x, ZeroTangent(), ("a", 0)) == (x["a"][0], ZeroTangent())
    assert matching_parts(x, x_dot, ()) == (x, x_dot)
    with pytest.raises(TypeError, match="in the same containers"):
        matching_parts(x, {"a": 1.0}, ("a", 0))


def test_flatten_and_rebuild():
    """Numbers and arrays come out in order, and others go in in their places."""
    x = {"a": (1.5, 2, "text"), "b": [Named(np.ones(2), 1j), []], "c": None}

    leaves, rebuild = flatten(x)

    assert leaves == [1.5, x["b"][0].a, 1j]
    assert rebuild([1.0, 2.0, 3.0]) == {
        "a": (1.0, NoTangent(), NoTangent()),
        "b": [Named(2.0, 3.0), []],
        "c": NoTangent(),
    }
    assert flatten(Data(1.5))[1]([2.0]) == StructuralTangent[Data](a=2.0, b=NoTangent())
    assert flatten(2.5)[0] == [2.5]
    assert flatten(2.5)[1]([3.5]) == 3.5
    assert flatten("text")[1]([]) == NoTangent()
    assert flatten({})[1]([]) == {}


def test_tangents_can_be_flattened_too():
    """The numbers in a tangent are found, and others come in a tangent of the same class."""
    gradient = StructuralTangent[Data](a=1.5, b=NoTangent())

    leaves, rebuild = flatten(gradient)

    assert leaves == [1.5]
    assert rebuild([2.5]) == StructuralTangent[Data](a=2.5, b=NoTangent())


def test_the_form_that_users_have():
    """Tuples, lists and dicts stay the same; other values with fields have a `Tangent`."""
    assert in_containers_of((1.0, 2.0), {0: 3.0, 1: 4.0}) == (3.0, 4.0)
    assert in_containers_of(Named(1.0, 2.0), {"a": 3.0, "b": 4.0}) == Named(3.0, 4.0)
    assert in_containers_of(Data(1.0, 2.0), {"a": 3.0, "b": 4.0}) == StructuralTangent[Data](a=3.0, b=4.0)


class Model:
    """An instance of an ordinary class."""

    def __init__(self, layers):
        self.layers = layers


def test_the_form_that_instances_have():
    """In the `Tangent` of an instance lists are tangents too, and numbers are themselves."""
    tangent = in_containers_of(Model([1.0, (2.0,), {"a": 2.5}]), {"layers": [3.0, (4.0,), {"a": 5.0}]})

    layers = Tangent[list](3.0, Tangent[tuple](4.0), Tangent[dict]({"a": 5.0}))
    assert tangent == StructuralTangent[Model](layers=layers)
    assert in_containers_of(Model(1.0), {"layers": 3.0}) == StructuralTangent[Model](layers=3.0)
