"""The tangents of the items of iterables, and the cotangents of iterables."""

from typing import NamedTuple

import numpy as np
import pytest

from chainrules.values.iterables import (
    dict_tangent,
    held,
    item_tangents,
    iterable_cotangent,
    no_cotangent,
    tuple_tangent,
    zeros_if_zero,
)
from chainrules_core import NoTangent, Tangent, ZeroTangent, thunk


class Pair(NamedTuple):
    """A named tuple."""

    first: float
    second: float


def test_held():
    """An iterator is read once; what can be read again stays what it is."""
    xs = [1.5]
    assert held(xs) is xs
    assert held(iter(xs)) == (1.5,)


@pytest.mark.parametrize(
    "xs_dot",
    [
        Tangent[list](1.0, 2.0),
        Tangent[Pair](first=1.0, second=2.0),
        np.array([1.0, 2.0]),
        thunk(lambda: Tangent[tuple](1.0, 2.0)),
    ],
)
def test_item_tangents(xs_dot):
    """Of structural tangents and arrays."""
    assert item_tangents(xs_dot, 2) == [1.0, 2.0]


def test_item_tangents_of_zero():
    """A zero for each."""
    assert item_tangents(ZeroTangent(), 2) == [ZeroTangent(), ZeroTangent()]


@pytest.mark.parametrize(
    ("xs", "expected"),
    [
        ([1.5, 2.5], Tangent[list](3.0, 4.0)),
        ((1.5, 2.5), Tangent[tuple](3.0, 4.0)),
        (Pair(1.5, 2.5), Tangent[Pair](first=3.0, second=4.0)),
        ({"a": 1.5, "b": 2.5}.values(), Tangent[tuple](3.0, 4.0)),
        (range(2), NoTangent()),
        ({0: "a", 1: "b"}, NoTangent()),
    ],
)
def test_iterable_cotangent(xs, expected):
    """In the kind of the iterable; a tuple for what has none of its own; none for constants."""
    assert iterable_cotangent(xs, tuple(xs), [3.0, 4.0]) == expected


def test_iterable_cotangent_of_arrays():
    """An array in the precision of the primal; rows that nothing depends on are zero."""
    xs = np.ones((2, 3), dtype=np.float32)
    xs_bar = iterable_cotangent(xs, tuple(xs), [ZeroTangent(), np.ones(3)])
    assert xs_bar.dtype == np.float32
    np.testing.assert_array_equal(xs_bar, [[0, 0, 0], [1, 1, 1]])
    assert iterable_cotangent(np.ones((0, 3)), (), []).shape == (0, 3)


def test_iterable_cotangent_of_zeros():
    """A zero, `NoTangent` if there is nothing that could be perturbed."""
    zeros = [ZeroTangent(), ZeroTangent()]
    assert iterable_cotangent([1.5, 2.5], (1.5, 2.5), zeros) is ZeroTangent()
    assert iterable_cotangent(["a", "b"], ("a", "b"), zeros) is NoTangent()
    assert iterable_cotangent([], (), []) is NoTangent()


def test_items_are_projected():
    """A real number has a real cotangent."""
    assert iterable_cotangent([1.5], (1.5,), [3 + 4j]) == Tangent[list](3.0)


def test_structural_tangents():
    """Of dicts, tuples and named tuples."""
    assert dict_tangent(dict, {"a": 1.0}) == Tangent[dict]({"a": 1.0})
    assert tuple_tangent(Pair, (1.0, 2.0)) == Tangent[Pair](first=1.0, second=2.0)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (1.5, ZeroTangent()),
        ("a", NoTangent()),
        ([1.5], ZeroTangent()),
        *((empty, NoTangent()) for empty in ((), [], {})),
    ],
)
def test_no_cotangent(x, expected):
    """Of what could be perturbed a zero."""
    assert no_cotangent(x) is expected


def test_zeros_if_zero():
    """In the shape of the primal."""
    np.testing.assert_array_equal(zeros_if_zero(np.ones(2), ZeroTangent()), np.zeros(2))
    assert zeros_if_zero(1.5, thunk(lambda: 2.5)) == 2.5
