"""Structural tangents as containers of the tangents of fields."""

import copy
import functools
import pickle
import types
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core import (
    AbstractTangent,
    MutableTangent,
    NoTangent,
    StructuralTangent,
    Tangent,
    TangentStructureError,
    Thunk,
    ZeroTangent,
    add_tangents,
    backing,
    canonicalize,
    thunk,
)
from chainrules_core.tangents.linear_operations import dot, iszero, norm
from tests.chainrules_core.closures import closure
from tests.chainrules_core.tangents.primals import Foo, Point, Slotted


@dataclass(frozen=True)
class Frozen:
    """A frozen dataclass."""

    x: float


class Plain:
    """A plain class."""

    def __init__(self, w, b):
        self.w = w
        self.b = b


@dataclass
class Methods:
    """Its fields are called like the methods of a tangent."""

    map: float
    keys: float
    real: float
    T: float


# --- Fields ---


def test_bare_class_is_no_constructor():
    """Without a primal there is no tangent; the message says what to write."""
    with pytest.raises(TypeError, match=r"Tangent\[P\]"):
        Tangent(x=1.0)


def test_fields_are_zero_unless_given():
    """An absent field is ZeroTangent()."""
    t = Tangent[Foo](A=1.0)
    assert t.c is ZeroTangent()
    assert t["c"] is ZeroTangent()
    assert t[1] is ZeroTangent()
    assert Tangent[Plain](w=1.0).b is ZeroTangent()
    assert Tangent[dict]({"a": 1.0})["b"] is ZeroTangent()


def test_fields_that_the_primal_lacks():
    """Asking for a field that does not exist is an error that lists those that do."""
    t = Tangent[Foo](A=1.0)
    with pytest.raises(AttributeError, match="fields of the primal: A, c"):
        t.typo  # noqa: B018 - looking is the test
    with pytest.raises(KeyError, match="fields of the primal: A, c"):
        t["typo"]
    with pytest.raises(IndexError):
        t[2]
    with pytest.raises(AttributeError):
        Tangent[tuple](1.0).x  # noqa: B018 - looking is the test
    with pytest.raises(AttributeError):
        Tangent[Plain](w=1.0)._repr_html_  # noqa: B018 - looking is the test


def test_positions_need_a_declared_order():
    """The fields of a plain class have no order, so they have no positions."""
    with pytest.raises(TypeError, match="use its name"):
        Tangent[Plain](w=1.0)[0]


def test_positions_are_those_of_the_primal():
    """An index counts the fields of the primal, not the given ones."""
    t = Tangent[Point](y=4.0)
    assert t[0] is ZeroTangent()
    assert t[1] == t[-1] == 4.0


def test_access_computes_thunks_and_iteration_does_not():
    """`t.x` and `t[i]` are values; iteration and `backing` give what was given."""
    t = Tangent[Foo](A=thunk(lambda: 3.0), c=1.0)
    assert t.A == 3.0
    assert type(t.A) is float
    assert type(t["A"]) is type(t[0]) is float
    assert isinstance(next(iter(t)), Thunk)
    assert isinstance(backing(t)["A"], Thunk)
    assert isinstance(backing(Tangent[tuple](thunk(float)))[0], Thunk)


def test_iteration_over_given_fields():
    """Destructuring gives the tangents; a dict's tangent iterates over keys, as the dict does."""
    a, b = Tangent[tuple](2.0, 3)
    assert (a, b) == (2.0, 3)
    assert list(Tangent[Foo](c=1.0)) == [1.0]
    assert list(Tangent[dict]({"k": 1.0})) == ["k"]


def test_keys_length_and_membership():
    """They tell of the given fields only."""
    t = Tangent[Foo](c=1.0)
    assert t.keys() == ("c",)
    assert len(t) == 1
    assert "c" in t
    assert "A" not in t
    assert Tangent[tuple](1.0, 2.0).keys() == (0, 1)
    assert Tangent[dict]({"k": 1.0}).keys() == ("k",)
    assert {"A", "c", "map"} <= set(dir(t))


def test_slices():
    """A slice of a tuple's or list's tangent is such a tangent."""
    assert Tangent[tuple](1.0, 2.0, 3.0)[::-1] == Tangent[tuple](3.0, 2.0, 1.0)
    assert Tangent[list](1.0, 2.0)[1:] == Tangent[list](2.0)


