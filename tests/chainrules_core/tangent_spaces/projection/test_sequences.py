"""Tests of `chainrules_core.tangent_spaces.projection.sequences`."""

import typing
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core import (
    DimensionMismatchError,
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    register_carrier,
    thunk,
)
from chainrules_core.tangent_spaces.projection import NoTangentProjector, NumberProjector, SequenceProjector
from tests.chainrules_core.boxes import UncalledBackend
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values


@pytest.mark.parametrize("sequence", [tuple, list])
@pytest.mark.parametrize(
    "x_bar",
    [
        (1, 2 + 3j),
        [1, 2 + 3j],
        np.array([1, 2 + 3j]),
        Tangent[tuple](1, 2 + 3j),
        Tangent[list](1, 2 + 3j),
        Tangent[Any](1, 2 + 3j),
    ],
    ids=lambda x_bar: type(x_bar).__name__,
)
def test_the_projection_is_the_primals_structural_tangent(sequence, x_bar):
    """Tuples, lists, arrays and structural tangents become one with projected items."""
    projected = ProjectTo(sequence([1.0, 2.0]))(x_bar)

    assert projected == Tangent[sequence](1.0, 2.0)
    assert type(projected) is Tangent[sequence]


def test_items_that_cannot_be_perturbed_have_no_tangent():
    """Part of a tuple may be perturbable and part not."""
    projected = ProjectTo(([1, 2], False, "a"))(([3, 4], 5, 6))

    assert projected == Tangent[tuple](Tangent[list](3.0, 4.0), NoTangent(), NoTangent())


def test_what_fits_is_returned_as_it_is():
    """A structural tangent whose items fit is the same object."""
    x_bar = Tangent[tuple](1.0, np.ones(2), ZeroTangent())

    assert ProjectTo((1, np.ones(2), 3.0))(x_bar) is x_bar


def test_items_may_be_thunks():
    """They are projected once they are unthunked."""
    projected = ProjectTo((1.0,))(Tangent[tuple](thunk(lambda: 1 + 2j)))

    assert projected[0] == 1.0


@pytest.mark.parametrize("x", [(True, "a"), [None], (("a",), [False])])
def test_nothing_perturbable_inside_nothing_perturbable(x):
    """A tuple of what cannot be perturbed cannot be either, also where its projector is made by hand."""
    assert ProjectTo(x) == NoTangentProjector()
    assert ProjectTo(x)((1.0,)) is NoTangent()
    assert SequenceProjector(tuple, (NoTangentProjector(),)) == NoTangentProjector()


@pytest.mark.parametrize("sequence", [tuple, list])
def test_empty_sequences_have_an_empty_tangent(sequence):
    """They are not among what cannot be perturbed."""
    assert ProjectTo(sequence())(sequence()) == Tangent[sequence]()


@pytest.mark.parametrize("x_bar", [(1.0,), (1.0, 2.0, 3.0), Tangent[tuple](1.0), np.ones((1, 2))])
def test_other_lengths_are_refused(x_bar):
    """The error names both lengths."""
    with pytest.raises(DimensionMismatchError, match=f"length 2 .*length {len(x_bar)}"):
        ProjectTo((1.0, 2.0))(x_bar)


@pytest.mark.parametrize("x_bar", [1.0, np.array(1.0), {"a": 1.0}, "ab", Tangent[dict]({0: 1.0, 1: 2.0})])
def test_what_is_no_sequence_is_refused(x_bar):
    """Numbers, dicts and strings are no cotangents of a tuple."""
    with pytest.raises(TypeError, match="no cotangent"):
        ProjectTo((1.0, 2.0))(x_bar)


class Traced:
    """A carrier of an array without a length, or of a tuple with one."""

    def __init__(self, primal):
        self.primal = primal

    real = property(lambda self: Traced(self.primal.real))

    def __getitem__(self, index):
        return Traced(self.primal[index])


class TracedTuple(Traced):
    """A carrier of a tuple."""

    def __len__(self):
        return len(self.primal)


class TracedArray(Traced):
    """A carrier of an array."""

    shape = property(lambda self: self.primal.shape)


@pytest.mark.parametrize("x_bar", [TracedTuple((1j, 2j)), TracedArray(np.array([1j, 2j]))], ids=type)
def test_a_carrier_is_taken_apart(x_bar):
    """Its items are traced, and none is computed."""
    register_carrier(__name__, "Traced", UncalledBackend())

    projected = ProjectTo((1.0, 1j))(x_bar)

    assert type(projected) is Tangent[tuple]
    assert [item.primal for item in projected] == [0.0, 2j]


def test_named_tuples_are_projected_field_by_field():
    """Their structural tangents have names."""
    x = typing.NamedTuple("Pair", [("a", float), ("b", float)])(1.0, 2.0)

    assert ProjectTo(x)(Tangent[type(x)](b=2 + 1j)) == Tangent[type(x)](b=2.0)


def test_a_list_may_contain_itself():
    """The list where it is an item of its own is left to rules."""
    x = [1.0]
    x.append(x)

    assert ProjectTo(x)([2 + 1j, "anything"]) == Tangent[list](2.0, "anything")


def test_projectors_read_as_they_are_made():
    """The repr evaluates back to an equal projector."""
    project = ProjectTo((1.0, [2.0, "a"]))
    names = {cls.__name__: cls for cls in (SequenceProjector, NumberProjector, NoTangentProjector)}

    assert eval(repr(project), names) == project
    assert project != ProjectTo([1.0, [2.0, "a"]])


items = st.recursive(
    st.floats(-1, 1) | st.booleans() | st.just("a"),
    lambda item: st.lists(item, max_size=3).map(tuple) | st.lists(item, max_size=3),
)


@given(items)
def test_projecting_twice_is_projecting_once(x):
    """A projected cotangent fits: it is returned as the same object."""
    projected = ProjectTo(x)(x)

    assert ProjectTo(x)(projected) is projected


def test_projectors_of_other_primals_are_others():
    """Equal for equal tangent spaces, hashable, picklable; their text makes them again."""
    assert_are_values(*((1.0,), [1.0], (1.0, 1.0), (1.0, 1j), ([1.0],)))
