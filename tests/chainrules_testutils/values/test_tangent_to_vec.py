"""Tangents as vectors beside the vector of their primal."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import (
    DerivativeNotImplementedError,
    DimensionMismatchError,
    NoTangent,
    Tangent,
    ZeroTangent,
    not_implemented,
    thunk,
)
from chainrules_core.structured import Diagonal
from chainrules_testutils import rand_tangent, to_vec
from chainrules_testutils.values.parts import with_parts
from chainrules_testutils.values.tangent_to_vec import perturbable, tangent_from_vec, tangent_to_vec
from tests.chainrules_testutils.rules_under_test import Foo, Pair
from tests.chainrules_testutils.values.test_to_vec import VALUES

FOO = Foo(np.array([1.0, 2.0]), 3.0)

CASES = {
    "number": (1.0, 2.0, [2]),
    "real tangent of a complex number": (1j, 2.0, [2, 0]),
    "zero": (FOO, ZeroTangent(), [0, 0, 0]),
    "thunk": (FOO, thunk(lambda: Tangent[Foo](c=1.0)), [0, 0, 1]),
    "fields left out": (FOO, Tangent[Foo](A=np.ones(2)), [1, 1, 0]),
    "fields in another order": (FOO, Tangent[Foo](c=5.0, A=thunk(lambda: np.ones(2))), [1, 1, 5]),
    "natural": (FOO, Foo(np.ones(2), 2.0), [1, 1, 2]),
    "nested": ((FOO, 1.0), Tangent[tuple](Tangent[Foo](c=2.0), NoTangent()), [0, 0, 2, 0]),
    "real tangent of a complex array": (np.array([1j, 2j]), np.ones(2), [1, 0, 1, 0]),
    "numbers for an array of objects": (np.array([1.0, 2.0], dtype=object), np.array([5.0, 7.0]), [5, 7]),
    "array of objects": (
        np.array([1.0, (2.0, 3.0)], dtype=object),
        with_parts(np.empty(2, dtype=object), {0: 5.0, 1: Tangent[tuple](0.0, 7.0)}),
        [5, 0, 7],
    ),
}


@pytest.mark.parametrize(("x", "x_dot", "numbers"), CASES.values(), ids=CASES)
def test_numbers(x, x_dot, numbers):
    """The vector stands beside the one of the primal, with zeros for what the tangent leaves out."""
    vec = tangent_to_vec(x, x_dot)

    assert vec.tolist() == numbers
    assert vec.size == to_vec(x)[0].size


@pytest.mark.parametrize("name", VALUES)
def test_random_tangents_fit(name):
    """A random tangent has a vector of the primal's length, and comes back from it."""
    x, _ = VALUES[name]
    if "tangent" in name or "thunk" in name or name == "zero":
        return
    x_dot = rand_tangent(x, 1)
    vec = tangent_to_vec(x, x_dot)

    assert vec.size == to_vec(x)[0].size
    assert not vec[~perturbable(x, x_dot)].any()
    assert np.array_equal(tangent_to_vec(x, tangent_from_vec(x, x_dot, vec)), vec)


@pytest.mark.parametrize(
    ("x", "x_dot"),
    [(1.0, np.ones(2)), (np.ones(2), 1.0), (1.0, 1j), ((1.0, 2.0), 1.0), (np.ones(3), np.ones(2))],
)
def test_misfits_are_refused(x, x_dot):
    """A tangent with other numbers than its primal is an error."""
    with pytest.raises(DimensionMismatchError, match="cannot have as its tangent"):
        tangent_to_vec(x, x_dot)


def test_not_implemented_is_refused():
    """A tangent that is not implemented has no numbers."""
    with pytest.raises(DerivativeNotImplementedError, match="because"):
        tangent_to_vec((1.0,), Tangent[tuple](not_implemented("because")))


def test_perturbable_coordinates():
    """Only coordinates with `NoTangent` are held."""
    x = (Pair(1.0, 2), 3.0, np.ones(2), 4)
    x_dot = Tangent[tuple](Tangent[Pair](a=1.0, n=NoTangent()), ZeroTangent(), np.ones(2), NoTangent())

    assert perturbable(x, x_dot).tolist() == [True, False, True, True, True, False]


def test_tangents_from_vectors():
    """A vector becomes a number, an array or a `Tangent`, as its primal asks, in double precision."""
    x = {"a": np.ones((1, 2), dtype=np.float32), "b": (1.0, 2), "c": 1j}
    like = Tangent[dict]({"b": Tangent[tuple](1.0, NoTangent())})
    tangent = tangent_from_vec(x, like, np.arange(6.0))

    assert tangent["a"].tolist() == [[0.0, 1.0]]
    assert tangent["a"].dtype == np.float64
    assert tangent["b"] == Tangent[tuple](2.0, NoTangent())
    assert tangent["c"] == 4 + 5j


def test_tangents_from_vectors_beside_a_zero():
    """A zero stands for a tangent of zeros, all of which may move."""
    assert tangent_from_vec((1.0, 2.0), ZeroTangent(), np.array([3.0, 4.0])) == Tangent[tuple](3.0, 4.0)


def test_sparse_tangents_have_the_shape_of_their_primal():
    """One of another shape has no entries where the primal has some."""
    with pytest.raises(DimensionMismatchError, match=r"\(2, 2\) cannot have a tangent of \(3, 3\)"):
        tangent_to_vec(scipy.sparse.csr_array(np.eye(2)), np.eye(3))


def test_structured_tangents_of_ordinary_arrays():
    """A structured tangent of an ordinary array gives all elements."""
    vec = tangent_to_vec(np.ones((2, 2)), Diagonal(np.array([3.0, 4.0])))

    assert vec.tolist() == [3.0, 0.0, 0.0, 4.0]


@pytest.mark.parametrize("length", [1, 3])
def test_object_arrays_of_other_lengths(length):
    """An array of objects has tangents of its own shape."""
    x = np.array([1.0, 2.0], dtype=object)

    with pytest.raises(DimensionMismatchError):
        tangent_to_vec(x, np.ones(length, dtype=object))


def test_sparse_primals_are_left_as_they_are():
    """With entries twice, and in any order."""
    x = scipy.sparse.coo_array((np.array([1.0, 2.0, 3.0]), ([1, 0, 1], [0, 1, 0])), shape=(2, 2))

    np.testing.assert_array_equal(tangent_to_vec(x, np.array([[1.0, 2.0], [3.0, 4.0]])), [2.0, 3.0])
    np.testing.assert_array_equal(to_vec(x)[0], [2.0, 4.0])
    np.testing.assert_array_equal(x.data, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(x.row, [1, 0, 1])


@pytest.mark.parametrize("axes", [1, 3])
def test_sparse_primals_of_any_number_of_axes(axes):
    """Elements of the tangent are read where the primal has its entries, along each axis."""
    places = ([0, 1, 1], [2, 0, 1], [1, 0, 3])[:axes]
    x = scipy.sparse.coo_array((np.array([1.0, 2.0, 3.0]), places), shape=(2, 3, 4)[:axes])
    x_dot = np.arange(24.0).reshape(2, 3, 4)[(..., *[0] * (3 - axes))]

    entries = x.copy()
    entries.sum_duplicates()
    np.testing.assert_array_equal(tangent_to_vec(x, x_dot), x_dot[entries.coords])
