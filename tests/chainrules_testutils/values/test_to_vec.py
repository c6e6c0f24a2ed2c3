"""`to_vec` goes to real numbers and back, for every type."""

import functools
import math
import types
from collections import OrderedDict
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core import (
    DimensionMismatchError,
    InplaceableThunk,
    MutableTangent,
    NoTangent,
    Tangent,
    ZeroTangent,
    thunk,
)
from chainrules_testutils import to_vec
from chainrules_testutils.values.to_vec import is_structure
from tests.chainrules_testutils.rules_under_test import Foo, Multiplier, Pair, scaled_by


class Point(NamedTuple):
    """A NamedTuple."""

    x: float
    y: float


class Line:
    """What attrs makes of a class, as far as it is looked at here."""

    __attrs_attrs__ = tuple(
        types.SimpleNamespace(name=name, init=True, alias=name) for name in ("slope", "name")
    )

    def __init__(self, slope, name):
        self.slope, self.name = slope, name

    def __eq__(self, other):
        return (self.slope, self.name) == (other.slope, other.name)

    __hash__ = None


class Slotted:
    """A class with slots."""

    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __eq__(self, other):
        return (self.a, self.b) == (other.a, other.b)

    __hash__ = None

    def double(self):
        """Twice `a`."""
        return 2 * self.a


@dataclass(frozen=True)
class Empty:
    """A class without fields."""


# Values, and the numbers in them.
VALUES = {
    "float": (1.5, [1.5]),
    "int": (3, [3.0]),
    "complex": (1.5 - 2j, [1.5, -2.0]),
    "float32": (np.float32(0.5), [0.5]),
    "complex64": (np.complex64(1 + 2j), [1.0, 2.0]),
    "int64": (np.int64(4), [4.0]),
    "fraction": (Fraction(1, 4), [0.25]),
    "bool": (True, []),
    "numpy bool": (np.bool_(True), []),
    "None": (None, []),
    "str": ("text", []),
    "bytes": (b"bytes", []),
    "class": (float, []),
    "module": (math, []),
    "builtin": (math.sin, []),
    "ufunc": (np.sin, []),
    "function": (to_vec, []),
    "slice": (slice(1, 2), []),
    "array": (np.array([[1.0, 2.0], [3.0, 4.0]]), [1, 2, 3, 4]),
    "array in Fortran order": (np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]), [1, 2, 3, 4]),
    "float32 array": (np.array([1.0, 2.0], dtype=np.float32), [1, 2]),
    "int array": (np.array([1, 2]), [1, 2]),
    "bool array": (np.array([True]), []),
    "str array": (np.array(["a"]), []),
    "complex array": (np.array([1 + 2j, 3 - 4j]), [1, 2, 3, -4]),
    "complex64 array": (np.array([1 + 2j], dtype=np.complex64), [1, 2]),
    "0-d array": (np.array(2.0), [2.0]),
    "empty array": (np.ones((0, 3)), []),
    "view": (np.arange(6.0)[::2], [0, 2, 4]),
    "object array": (np.array([1.0, (2.0, 3j), "a"], dtype=object), [1, 2, 0, 3]),
    "sparse array": (scipy.sparse.csr_array([[0.0, 2.0], [3.0, 0.0]]), [2, 3]),
    "complex sparse array": (scipy.sparse.coo_array([[0.0, 2.0j]]), [0, 2]),
    "tuple": ((1.0, (2.0, "a")), [1, 2]),
    "empty tuple": ((), []),
    "namedtuple": (Point(1.0, 2.0), [1, 2]),
    "typed namedtuple": (Pair(1.0, 2), [1, 2]),
    "list": ([1.0, [2.0]], [1, 2]),
    "dict": ({"b": 1.0, 2: 2j}, [1, 0, 2]),
    "ordered dict": (OrderedDict(b=1.0, a=2.0), [1, 2]),
    "dataclass": (Foo(np.ones(2), 3.0), [1, 1, 3]),
    "attrs": (Line(2.0, "name"), [2]),
    "plain object": (Multiplier(2.0), [2]),
    "slotted": (Slotted(1.0, [2.0]), [1, 2]),
    "without fields": (Empty(), []),
    "closure": (scaled_by(3.0), [3]),
    "partial": (functools.partial(max, 1.0, key=scaled_by(2.0)), [1, 2]),
    "bound method": (Slotted(1.0, 2.0).double, [1, 2]),
    "zero": (ZeroTangent(), []),
    "no tangent": (NoTangent(), []),
    "tangent": (Tangent[Foo](c=2.0), [2]),
    "mutable tangent": (MutableTangent[Foo](c=2.0), [2]),
    "tangent of a tuple": (Tangent[tuple](1.0, NoTangent(), 2j), [1, 0, 2]),
    "tangent of a dict": (Tangent[dict]({"a": 1.0}), [1]),
    "thunk": (thunk(lambda: np.ones(2)), [1, 1]),
    "thunk in place": (InplaceableThunk(lambda x: x, thunk(lambda: 2.0)), [2]),
}


@pytest.mark.parametrize(("x", "numbers"), VALUES.values(), ids=VALUES)
def test_numbers(x, numbers):
    """The vector holds the real numbers, in order, in new memory."""
    vec, _ = to_vec(x)

    assert vec.dtype == np.float64
    assert vec.tolist() == numbers
    assert not (isinstance(x, np.ndarray) and np.shares_memory(vec, x))


