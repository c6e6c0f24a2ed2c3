"""Adding structural tangents to each other and to primals."""

# ruff: noqa: RUF005 - sums of containers and tangents are the subject

import functools
import gc
import types
from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from chainrules_core import (
    DimensionMismatchError,
    MutableTangent,
    NoTangent,
    PrimalAdditionFailedError,
    Tangent,
    TangentStructureError,
    ZeroTangent,
    construct,
    debugging,
    not_implemented,
    thunk,
)
from chainrules_core.tangents.structural_operations import (
    common_fields,
    field_name,
    fields_of,
    primal_type,
    restored,
    saved,
)
from tests.chainrules_core.tangents.primals import Derived, Foo, Named, Plain, Point, Selective, Slotted

# --- Tangent + Tangent ---


def test_sum_is_field_by_field():
    """Fields that one tangent lacks are the other's."""
    assert Tangent[Foo](A=1.0) + Tangent[Foo](A=2.0, c=3.0) == Tangent[Foo](A=3.0, c=3.0)
    assert Tangent[Foo](A=1.0) + Tangent[Foo](c=3.0) == Tangent[Foo](A=1.0, c=3.0)
    assert Tangent[tuple](1.0, 2.0) + Tangent[tuple](3.0, 4.0) == Tangent[tuple](4.0, 6.0)
    assert Tangent[list](1.0) + Tangent[list](3.0) == Tangent[list](4.0)
    assert Tangent[dict]({"a": 1.0, "b": 2.0}) + Tangent[dict]({"b": 3.0, "c": 4.0}) == Tangent[dict](
        {"a": 1.0, "b": 5.0, "c": 4.0}
    )
    assert Tangent[Any](1.0) + Tangent[Any](2.0) == Tangent[Any](3.0)


def test_sum_is_of_the_same_kind():
    """The tangent of a mutable primal stays what it was: a Tangent, or a MutableTangent."""
    assert type(Tangent[Foo](c=1.0) + Tangent[Foo](c=1.0)) is Tangent[Foo]
    assert type(MutableTangent[Foo](c=1.0) + MutableTangent[Foo](c=1.0)) is MutableTangent[Foo]


def test_common_fields():
    """The pairs of values of the fields that both tangents give."""
    pairs = common_fields(Tangent[dict]({"a": 1.0, "b": 2.0}), Tangent[dict]({"b": 3.0, "c": 4.0}))

    assert list(pairs) == [(2.0, 3.0)]
    assert list(common_fields(Tangent[tuple](1.0, 2.0), Tangent[tuple](3.0, 4.0))) == [(1.0, 3.0), (2.0, 4.0)]


def test_nested_sum():
    """Tangents inside tangents add likewise; thunks inside add their values."""
    x = Tangent[Foo](A=Tangent[tuple](1.0, thunk(lambda: 2.0)))
    assert x + x == Tangent[Foo](A=Tangent[tuple](2.0, 4.0))


def test_sum_of_unknown_fields():
    """A field that is not implemented stays so, in either order."""
    ni = not_implemented("this field")
    for P, make in [
        (Foo, lambda v: Tangent[Foo](A=v)),
        (tuple, Tangent[tuple]),
        (Point, lambda v: Tangent[Point](x=v)),
        (dict, lambda v: Tangent[dict]({0: v})),
    ]:
        for total in (make(ni) + make(1.0), make(1.0) + make(ni)):
            assert isinstance(total, Tangent[P])
            assert total[0] is ni


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (Tangent[Foo](A=1.0), Tangent[Point](x=1.0)),
        (Tangent[tuple](1.0), Tangent[list](1.0)),
        (Tangent[Any](1.0), Tangent[Any](x=1.0)),
        (Tangent[Foo](A=1.0), 1.0),
        (Tangent[Foo](A=1.0), np.ones(2)),
        (Tangent[Foo](A=1.0), (1.0,)),
    ],
    ids=repr,
)
def test_sum_with_another_primals(x, y):
    """Tangents of different primals, numbers and arrays do not add: that catches errors."""
    with pytest.raises(TypeError, match="Tangent"):
        x + y
    with pytest.raises(TypeError, match="Tangent"):
        y + x


