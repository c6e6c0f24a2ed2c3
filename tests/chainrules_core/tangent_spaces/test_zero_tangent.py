"""Tests of `chainrules_core.tangent_spaces.zero_tangent`."""

import datetime as dt
import enum
import functools
import math
import types
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core import (
    MutableTangent,
    NoTangent,
    Tangent,
    ZeroTangent,
    register_carrier,
    thunk,
    zero_tangent,
)
from tests.case_names import shown
from tests.chainrules_core.boxes import UncalledBackend


@dataclass
class Node:
    """A dataclass that may refer to itself."""

    value: Any
    next: Any = None


@dataclass(frozen=True)
class Frozen:
    """A dataclass that cannot be assigned to."""

    x: Any


class Plain:
    """A class that declares no fields."""

    def __init__(self, a):
        self.a = a


class Slotted:
    """A class with a slot that may be empty."""

    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class Point(NamedTuple):
    """A NamedTuple."""

    x: float
    y: Any


class Colour(enum.IntEnum):
    """An enum whose members are ints."""

    RED = 1


def assert_same(x, y):
    """Equal in type and value."""
    assert type(x) is type(y)
    assert x == y


# --- Numbers and arrays ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "zero"),
    [
        *((1.5, 0.0), (1j, 0j), (1, 0.0)),
        *((np.float32(1), np.float32(0)), (np.complex64(1), np.complex64(0)), (np.int8(1), np.float64(0))),
        *((Fraction(1, 2), Fraction(0)), (Decimal("1.5"), Decimal(0)), (math.inf, 0.0)),
    ],
)
def test_numbers(x, zero):
    """Zero in the number's precision; integers are perturbed as floats, as `ProjectTo` has it."""
    assert_same(zero_tangent(x), zero)


@pytest.mark.parametrize(
    "x",
    [
        True,
        np.True_,
        "a",
        b"a",
        None,
        ...,
        Colour.RED,
        slice(1),
        int,
        list[int] | None,
        math,
        math.sin,
        np.sin,
        np.sum,
    ],
    ids=shown,
)
def test_what_cannot_be_perturbed(x):
    """Bools though they are ints, strings, types, functions without captured values."""
    expected = ZeroTangent() if isinstance(x, types.UnionType) else NoTangent()

    assert zero_tangent(x) is expected


@pytest.mark.parametrize(
    ("dtype", "zero_dtype"), [("f4", "f4"), ("f8", "f8"), ("c8", "c8"), ("i4", "f8"), ("u1", "f8")]
)
@pytest.mark.parametrize("shape", [(), (3,), (2, 0)])
def test_arrays(dtype, zero_dtype, shape):
    """Zeros of the shape, in the precision that cotangents have."""
    np.testing.assert_array_equal(
        zero_tangent(np.ones(shape, dtype)), np.zeros(shape, zero_dtype), strict=True
    )


def test_arrays_of_what_cannot_be_perturbed():
    """Arrays of booleans and of strings have no tangent."""
    assert zero_tangent(np.array([True])) is NoTangent()
    assert zero_tangent(np.array(["a"])) is NoTangent()


def test_arrays_of_dates():
    """Of what perturbs a date nothing is known, but that zero does not."""
    assert zero_tangent(np.array(["2020-01-01"], dtype="datetime64[D]")) is ZeroTangent()
    assert zero_tangent(dt.date(2020, 1, 1)) is ZeroTangent()


def test_arrays_of_objects():
    """Each element has its own zero."""
    x = np.empty((1, 3), dtype=object)
    x[0, 0], x[0, 1], x[0, 2] = np.ones(2), (1, "a"), True

    zero = zero_tangent(x)

    assert zero.shape == (1, 3)
    np.testing.assert_array_equal(zero[0, 0], np.zeros(2))
    assert zero[0, 1] == Tangent[tuple](0.0, NoTangent())
    assert zero[0, 2] is NoTangent()


def test_sparse_arrays():
    """A sparse array without entries is zero."""
    zero = zero_tangent(scipy.sparse.csr_array(np.eye(3, dtype=np.int64)))

    assert type(zero) is scipy.sparse.csr_array
    assert (zero.shape, zero.dtype, zero.nnz) == ((3, 3), np.float64, 0)