@pytest.mark.parametrize(("x", "numbers"), VALUES.values(), ids=VALUES)
def test_round_trip(x, numbers):
    """`back` of the vector has the class, and again the vector, of the value."""
    vec, back = to_vec(x)
    again = back(vec)

    assert to_vec(again)[0].tolist() == numbers
    if "Thunk" not in type(x).__name__:
        assert type(again) is type(x)
        assert getattr(again, "dtype", None) == getattr(x, "dtype", None)
        assert getattr(again, "shape", None) == getattr(x, "shape", None)


@pytest.mark.parametrize(
    "name", ["tuple", "dict", "list", "namedtuple", "attrs", "slotted", "str", "complex", "ordered dict"]
)
def test_round_trip_is_equal(name):
    """What can be compared with `==` comes back equal."""
    x, _ = VALUES[name]
    vec, back = to_vec(x)

    assert back(vec) == x


@pytest.mark.parametrize(("x", "numbers"), VALUES.values(), ids=VALUES)
def test_moving(x, numbers):
    """`back` of a moved vector holds the moved numbers."""
    vec, back = to_vec(x)

    assert to_vec(back(vec + 0.25))[0].tolist() == [number + 0.25 for number in numbers]


@pytest.mark.parametrize(("x", "numbers"), VALUES.values(), ids=VALUES)
def test_wrong_lengths_are_refused(x, numbers):
    """`back` of a vector of another length is an error."""
    vec, back = to_vec(x)

    with pytest.raises(DimensionMismatchError, match=f"has {len(numbers)} numbers"):
        back(np.append(vec, 1.0))


@pytest.mark.parametrize("dtype", [np.float64, np.complex64])
def test_the_vector_of_a_subclass_is_an_ordinary_array(dtype):
    """Whatever methods the subclass has."""

    class Own(np.ndarray):
        pass

    assert type(to_vec(np.ones(2, dtype).view(Own))[0]) is np.ndarray


def test_back_shares_no_memory():
    """Writing into a value that `back` made changes neither the vector nor the original."""
    x = np.ones(2)
    vec, back = to_vec([x])
    back(vec)[0][:] = 5.0
    back(vec)[0][:] = 6.0

    assert vec.tolist() == x.tolist() == [1.0, 1.0]


def test_integers_become_floats_when_they_move():
    """An integer that was not moved stays an integer; a moved one becomes a float."""
    vec, back = to_vec((3, np.array([1, 2])))
    moved = back(vec + np.array([0.5, 0.0, 0.5]))

    assert back(vec)[0] == 3
    assert type(back(vec)[0]) is int
    assert type(moved[0]) is float
    assert moved[1].tolist() == [1.0, 2.5]


def test_closures_are_called_with_moved_cells():
    """The function that comes back closes over the moved numbers; the original does not."""
    scale = scaled_by(3.0)
    vec, back = to_vec(scale)

    assert back(vec + 1.0)(2.0) == 8.0
    assert scale(2.0) == 6.0


def test_recursive_functions():
    """A function that calls itself holds itself, and that is no end of numbers."""
    base = 2.0

    def power(n):
        return 1.0 if n == 0 else base * power(n - 1)

    vec, back = to_vec(power)
    assert vec.tolist() == [2.0]
    assert back(vec)(3) == 8.0


@pytest.mark.parametrize("x", [np.array(["2020-01-01"], dtype="datetime64[D]"), np.zeros(2, dtype="f8, i4")])
def test_dates_and_records_are_refused(x):
    """Arrays whose elements are no real numbers are an error, not nothing."""
    with pytest.raises(TypeError, match="no elements that are numbers"):
        to_vec(x)


def test_it_can_be_extended():
    """A method for a class of one's own is used, also where it is nested, and it is no structure any more."""

    class Angle:
        def __init__(self, degrees):
            self.degrees = degrees

    assert is_structure(Angle(180.0))

    @to_vec.dispatch
    def angle_to_vec(x: Angle):
        return np.array([np.deg2rad(x.degrees)]), lambda vec: Angle(np.rad2deg(vec[0]))

    vec, back = to_vec([Angle(180.0)])
    assert vec.tolist() == [np.pi]
    assert back(vec / 2)[0].degrees == 90.0
    assert not is_structure(Angle(180.0))


numbers = st.floats(allow_nan=False, allow_infinity=False, width=32) | st.complex_numbers(
    allow_nan=False, allow_infinity=False, max_magnitude=1e6
)
values = st.recursive(
    numbers | st.text(max_size=3) | st.none() | st.booleans() | st.integers(-(2**53), 2**53),
    lambda x: st.lists(x, max_size=3) | st.tuples(x, x) | st.dictionaries(st.text(max_size=2), x, max_size=3),
    max_leaves=8,
)


@given(values)
def test_nested_values_round_trip(x):
    """Any nesting of containers comes back equal."""
    vec, back = to_vec(x)

    assert back(vec) == x


def test_sparse_arrays_are_left_as_they_are():
    """Entries at the same place are summed in a copy."""
    x = scipy.sparse.coo_array((np.array([1.0, 2.0]), ([0, 0], [1, 1])), shape=(2, 2))

    assert to_vec(x)[0].tolist() == [3.0]
    assert x.data.tolist() == [1.0, 2.0]


def test_masked_arrays_are_refused():
    """What stands behind a mask is no number."""
    with pytest.raises(TypeError, match="give it unmasked"):
        to_vec(np.ma.masked_array([1.0], [True]))


def test_what_is_no_structure():
    """Objects without fields, and those with a vector of their own, are not gone through."""
    for x in (range(3), "text", 1.0, np.ones(2), (), np.sin):
        assert not is_structure(x)
    for x in ((1.0,), [1.0], {"a": 1.0}):
        assert is_structure(x)