def test_fields_called_like_methods():
    """Where the class declares its fields they hide the methods of the tangent."""
    t = Tangent[Methods](map=1.0, keys=thunk(lambda: 2.0), real=3.0)
    assert (t.map, t.keys, t.real, t.T) == (1.0, 2.0, 3.0, ZeroTangent())
    assert len(2.0 * t) == 3
    assert (2.0 * t + t).map == 3.0
    assert pickle.loads(pickle.dumps(t)) == t
    assert {"map", "keys", "real"} <= set(dir(t))
    assert [name for name in ("map", "T") if name in t] == ["map"]


def test_truth_is_refused():
    """A tangent is neither true nor false; the message says what to ask instead."""
    with pytest.raises(TypeError, match=r"isinstance\(t, AbstractZero\)"):
        bool(Tangent[Foo]())


def test_immutable():
    """The fields of a Tangent cannot be assigned to."""
    t = Tangent[Foo](c=1.0)
    with pytest.raises(AttributeError):
        t.c = 2.0
    with pytest.raises(TypeError):
        t["c"] = 2.0
    assert t.c == 1.0


# --- Representation, copies ---


def test_repr():
    """The representation is the call that makes the tangent."""
    assert repr(Tangent[Foo](c=1)) == "Tangent[Foo](c=1)"
    assert repr(Tangent[Foo]()) == "Tangent[Foo]()"
    assert repr(Tangent[tuple](1, 2)) == "Tangent[tuple](1, 2)"
    assert repr(Tangent[dict]({"a": 1})) == "Tangent[dict]({'a': 1})"
    assert repr(MutableTangent[Foo](c=1.5)) == "MutableTangent[Foo](c=1.5)"


TANGENTS = [
    Tangent[Foo](A=2.0),
    Tangent[tuple](1.0, Tangent[Foo](c=ZeroTangent())),
    Tangent[dict]({"a": 1.0}),
    Tangent[types.FunctionType](p=1.0),
    Tangent[types.MethodType](__self__=Tangent[Foo](c=1.0)),
    Tangent[functools.partial](args=Tangent[tuple](1.0)),
    MutableTangent[Foo](A=2.0),
]


