"""The fields of values of all kinds."""

import dataclasses
import functools
import math
import types
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator

from chainrules_core import Tangent, TangentStructureError, backing, construct
from chainrules_core.fields import declared_fields, field_names, has_field_constructor, is_mutable
from tests.chainrules_core.closures import closure, unassigned


@dataclass
class Data:
    """A dataclass with a class variable."""

    x: float
    y: float = 2.0
    shared: ClassVar[float] = 3.0


@dataclass(frozen=True, slots=True)
class Frozen:
    """A frozen dataclass with slots."""

    x: float
    derived: float = field(init=False, default=0.0)


class Point(NamedTuple):
    """A NamedTuple."""

    x: float
    y: float


class Plain:
    """A plain class."""

    def __init__(self):
        self.w = 1.0
        self._b = 2.0


class Slotted:
    """A class with slots, one of them private."""

    __slots__ = ("__hidden", "x")

    def __init__(self, x):
        self.x = x
        self.__hidden = 1.0

    def total(self):
        """Use both slots."""
        return self.x + self.__hidden


class SlottedMore(Slotted):
    """One more slot, which is not set."""

    __slots__ = "y"  # noqa: PLC0205 - Python allows it


class SlottedAndPlain(Slotted):
    """Slots and other attributes."""

    def __init__(self):
        super().__init__(1.0)
        self.z = 2.0


class Attrs:
    """Looks as a class of attrs does: a private name, an alias, and a field that is not in `__init__`."""

    __attrs_attrs__ = (
        types.SimpleNamespace(name="_x", init=True),
        types.SimpleNamespace(name="y", init=True, alias="why"),
        types.SimpleNamespace(name="z", init=False),
    )

    def __init__(self, x, why):
        self._x, self.y, self.z = x, why, None


class FrozenAttrs(Attrs):
    """Frozen, as attrs does it."""

    def _frozen_setattrs(self, name, value):
        raise AttributeError

    __setattr__ = _frozen_setattrs


class Functor:
    """Callable, without fields."""

    def __call__(self, x):
        """Give the argument back."""
        return x


FIELDS = {
    "dataclass": (Data(1.0), {"x": 1.0, "y": 2.0}),
    "frozen dataclass": (Frozen(1.0), {"x": 1.0, "derived": 0.0}),
    "NamedTuple": (Point(1.0, 2.0), {"x": 1.0, "y": 2.0}),
    "namedtuple": (namedtuple("Pair", "a b")(1.0, 2.0), {"a": 1.0, "b": 2.0}),  # noqa: PYI024 - both kinds of named tuple
    "plain": (Plain(), {"w": 1.0, "_b": 2.0}),
    "slotted": (Slotted(2.0), {"_Slotted__hidden": 1.0, "x": 2.0}),
    "slotted, one unset": (SlottedMore(2.0), {"_Slotted__hidden": 1.0, "x": 2.0}),
    "slotted and plain": (SlottedAndPlain(), {"_Slotted__hidden": 1.0, "x": 1.0, "z": 2.0}),
    "attrs": (Attrs(1.0, 2.0), {"_x": 1.0, "y": 2.0, "z": None}),
    "functor without fields": (Functor(), {}),
    "closure": (closure(3.0), {"p": 3.0}),
    "closure over the unassigned": (unassigned(), {}),
    "function": (unassigned, {}),
    "partial": (functools.partial(pow, 2, mod=3), {"func": pow, "args": (2,), "keywords": {"mod": 3}}),
    "complex": (1 + 2j, {"real": 1.0, "imag": 2.0}),
    "complex64": (np.complex64(1 + 2j), {"real": 1.0, "imag": 2.0}),
    "builtin": (math.sin, {}),
    "ufunc": (np.sin, {}),
    "NumPy function": (np.sum, {}),
    "cached function": (functools.lru_cache(unassigned), {}),
}


