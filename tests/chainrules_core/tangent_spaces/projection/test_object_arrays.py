"""Tests of `chainrules_core.tangent_spaces.projection.object_arrays`."""

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
)
from chainrules_core.tangent_spaces.projection import NoTangentProjector, ObjectArrayProjector
from tests.chainrules_core.boxes import UncalledBackend
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values


def objects(*elements):
    """An array of these objects, sequences among them not taken apart."""
    array = np.empty(len(elements), dtype=object)
    for index, element in enumerate(elements):
        array[index] = element
    return array


def test_each_element_is_projected():
    """Elements of different types have different tangent spaces."""
    projected = ProjectTo(objects(1, 2 + 3j, True, np.ones(2, np.float32)))(
        objects(1 + 1j, 2, 3, np.ones((1, 2)))
    )

    assert projected.dtype == object
    assert list(projected[:3]) == [1.0, 2 + 0j, NoTangent()]
    assert type(projected[1]) is complex
    np.testing.assert_array_equal(projected[3], np.ones(2, np.float32), strict=True)


def test_an_array_of_numbers_is_a_cotangent():
    """The cotangent need not be an array of objects; the projection is."""
    projected = ProjectTo(objects(1.0, 2.0))(np.array([[1 + 2j, 3]]))

    assert projected.dtype == object
    assert list(projected) == [1.0, 3.0]


def test_what_fits_is_returned_as_it_is():
    """If every element fits, so does the array."""
    x_bar = objects(1.0, np.ones(2), ZeroTangent())

    assert ProjectTo(objects(2.0, np.zeros(2), 1))(x_bar) is x_bar


@pytest.mark.parametrize("x", [objects("a", "b"), objects(True, None), np.array([[False]], object)])
def test_nothing_perturbable_inside_nothing_perturbable(x):
    """An array of what cannot be perturbed cannot be either, also where its projector is made by hand."""
    assert ProjectTo(x) == NoTangentProjector()
    assert ObjectArrayProjector((NoTangentProjector(),), (1,)) == NoTangentProjector()


def test_empty_arrays_stay_empty():
    """An array without elements is projected onto one."""
    project = ProjectTo(np.empty(0, object))

    assert project(np.empty((1, 0))).shape == (0,)


def test_sequences_are_elements():
    """A tuple in an array is one element, and stays one."""
    projected = ProjectTo(objects((1.0, 2.0), (3.0,)))(objects((1, 2), (3,)))

    assert projected[0] == Tangent[tuple](1.0, 2.0)
    assert projected[1] == Tangent[tuple](3.0)


def test_an_array_without_axes_takes_its_elements_cotangent():
    """A 0-d array of objects is what holds one object."""
    x = np.array(None)
    x[()] = (1.0, 2.0)

    assert ProjectTo(x)((1, 2))[()] == Tangent[tuple](1.0, 2.0)


class Traced:
    """A carrier of an array: it has a shape and a dtype, and its elements are traced."""

    def __init__(self, primal):
        self.primal = primal

    shape = property(lambda self: self.primal.shape)
    dtype = property(lambda self: self.primal.dtype)
    real = property(lambda self: Traced(self.primal.real))

    def __getitem__(self, index):
        return Traced(self.primal[index])


def test_a_carrier_is_taken_apart():
    """Its elements are traced, and none is computed."""
    register_carrier(__name__, "Traced", UncalledBackend())

    projected = ProjectTo(objects(1.0, 1j))(Traced(np.array([1j, 2j])))

    assert [type(element) for element in projected] == [Traced, Traced]
    assert [element.primal for element in projected] == [0.0, 2j]


def test_shapes_and_kinds_are_checked():
    """Cotangents of other shapes and kinds are refused, as for arrays of numbers."""
    with pytest.raises(DimensionMismatchError):
        ProjectTo(objects(1.0, 2.0))(np.ones((2, 1)))
    with pytest.raises(TypeError, match="no cotangent"):
        ProjectTo(objects(1.0, 2.0))([1.0, 2.0])
    with pytest.raises(TypeError, match="no cotangent"):
        ProjectTo(objects(1.0, 2.0))(Tangent[tuple](1.0, 2.0))


def test_an_array_may_contain_itself():
    """The array where it is an element of its own is left to rules."""
    x = objects(1.0, None)
    x[1] = x
    x_bar = objects(1.0, "anything")

    assert ProjectTo(x)(x_bar) is x_bar


@given(
    st.lists(
        st.tuples(st.floats(-1, 1) | st.booleans() | st.just("a"), st.complex_numbers(max_magnitude=1)),
        max_size=4,
    )
)
def test_projecting_twice_is_projecting_once(elements):
    """A projected array fits: it is returned as the same object."""
    project = ProjectTo(objects(*(x for x, _ in elements)))
    projected = project(objects(*(x_bar for _, x_bar in elements)))

    assert project(projected) is projected


def test_projectors_of_other_primals_are_others():
    """Equal for equal tangent spaces, hashable, picklable; their text makes them again."""
    assert_are_values(*(np.array([None, 1.0]), np.array([1.0, None]), np.array([[None, 1.0]])))
