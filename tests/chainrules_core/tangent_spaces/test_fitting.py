"""Tangents that fit, that are made to, and that do not."""

from collections import namedtuple

import numpy as np
import pytest
from scipy.sparse import csr_array, dok_array

from chainrules_core import (
    DimensionMismatchError,
    InplaceableThunk,
    NoTangent,
    Tangent,
    TangentStructureError,
    Thunk,
    ZeroTangent,
    not_implemented,
)
from chainrules_core.structured import Diagonal
from chainrules_core.tangent_spaces.fitting import ArrayLayout, fitted, layout_of
from tests.chainrules_core.boxes import Box

Pair = namedtuple("Pair", "first second")  # noqa: PYI024 - without annotations, as users write them

X = np.arange(3.0)


class Shapeless(Box):
    """A carrier that does not say its shape."""

    shape = None


OBJECTS = np.array([1.5, None])
DICTIONARY = dok_array(np.eye(2))  # which is a dict
DIAGONAL = Diagonal(X)


@pytest.mark.parametrize(
    ("primal", "x_bar"),
    [
        (1.5, 2.0),
        (1.5, np.float64(2.0)),
        (1.5j, 2j),
        (X, X),
        (X, ZeroTangent()),
        (X, NoTangent()),
        (X, not_implemented("why")),
        (DIAGONAL, DIAGONAL),
        (DIAGONAL, np.ones((3, 3))),
        (DIAGONAL, Tangent[Diagonal](diag=X)),
        (csr_array(np.eye(2)), np.eye(2)),
        (DICTIONARY, DICTIONARY),
        (np.eye(2), DICTIONARY),
        ((1.5, X), Tangent[tuple](1.0, X)),
        ((1.5, X), (1.0, X)),
        ((1.5, 2.5), X[:2]),
        ([1.5, X], Tangent[list](ZeroTangent(), X)),
        (Pair(1.5, X), Tangent[Pair](second=X)),
        (Pair(1.5, X), Tangent[tuple](1.0, X)),
        (Pair(1.5, X), Pair(1.0, X)),
        ((), ()),
        ({"a": X}, Tangent[dict]({"a": X})),
        (np.array(["a", "b", "c"]), X),
        (OBJECTS, OBJECTS),
        (True, 1.0),
        ("text", object()),
        ("text", X),
        (X, Box(X)),
        ((1.5, 2.5), Box(X[:2])),
        ((1.5, 2.5), Shapeless(X[:2])),
        (X, Shapeless(X)),
    ],
)
def test_what_fits_is_returned_as_the_same_object(primal, x_bar):
    """Tangents of the shape and the precision, structural ones of the primal's kind, zeros and carriers."""
    assert fitted(layout_of(primal), x_bar) is x_bar


@pytest.mark.parametrize(
    ("primal", "x_bar", "expected"),
    [
        (1.5, 2, 2.0),
        (1.5, np.float32(2.0), 2.0),
        (1.5, 2 + 3j, 2.0),
        (3, 2, 2.0),
        (1.5, np.array(2.0), 2.0),
        (np.float32(1.5), 2.0, np.float32(2.0)),
        (X, np.arange(3), X),
        (X, X.astype(np.float32), X),
        (X, X + 2j, X),
        (X * 1j, X, X.astype(complex)),
        (X.astype(np.float32), X, X.astype(np.float32)),
        (np.arange(3), np.arange(3), X),
        (np.array(1.5), 2, np.array(2.0)),
        (DIAGONAL, np.ones((3, 3), dtype=int), np.ones((3, 3))),
        ((1.5, X), Tangent[tuple](2, np.arange(3)), Tangent[tuple](2.0, X)),
        ((1.5, X), (2, X), (2.0, X)),
        (Pair(1.5, X), Tangent[Pair](first=2), Tangent[Pair](first=2.0)),
    ],
)
def test_numbers_come_in_the_precision_of_the_primal(primal, x_bar, expected):
    """Integers become floats, complex numbers real where the primal is, by themselves and in items."""
    actual = fitted(layout_of(primal), x_bar)

    assert type(actual) is type(expected) or isinstance(expected, float)
    if not isinstance(expected, Tangent | tuple):
        np.testing.assert_array_equal(actual, expected)
        assert np.asarray(actual).dtype == np.asarray(expected).dtype
        return
    for part, expected_part in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(part, expected_part)
        assert np.asarray(part).dtype == float