@pytest.mark.parametrize(("value", "fields"), FIELDS.values(), ids=FIELDS.keys())
def test_fields_of_values(value, fields):
    """Each kind of value has the fields of the table, and field_names are their names."""
    assert backing(value) == fields
    assert field_names(value) == tuple(fields)


def test_field_of_a_bound_method():
    """A bound method has the instance."""
    plain = Data(1.0)
    assert backing(plain.__eq__) == {"__self__": plain}


def test_containers_are_their_own_backing():
    """Tuples, lists and dicts are returned themselves; their fields are positions and keys."""
    for value in ((1.0, 2.0), [1.0, 2.0], {0: 1.0, 1: 2.0}):
        assert backing(value) is value
        assert field_names(value) == (0, 1)


@pytest.mark.parametrize("value", [1.4, 1, True, "text", None, np.float32(1.0), np.ones(2), Data, math])
def test_values_without_fields(value):
    """Numbers, strings, arrays, classes and modules have no fields, so no backing."""
    assert field_names(value) == ()
    with pytest.raises(TypeError, match="no fields"):
        backing(value)


def test_a_bare_object():
    """An instance of `object` has no fields."""
    assert field_names(object()) == ()


class WithFieldsButNoTuple:
    """A class that calls something else `_fields`."""

    _fields = ("x",)


def test_declared_fields():
    """What a class says of all its instances; None where they may differ."""
    assert declared_fields(Data) == ("x", "y")
    assert declared_fields(SlottedMore) == ("_Slotted__hidden", "x", "y")
    assert declared_fields(Plain) is None
    assert declared_fields(SlottedAndPlain) is None
    assert declared_fields(types.FunctionType) is None
    assert declared_fields(float) == ()
    assert declared_fields(Point) == Point._fields
    assert declared_fields(tuple) == ()
    assert declared_fields(WithFieldsButNoTuple) is None


def test_mutability():
    """A class tells whether the fields of its instances can be assigned to."""
    assert all(map(is_mutable, (Data, Plain, Slotted, Attrs)))
    assert not any(
        map(is_mutable, (Frozen, FrozenAttrs, Point, tuple, list, dict, complex, float, types.FunctionType))
    )


ROUND_TRIPS = ("dataclass", "frozen dataclass", "NamedTuple", "namedtuple", "attrs", "complex", "complex64")


@pytest.mark.parametrize("kind", ROUND_TRIPS)
def test_construct_inverts_backing(kind):
    """A value constructed from its own fields has the same fields."""
    value, fields = FIELDS[kind]
    again = construct(type(value), fields)
    assert type(again) is type(value)
    assert backing(again) == fields


def test_construct_of_plain_classes():
    """Attributes are set without calling `__init__`."""
    again = construct(Plain, {"w": 5.0, "_b": 6.0})
    assert (again.w, again._b) == (5.0, 6.0)
    assert construct(Slotted, {"x": 1.0, "_Slotted__hidden": 2.0}).total() == 3.0


def test_construct_of_containers():
    """Containers are constructed from a tuple of items or from a mapping."""
    assert construct(tuple, (1.0, 2.0)) == (1.0, 2.0)
    assert construct(list, (1.0, 2.0)) == [1.0, 2.0]
    assert construct(Point, (1.0, 2.0)) == Point(1.0, 2.0)
    assert construct(dict, {"a": 1.0}) == {"a": 1.0}


def test_construct_of_complex_numbers_from_arrays():
    """Parts that are no plain numbers, such as those that an AD system traces, are combined as they are."""
    z = construct(complex, {"real": np.array(1.0), "imag": np.array(2.0)})
    assert z == 1.0 + 2.0j
    x = np.array([1.0, 2.0])
    for real, imag in ((1.0, x), (x, 1.0)):
        z = construct(complex, {"real": real, "imag": imag})
        np.testing.assert_array_equal(z, real + 1j * imag)