@pytest.mark.parametrize("t", TANGENTS, ids=repr)
def test_copies_and_pickles(t):
    """Copies and pickles, by every protocol, are equal and of the same class."""
    copies = [copy.copy(t), copy.deepcopy(t)]
    copies += [pickle.loads(pickle.dumps(t, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for other in copies:
        assert type(other) is type(t)
        assert other == t


def test_copies_do_not_share():
    """Changing a copy of a mutable tangent leaves the original."""
    t = MutableTangent[Foo](c=1.0)
    other = copy.copy(t)
    other.c = 2.0
    assert t.c == 1.0


# --- Linear functions ---


def test_map_keeps_the_primal():
    """`map` applies to the given fields only; implicit zeros stay."""
    assert Tangent[Foo](c=2.0).map(lambda x: 2 * x) == Tangent[Foo](c=4.0)
    assert Tangent[tuple](1.0, 2.0).map(lambda x: -x) == Tangent[tuple](-1.0, -2.0)
    assert Tangent[dict]({"a": 1.0}).map(lambda x: -x) == Tangent[dict]({"a": -1.0})
    assert type(MutableTangent[Foo](c=2.0).map(str)) is MutableTangent[Foo]


def test_canonicalize():
    """The canonical form has all fields of the primal, in their order, with zeros for those not given."""
    t = canonicalize(Tangent[Foo](c=2.0))
    assert backing(t) == {"A": ZeroTangent(), "c": 2.0}
    assert list(backing(t)) == ["A", "c"]
    for unchanged in (Tangent[tuple](1.0), Tangent[dict]({"a": 1.0}), Tangent[Plain](w=1.0)):
        assert canonicalize(unchanged) is unchanged


def test_canonicalize_of_other_tangents():
    """Only structural tangents have fields to complete."""
    for other in (ZeroTangent(), 1.0, np.ones(2)):
        with pytest.raises(TypeError, match="no structural tangent"):
            canonicalize(other)


def test_canonicalize_with_the_primal():
    """The primal tells the fields that its class does not declare."""
    primal = Plain(1.0, 2.0)
    assert list(backing(canonicalize(Tangent[Plain](b=1.0), primal))) == ["w", "b"]
    assert canonicalize(Tangent[types.FunctionType](), closure(2.0)).keys() == ("p",)
    with pytest.raises(TangentStructureError, match=r"Unknown: typo\. The fields of the primal: w, b"):
        canonicalize(Tangent[Plain](typo=1.0), primal)


# --- MutableTangent and StructuralTangent ---


def test_mutable_fields_can_be_assigned_to():
    """By attribute, name and position; a field may change its type."""
    t = MutableTangent[Foo](A=1.0)
    t.A = np.ones(2)
    t["c"] = 2.0
    np.testing.assert_array_equal(t.A, [1.0, 1.0])
    assert t.c == 2.0
    t[1] = 3.0
    assert t.c == 3.0
    with pytest.raises(KeyError, match="no field 'typo'"):
        t.typo = 1.0
    plain = MutableTangent[Plain](w=1.0)
    plain.b = 2.0
    assert plain.b == 2.0


def test_backing_of_a_mutable_tangent_is_a_copy():
    """Writing into the backing does not change the tangent."""
    t = MutableTangent[Foo](c=1.0)
    backing(t)["c"] = 2.0
    assert t.c == 1.0


def test_mutable_tangents_of_containers_are_refused():
    """Tuples, lists and dicts have no fields to assign to."""
    for P in (tuple, list, dict):
        with pytest.raises(TangentStructureError, match="no fields"):
            MutableTangent[P]


@pytest.mark.parametrize("P", [Foo, Plain, Slotted])
def test_structural_tangents_of_mutable_primals(P):
    """The factory makes a MutableTangent where the fields of the primal can be assigned to."""
    assert StructuralTangent[P] is MutableTangent[P]


@pytest.mark.parametrize("P", [Frozen, Point, tuple, list, dict, complex, types.FunctionType])
def test_structural_tangents_of_immutable_primals(P):
    """The factory makes a Tangent where they cannot."""
    assert StructuralTangent[P] is Tangent[P]


def test_all_are_structural_tangents():
    """One class above both, so that rules can dispatch on either or on both."""
    for t in (Tangent[Foo](), MutableTangent[Foo]()):
        assert isinstance(t, StructuralTangent)
        assert isinstance(t, AbstractTangent)
    assert not isinstance(MutableTangent[Foo](), Tangent)


def test_mutable_and_immutable_tangents_of_one_primal_add():
    """A rule gives one kind and an AD system may hold the other; their sum is a new, immutable value."""
    immutable, mutable = Tangent[Foo](c=1.0), MutableTangent[Foo](c=2.0)

    assert immutable + mutable == mutable + immutable == Tangent[Foo](c=3.0)
    assert mutable + mutable == MutableTangent[Foo](c=4.0)


def test_tangents_that_are_not_made_yet():
    """As pickle holds them for a moment: they have no fields to look in."""
    with pytest.raises(AttributeError, match="__tangent_backing__"):
        _ = object.__new__(Tangent[Foo]).c


def test_items_have_no_names():
    """The tangent of an object of any kind, given by items, has no attributes."""
    with pytest.raises(AttributeError, match="no attribute 'x'"):
        _ = Tangent[object](1.0).x


def test_fields_that_hold_containers():
    """A tuple, list or dict in a field is one of tangents: it is added and scaled, and not concatenated."""
    t = Tangent[dict]({"w": [1.0, (2.0, NoTangent())], "b": {"c": Point(3.0, 4.0)}})
    twice = Tangent[dict](
        {
            "w": Tangent[list](2.0, Tangent[tuple](4.0, NoTangent())),
            "b": Tangent[dict]({"c": Tangent[Point](x=6.0, y=8.0)}),
        }
    )
    assert t + t == 2 * t == t * 2.0 == t / 0.5 == add_tangents(t, t) == twice
    assert -t + twice == t
    assert hash(Tangent[list]((1.0, 2.0))) == hash(Tangent[list](Tangent[tuple](1.0, 2.0)))

    primal = {"w": [1.0, (2.0, 7)], "b": {"c": Point(3.0, 4.0)}}
    assert primal + t == {"w": [2.0, (4.0, 7)], "b": {"c": Point(6.0, 8.0)}}
    assert Foo([1.0, 2.0], 3.0) + Tangent[Foo](A=[1.0, 1.0]) == Foo([2.0, 3.0], 3.0)

    assert dot(t, t) == norm(t) ** 2 == pytest.approx(30.0)
    assert iszero(0 * t)
    assert not iszero(t)