# --- Structures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "zero"),
    [
        ((1.5, "a"), Tangent[tuple](0.0, NoTangent())),
        ((), Tangent[tuple]()),
        ([[1.0, 2.0], [3.0]], Tangent[list](Tangent[list](0.0, 0.0), Tangent[list](0.0))),
        ({"a": 1, 2: (True,)}, Tangent[dict]({"a": 0.0, 2: Tangent[tuple](NoTangent())})),
        (Point(1.0, 2), Tangent[Point](x=0.0, y=0.0)),
        (Frozen(1.2), Tangent[Frozen](x=0.0)),
        (Node(1.2), MutableTangent[Node](value=0.0, next=NoTangent())),
        (Plain(1.0), MutableTangent[Plain](a=0.0)),
        (Slotted(1.0), MutableTangent[Slotted](a=0.0)),
        (
            functools.partial(len, 2.0),
            Tangent[functools.partial](
                func=NoTangent(), args=Tangent[tuple](0.0), keywords=Tangent[dict]({})
            ),
        ),
        (Frozen(1.0).__eq__, Tangent[types.MethodType](__self__=Tangent[Frozen](x=0.0))),
    ],
    ids=lambda x: type(x).__name__,
)
def test_structures(x, zero):
    """A tangent with the zero of each part, which can be assigned to where the primal's fields can."""
    assert_same(zero_tangent(x), zero)


def test_closures():
    """The zero of each variable; without any there is no tangent."""
    weight, unassigned = 2.0, None

    def scale(x):
        return weight * x

    assert zero_tangent(scale) == Tangent[types.FunctionType](weight=0.0)
    assert zero_tangent(assert_same) is NoTangent()
    assert unassigned is None


def test_fields_can_be_assigned_to():
    """With tangents of any type, and also where the primal has nothing yet."""
    node, slotted = zero_tangent(Node(1.0)), zero_tangent(Slotted(1.0))

    node.next = np.ones(2)
    slotted.b = 2.0

    np.testing.assert_array_equal(node.next, np.ones(2))
    assert slotted.b == 2.0


def test_a_zero_tangent_can_be_added():
    """The primal is unchanged by adding its zero tangent."""
    x = (1.5, [2.0, Frozen(3.0)], {"a": 4.0}, "text")

    assert x + zero_tangent(x) == x


@pytest.mark.parametrize("x", [object(), type("Empty", (), {})()])
def test_values_without_fields(x):
    """Nothing is known of them but that zero fits."""
    assert zero_tangent(x) is ZeroTangent()


# --- Aliases and cycles ----------------------------------------------------------------------------


def test_tangents_alias_if_primals_do():
    """One object inside the primal has one tangent, two equal objects have two."""
    shared, node = np.ones(2), Node(1.0)

    zero = zero_tangent([shared, shared, shared.copy(), {"a": node, "b": node}, (node,), Node(1.0)])

    assert zero[0] is zero[1]
    assert zero[0] is not zero[2]
    assert zero[3]["a"] is zero[3]["b"] is zero[4][0]
    assert zero[5] is not zero[4][0]


def test_aliases_are_forgotten_between_calls():
    """Two calls give two tangents, of which one may be written into."""
    x = np.ones(2)

    assert zero_tangent(x) is not zero_tangent(x)


def test_aliases_are_forgotten_after_an_error():
    """An error inside leaves nothing behind."""
    with pytest.raises(ValueError, match="no zero"):
        zero_tangent([np.ones(2), Unlucky()])

    x = np.ones(2)
    assert zero_tangent([x])[0] is not zero_tangent([x])[0]


class Unlucky:
    """A type whose zero tangent fails."""


@zero_tangent.dispatch
def zero_of_unlucky(x: Unlucky):
    """Always fail."""
    raise ValueError("no zero")