def test_classes_that_are_called_with_their_fields():
    """Dataclasses and those of attrs."""
    assert has_field_constructor(Data)
    assert has_field_constructor(Attrs)
    assert not any(map(has_field_constructor, (Plain, tuple, complex, object)))


def test_construct_leaves_room_for_what_is_computed():
    """An operator of SciPy's that is made of its fields has computed none of the others yet."""
    operator = aslinearoperator(np.diag([1.0, 2.0]))
    made = construct(type(operator), backing(operator))

    np.testing.assert_array_equal(made.H @ np.ones(2), [1.0, 2.0])


def test_construct_sets_fields_that_are_not_arguments():
    """A field outside of `__init__` gets its value, in frozen classes too."""
    assert construct(Frozen, {"x": 1.0, "derived": 7.0}).derived == 7.0


@pytest.mark.parametrize("fields", [{}, {"x": 1.0}, {"x": 1.0, "y": 2.0, "typo": 3.0}], ids=str)
def test_construct_from_unmatched_fields(fields):
    """Missing and unknown fields are refused, with those of the class."""
    with pytest.raises(TangentStructureError, match="The fields of Data: x, y"):
        construct(Data, fields)


def test_construct_with_init_only_arguments():
    """A dataclass whose constructor needs more than its fields says that it has to extend `construct`."""

    @dataclass
    class Scaled:
        x: float
        scale: InitVar[float]

        def __post_init__(self, scale):
            self.x *= scale

    with pytest.raises(TypeError, match="scale"):
        construct(Scaled, {"x": 1.0})

    @construct.dispatch
    def construct_scaled(primal_type: type[Scaled], fields: Mapping):
        return Scaled(fields["x"], 1.0)

    assert construct(Scaled, {"x": 3.0}).x == 3.0


def test_construct_does_not_use_dataclass_replace():
    """The constructor runs, so that `__post_init__` can refuse."""

    @dataclass
    class Positive:
        x: float

        def __post_init__(self):
            if self.x <= 0:
                raise ValueError("positive")

    with pytest.raises(ValueError, match="positive"):
        construct(Positive, {"x": -1.0})
    assert dataclasses.asdict(construct(Positive, {"x": 1.0})) == {"x": 1.0}


def test_functions_of_plum_have_no_fields():
    """As other functions are, whether plum is compiled or not."""
    assert backing(construct) == {}
    assert field_names(construct) == ()


class Sorted:
    """A class with an invariant, whose author constructs it."""

    def __init__(self, low, high):
        self.low, self.high = sorted((low, high))


def test_an_overload_with_a_parameter_that_is_not_annotated():
    """It is more specific by its class alone, as its author means it."""

    @construct.dispatch
    def construct_sorted(primal_type: type[Sorted], fields):
        return Sorted(fields["low"], fields["high"])

    assert construct(Sorted, {"low": 2.0, "high": 1.0}).low == 1.0


class Pair(tuple):
    """A tuple, whose author constructs it."""

    __slots__ = ()


def test_an_overload_for_a_tuple_with_a_parameter_that_is_not_annotated():
    """As for classes with named fields."""

    @construct.dispatch
    def construct_pair(primal_type: type[Pair], fields):
        return Pair(x + 1 for x in fields)

    assert construct(Pair, (1, 2)) == (2, 3)


class Remembering(Plain):
    """A plain class that keeps what it computed beside its attributes."""

    @functools.cached_property
    def square(self):
        """The square of an attribute."""
        return self.w * self.w


class Replaced(Remembering):
    """Where the cached property of the class above is an attribute like others."""

    square = 4.0


def test_cached_properties_are_no_fields():
    """They follow from the fields; a sum with a tangent computes them again."""
    x = Remembering()
    assert x.square == 1.0

    assert field_names(x) == ("w", "_b")
    assert (x + Tangent[Remembering](w=1.0)).square == 4.0
    y = Replaced()
    y.square = 2.0
    assert field_names(y) == ("w", "_b", "square")