def test_thunks_are_computed():
    """Through however many layers, in items too."""
    thunk = Thunk(lambda: Thunk(lambda: X))

    assert fitted(layout_of(X), thunk) is X
    assert fitted(layout_of(X), InplaceableThunk(lambda x: x, thunk)) is X
    assert fitted(layout_of(X), Thunk(ZeroTangent)) is ZeroTangent()
    assert fitted(layout_of((1.5, X)), Tangent[tuple](1.0, thunk))[1] is X


@pytest.mark.parametrize(
    ("primal", "x_bar", "message"),
    [
        (X, np.ones(4), r"has the shape \(4,\), and needs the shape \(3,\)\."),
        (X, np.ones((1, 3)), r"has the shape \(1, 3\), .*: sum over the axes that were broadcast"),
        (X, 1.0, r"has the shape \(\), .*: write `np.full\(\(3,\), c\)`"),
        (1.5, np.ones(1), r"has the shape \(1,\), and needs the shape \(\)"),
        (np.ones((2, 0)), np.ones((2, 1)), r"has the shape \(2, 1\)"),
        (DIAGONAL, 1.0, r"has the shape \(\), and needs the shape \(3, 3\)"),
        (csr_array(np.eye(2)), np.ones((2, 3)), r"has the shape \(2, 3\)"),
        (Box(X), np.ones(4), r"has the shape \(4,\)"),
        ((1.5, X), Tangent[tuple](1.0), r"has 1 items, and needs 2: .*`ZeroTangent\(\)`"),
        ((1.5, X), (1.0, X, X), "has 3 items, and needs 2"),
        ((1.5, 2.5), X, "has 3 items, and needs 2"),
        ((1.5, X), Tangent[tuple](1.0, np.ones(4)), r"has the shape \(4,\)"),
        (Pair(1.5, X), Tangent[Pair](second=1.0), r"has the shape \(\)"),
    ],
)
def test_other_shapes(primal, x_bar, message):
    """An error says both shapes, and the mend where there is one."""
    with pytest.raises(DimensionMismatchError, match=message):
        fitted(layout_of(primal), x_bar)


@pytest.mark.parametrize(
    ("primal", "x_bar", "message"),
    [
        (X, [1.0, 2.0, 3.0], r"is a list, .*: write `np.array\(...\)`"),
        (1.5, (1.0,), "is a tuple"),
        (1.5, None, "is a NoneType"),
        (1.5, "1", "is a str"),
        ((1.5, X), 1.0, r"is a float, which is no tangent of 2 values: write `Tangent\[tuple\]"),
        ((1.5, X), Tangent[dict]({"a": 1.0}), "no tangent of 2 values"),
        ({"a": X}, Tangent[dict]({"b": X}), "no tangent of 1 values"),
    ],
)
def test_what_is_no_tangent(primal, x_bar, message):
    """What NumPy would make an array of is refused; so is a number in the place of several tangents."""
    with pytest.raises(TangentStructureError, match=message):
        fitted(layout_of(primal), x_bar)


def test_containers_of_containers():
    """Parts of parts are looked at; a list that holds itself is no obstacle."""
    x = [1.5, (X, {"a": X})]
    x.append(x)
    part = Tangent[tuple](X, Tangent[dict]({"a": X}))

    assert fitted(layout_of(x), (1.0, part, ZeroTangent()))[1] is part
    with pytest.raises(DimensionMismatchError, match="shape"):
        fitted(layout_of(x), (1.0, Tangent[tuple](X, Tangent[dict]({"a": np.ones(4)})), ZeroTangent()))


def test_layouts_keep_no_array():
    """Of an array its shape and dtype are kept, in containers too."""
    layout = ArrayLayout((3,), np.dtype(float))

    assert layout_of(X) == layout
    assert layout_of((X, "text")) == layout_of([X, "text"]) == (layout, "text")
    assert layout_of({"a": X}) == {"a": layout}
    assert layout_of(Pair(X, 1.5)) == {"first": layout, "second": 1.5}