def test_cycles():
    """A primal that contains itself has a tangent that contains itself, whatever it is."""
    node, frozen, items, mapping, array = Node(1.0), Frozen([]), [1.0], {"a": 1.0}, np.empty(1, object)
    node.next, mapping["b"], array[0] = node, mapping, array
    frozen.x.append(frozen)
    items.append(items)

    node_zero, frozen_zero = zero_tangent(node), zero_tangent(frozen)
    items_zero, mapping_zero, array_zero = zero_tangent(items), zero_tangent(mapping), zero_tangent(array)

    assert node_zero.next is node_zero
    assert frozen_zero.x[0] is frozen_zero
    assert items_zero[1] is items_zero
    assert mapping_zero["b"] is mapping_zero
    assert array_zero[0] is array_zero
    assert (node_zero.value, items_zero[0], mapping_zero["a"]) == (0.0, 0.0, 0.0)


# --- Tangents, carriers, types of third parties ----------------------------------------------------


@pytest.mark.parametrize(
    "x",
    [1.5, 1, True, (1.0, "a"), [1.0], Point(1, 2), Frozen(1.0), Node(1.0, (2.0,)), {"a": 1.0}, object()],
    ids=shown,
)
def test_idempotent(x):
    """The zero of a zero is the zero itself."""
    zero = zero_tangent(x)

    assert_same(zero_tangent(zero), zero)


def test_tangents_keep_their_structure():
    """The zero of a tangent has its fields; a thunk is not computed."""
    lazy = thunk(lambda: pytest.fail("not to be computed"))

    assert zero_tangent(Tangent[Point](y=2.0)) == Tangent[Point](y=0.0)
    assert zero_tangent(lazy) is ZeroTangent()
    assert zero_tangent(NoTangent()) is NoTangent()
    assert zero_tangent(ZeroTangent()) is ZeroTangent()


class Traced:
    """A carrier."""

    def __init__(self, primal):
        self.primal = primal


def test_carriers_count_as_what_they_carry():
    """The zero of a carrier is the zero of its primal, however deep, and inside of containers."""
    register_carrier(__name__, "Traced", UncalledBackend())

    assert zero_tangent((Traced(Traced(2.0)), Traced("a"))) == Tangent[tuple](0.0, NoTangent())


class TracedArray(Traced):
    """A carrier that looks like an array, whatever it carries."""

    shape = ()
    dtype = np.dtype(float)

    def __array_function__(self, function, types, args, kwargs):
        return NotImplemented


def test_carriers_that_look_like_arrays():
    """They count as what they carry too, which may be a number."""
    register_carrier(__name__, "TracedArray", UncalledBackend())

    assert zero_tangent(TracedArray(2.0)) == 0.0
    assert type(zero_tangent(TracedArray(2.0))) is float
    np.testing.assert_array_equal(zero_tangent(TracedArray(np.ones(2))), np.zeros(2))


def test_third_parties_add_their_types():
    """A method for a class serves where it is met, inside of containers too."""

    class Temperature:
        pass

    @zero_tangent.dispatch
    def zero_of_temperature(primal: Temperature):
        return "no difference"

    assert zero_tangent([Temperature()])[0] == "no difference"


values = st.recursive(
    st.floats() | st.integers() | st.booleans() | st.text(max_size=1),
    lambda value: (
        st.lists(value, max_size=3)
        | st.tuples(value, value)
        | st.dictionaries(st.text(max_size=1), value, max_size=2)
    ),
)


@given(values)
def test_zero_tangents_of_nested_values_are_idempotent(x):
    """The zero of a zero tangent equals it, for values nested in any way."""
    zero = zero_tangent(x)

    assert zero_tangent(zero) == zero


def test_scalars_without_fields():
    """Of a date nothing is known but that zero fits."""
    assert zero_tangent(np.datetime64("2020-01-01")) == ZeroTangent()


@pytest.mark.parametrize("name", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_sparse_primals_of_every_format(name):
    """The zero is of the same class and shape, in the precision of cotangents, and stores nothing."""
    for make in (getattr(scipy.sparse, f"{name}_array"), getattr(scipy.sparse, f"{name}_matrix")):
        zero = zero_tangent(make(np.eye(3, dtype=int)))
        assert (type(zero), zero.shape, zero.dtype, zero.nnz) == (make, (3, 3), float, 0)