def test_sum_of_different_lengths():
    """Tuples of different lengths are of different spaces."""
    with pytest.raises(DimensionMismatchError):
        Tangent[tuple](1.0) + Tangent[tuple](1.0, 2.0)


def test_fields_that_are_no_tangents():
    """H2: a field that holds text or a bool is no tangent, and is not concatenated or counted."""
    for raw in ("a", True, np.bool_(True), ["a"], {"a": True}):
        with pytest.raises(TypeError, match="not a tangent"):
            Tangent[Foo](A=raw) + Tangent[Foo](A=raw)


def test_difference():
    """`a - b` is `a + (-b)`."""
    x, y = Tangent[Foo](A=1.0), Tangent[Foo](A=3.0, c=1.0)
    assert x - y == Tangent[Foo](A=-2.0, c=-1.0)
    assert -y == Tangent[Foo](A=-3.0, c=-1.0)
    assert +y is y


# --- Scaling ---


def test_scaling():
    """By a number from either side; True is the identity."""
    t = Tangent[Foo](A=np.array([1.0, 2.0]), c=3.0)
    doubled = Tangent[Foo](A=np.array([2.0, 4.0]), c=6.0)
    for factor in (2, 2.0, np.float64(2.0), np.float32(2.0), np.array(2.0), 2 + 0j, thunk(lambda: 2.0)):
        assert factor * t == t * factor == doubled
    assert t / 0.5 == doubled
    assert True * t is t
    assert t * True is t
    assert np.multiply(2.0, t) == doubled
    assert Tangent[dict]({"a": 1.0}) * 2.0 == Tangent[dict]({"a": 2.0})


@pytest.mark.parametrize("t", [Tangent[Foo](A=1.0), Tangent[dict]({"a": 1.0})], ids=repr)
def test_only_numbers_scale(t):
    """A product with an array, thunked or not, or with a tangent has no meaning."""
    for other in (np.ones(2), thunk(lambda: np.ones(2)), t, "a", [1.0]):
        with pytest.raises(TypeError):
            other * t
        with pytest.raises(TypeError):
            t * other
    for other in (np.ones(2), t):
        with pytest.raises(TypeError):
            other @ t
        with pytest.raises(TypeError):
            t / other


# --- Primal + Tangent ---


def closure(p, q):
    """A function that closes over `p` and `q`."""

    def f(x, *, power=2):
        return p * x**power + q

    f.attribute = "kept"
    return f


def test_primal_plus_tangent_of_classes():
    """Both orders; fields without a tangent are the primal's own."""
    primal, tangent = Foo(np.ones(2), 1.0), Tangent[Foo](A=np.ones(2))
    for total in (primal + tangent, tangent + primal):
        np.testing.assert_array_equal(total.A, [2.0, 2.0])
        assert total.c == 1.0
    assert Named(1.0, "n", 3) + Tangent[Named](x=0.5, name=NoTangent()) == Named(1.5, "n", 3)
    assert Point(1.0, 2.0) + Tangent[Point](y=1.0) == Point(1.0, 3.0)
    assert type(Tangent[Point](y=1.0) + Point(1.0, 2.0)) is Point
    slotted = Slotted(1.0, 2.0) + Tangent[Slotted](x=1.0)
    assert (slotted.x, slotted.y) == (2.0, 2.0)


def test_primal_plus_tangent_of_plain_classes():
    """Attributes are set on a new instance, without calling a constructor of other arguments."""
    primal = Plain(3)
    total = primal + Tangent[Plain](w=1.0, _b=2.0)
    assert type(total) is Plain
    assert (total.w, total._b) == (4.0, 2.0)
    assert (primal.w, primal._b) == (3.0, 0.0)


def test_primal_plus_tangent_of_a_derived_field():
    """A field that `__init__` does not take moves by its own tangent."""
    assert (Derived(1.0) + Tangent[Derived](x=1.0, double=2.0)).double == 4.0
    assert (Derived(1.0) + Tangent[Derived](x=1.0)).double == 2.0


def test_primal_plus_tangent_of_containers():
    """A container plus its tangent is the sum item by item from either side, never a concatenation."""
    assert (1.0, 2.0) + Tangent[tuple](1.0, ZeroTangent()) == (2.0, 2.0)
    assert Tangent[tuple](1.0, 1.0) + (1.0, 2.0) == (2.0, 3.0)
    assert () + Tangent[tuple]() == ()
    assert [1.0, 2.0] + Tangent[list](1.0, 1.0) == [2.0, 3.0]
    assert {"a": 1.0, "b": 2.0} + Tangent[dict]({"a": 1.0}) == {"a": 2.0, "b": 2.0}
    assert {"a": 1.0} + Tangent[dict]({"c": 1.0}) == {"a": 1.0, "c": 1.0}
    assert (1.0, (2.0, 3.0)) + Tangent[tuple](1.0, Tangent[tuple](1.0, 1.0)) == (2.0, (3.0, 4.0))
    assert ("name", 1) + Tangent[tuple](NoTangent(), NoTangent()) == ("name", 1)


def test_augmented_assignment_makes_a_new_list():
    """`xs += tangent` rebinds the name; the list is not extended."""
    xs = original = [1.0]
    xs += Tangent[list](1.0)
    assert xs == [2.0]
    assert original == [1.0]


def test_containers_keep_their_class():
    """Subclasses of dict come back as they were, other state included."""
    ordered = OrderedDict(a=1.0) + Tangent[dict]({"a": 1.0})
    assert type(ordered) is OrderedDict
    default = defaultdict(list, a=1.0) + Tangent[dict]({"a": 1.0})
    assert default.default_factory is list
    assert default["a"] == 2.0


def test_primal_plus_tangent_of_callables():
    """H9: closures, partials and bound methods move by what they hold."""
    f = closure(2.0, 1.0)
    moved = f + Tangent[types.FunctionType](p=1.0)
    assert f(2.0) == 9.0
    assert moved(2.0) == 13.0
    assert moved(2.0, power=1) == 7.0
    assert moved.attribute == "kept"
    assert moved.__qualname__ == f.__qualname__

    part = functools.partial(pow, 2.0, mod=None) + Tangent[functools.partial](args=Tangent[tuple](1.0))
    assert part(2) == 9.0
    assert part.keywords == {"mod": None}

    method = Foo(1.0, 2.0).__eq__ + Tangent[types.MethodType](__self__=Tangent[Foo](A=1.0))
    assert method(Foo(2.0, 2.0))


def test_primal_plus_tangent_of_complex_numbers():
    """The structural tangent of a complex number adds to it, in its precision."""
    assert (1 + 2j) + Tangent[complex](real=1.0) == 2 + 2j
    total = np.complex64(1 + 2j) + Tangent[np.complex64](imag=1.0)
    assert total == np.complex64(1 + 3j)
    assert type(total) is np.complex64


def test_primal_plus_tangent_of_anything():
    """`Tangent[Any]` adds to any primal with such a backing."""
    assert (1.0, 2.0) + Tangent[Any](1.0, 1.0) == (2.0, 3.0)
    assert Foo(1.0, 2.0) + Tangent[Any](c=1.0) == Foo(1.0, 3.0)
    with pytest.raises(TypeError):
        (1.0,) + Tangent[Any](x=1.0)


def test_primal_plus_tangent_of_wrong_length():
    """A tuple and a tangent of another length do not fit."""
    with pytest.raises(DimensionMismatchError, match="2 items"):
        (1.0, 2.0) + Tangent[tuple](1.0)


def test_primal_plus_tangent_of_another_class():
    """A primal of another class is refused; an instance of a subclass is not."""

    @dataclass
    class Sub(Foo):
        d: float = 0.0

    with pytest.raises(TypeError, match="Tangent"):
        Point(1.0, 2.0) + Tangent[Foo](c=1.0)
    assert Sub(1.0, 2.0, 3.0) + Tangent[Foo](c=1.0) == Sub(1.0, 3.0, 3.0)


def test_fields_that_the_instance_lacks():
    """For plain classes and closures unknown names come to light when the tangent meets its primal."""
    with pytest.raises(TangentStructureError, match=r"Unknown: typo\. The fields of the primal: w, _b"):
        Plain(1) + Tangent[Plain](typo=1.0)
    with pytest.raises(TangentStructureError, match=r"Unknown: r\. The fields of the primal: p, q"):
        closure(1.0, 2.0) + Tangent[types.FunctionType](r=1.0)


def test_construct_overload_keeps_invariants():
    """A class with an invariant says how it is constructed."""

    @dataclass
    class WithInvariant:
        x: float
        x2: float = field(init=False)

        def __post_init__(self):
            self.x2 = 2 * self.x

    @construct.dispatch
    def construct_with_invariant(primal_type: type[WithInvariant], fields: Mapping):
        return WithInvariant((fields["x"] + fields["x2"] / 2) / 2)

    assert WithInvariant(10.0) + Tangent[WithInvariant](x=2.0, x2=6.0) == WithInvariant(12.5)


def test_failing_construction():
    """A sum that cannot be constructed raises the constructor's error; in debug mode one with advice."""
    primal, tangent = Selective(1.0), Tangent[Selective](x=-2.0)
    with pytest.raises(ValueError, match="positive"):
        primal + tangent
    message = "Could not construct Selective"
    with debugging(), pytest.raises(PrimalAdditionFailedError, match=message) as caught:
        primal + tangent
    assert isinstance(caught.value.__cause__, ValueError)
    for part in ("construct.dispatch", repr(primal), repr(tangent), "x has to be positive"):
        assert part in str(caught.value)


def test_primal_type():
    """The class of the primal is the parameter of the tangent's class."""
    assert primal_type(Tangent[Foo](c=1.0)) is Foo
    assert primal_type(MutableTangent[Foo]) is Foo


def test_primal_type_that_is_gone():
    """A tangent that outlives the class of its primal says so where it needs it."""

    def tangent_of_local_class():
        class Local:
            pass

        return Tangent[Local](x=1.0)

    t = tangent_of_local_class()
    gc.collect()
    assert t.x == 1.0
    with pytest.raises(ReferenceError, match="does not exist any more"):
        primal_type(t)


@pytest.mark.parametrize("given", [(1.0, 2.0), {"a": 1.0}])
def test_saved_and_restored(given):
    """Items and fields, in memory of their own."""
    t = Tangent[type(given)](*given) if type(given) is tuple else Tangent[dict](given)

    again = restored(*saved(t))

    assert type(again) is type(t)
    assert again == t
    assert again.__tangent_backing__ == given


def test_names_and_positions_of_fields():
    """A name that the primal does not have is a `KeyError`, a position counts its fields."""
    t = Tangent[Foo](A=1.0, c=2.0)

    assert [field_name(t, key) for key in ("A", "c", 0, 1, -1)] == ["A", "c", "A", "c", "c"]
    with pytest.raises(KeyError, match="has no field 'B'"):
        field_name(t, "B")
    with pytest.raises(IndexError):
        field_name(t, 2)


def test_fields_of_a_class_that_declares_none():
    """They are known by their names only."""

    class Plain: ...

    t = Tangent[Plain](x=1.0)
    assert field_name(t, "x") == "x"
    assert field_name(t, "y") == "y"
    with pytest.raises(TypeError, match="use its name"):
        field_name(t, 0)
    assert fields_of(t) == "The given fields: x."
    assert fields_of(Tangent[Foo]()) == "The fields of the primal: A, c."


@pytest.mark.parametrize(("number", "is_explained"), [(0, True), (1, False), (0.0, False), (False, False)])
def test_sums_that_begin_with_zero(number, is_explained):
    """Python's `sum` begins with the integer 0: the message says what to write."""
    with pytest.raises(TypeError) as caught:
        number + Tangent[tuple](1.0)

    assert ("sum(tangents, ZeroTangent())" in str(caught.value)) is is_explained
