"""What tells one flat function from another."""

import functools
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pytensor")

from chainrules.adapters.calls import flat_call
from chainrules.adapters.pytensor.identities import Same, identity_of, with_own_copies


class Tensor:
    """What stands for a variable."""


def identity(f, *args, **kwargs):
    """The identity of a call."""
    _, call = flat_call(f, args, kwargs, lambda x: isinstance(x, Tensor))
    return identity_of(with_own_copies(call))


def f(*args, **kwargs):
    """A function."""


def g(*args, **kwargs):
    """Another one."""


@dataclass
class Pair:
    """A dataclass."""

    first: Any
    second: Any = 0

    def method(self, x):
        """Nothing but a method."""


def closure(a, b=None):
    """A function that holds two values."""
    return lambda x: (x, a, b)


PAIR = Pair(1.0)
NAN = float("nan")

EQUAL = [
    lambda: identity(f, Tensor()),
    lambda: identity(f, Tensor(), 2, 2.0, 2j, "two", b"two", None, ..., True, slice(1, 2), np.float32),
    lambda: identity(f, Tensor(), np.float32(2), np.dtype("f4"), NAN, key=[1, {"a": (2,)}]),
    lambda: identity(f, [Tensor(), np.arange(3.0)], {"a": Tensor()}),
    lambda: identity(f, Pair(Tensor(), 2)),
    lambda: identity(f, Pair(Tensor(), Pair(Tensor()))),
    lambda: identity(f, PAIR, Tensor()),
    lambda: identity(closure(Tensor(), 2.0)),
    lambda: identity(functools.partial(f, Tensor(), 2, key="value")),
    lambda: identity(Pair(Tensor()).method, 2.0),
    lambda: identity(PAIR.method, Tensor()),
    lambda: identity(np.add.reduce, Tensor()),
    lambda: identity(f, PAIR.method, Tensor()),
]


@pytest.mark.parametrize("make", EQUAL)
def test_equal_calls(make):
    """Calls that are written alike are equal."""
    assert make() == make()
    assert hash(make()) == hash(make())


def test_no_two_of_these_are_equal():
    """Each of the calls above differs from the others."""
    identities = [make() for make in EQUAL]
    assert len(set(identities)) == len(EQUAL)


OTHERS = [
    (lambda: identity(f, Tensor()), lambda: identity(g, Tensor())),
    (lambda: identity(f, Tensor(), None), lambda: identity(f, None, Tensor())),
    (lambda: identity(f, Tensor(), 1), lambda: identity(f, Tensor(), 1.0)),
    (lambda: identity(f, Tensor(), 1), lambda: identity(f, Tensor(), True)),
    (lambda: identity(f, Tensor(), 0.0), lambda: identity(f, Tensor(), -0.0)),
    (lambda: identity(f, Tensor(), 1.0), lambda: identity(f, Tensor(), np.float64(1.0))),
    (lambda: identity(f, Tensor(), (1,)), lambda: identity(f, Tensor(), [1])),
    (lambda: identity(f, Tensor(), {1: 2}), lambda: identity(f, Tensor(), {True: 2})),
    (lambda: identity(f, Tensor(), a=1), lambda: identity(f, Tensor(), b=1)),
    (lambda: identity(f, Tensor(), np.zeros(2)), lambda: identity(f, Tensor(), np.zeros(3))),
    (lambda: identity(f, Tensor(), np.zeros(2)), lambda: identity(f, Tensor(), np.zeros(2, "f4"))),
    (lambda: identity(f, Tensor(), np.zeros(2)), lambda: identity(f, Tensor(), np.ones(2))),
    (lambda: identity(f, Tensor(), np.ones((2, 2))), lambda: identity(f, Tensor(), np.ones((2, 2)).T)),
    (lambda: identity(f, Pair(Tensor(), 1)), lambda: identity(f, Pair(Tensor(), 2))),
    (lambda: identity(closure(Tensor(), 1.0)), lambda: identity(closure(Tensor(), 2.0))),
    (lambda: identity(lambda x=Tensor: closure(x())), lambda: identity(lambda x=Tensor: closure(x()))),
    (lambda: identity(Pair(1.0).method, Tensor()), lambda: identity(Pair(1.0).method, Tensor())),
    (lambda: identity(Pair(Tensor()).method, 1.0), lambda: identity(Pair(Tensor(), 2).method, 1.0)),
    (lambda: identity(f, Tensor(), Pair(1.0)), lambda: identity(f, Tensor(), Pair(1.0))),
    (lambda: identity(np.add.reduce, Tensor()), lambda: identity(np.multiply.reduce, Tensor())),
    (lambda: identity(np.add.reduce, Tensor()), lambda: identity(np.add.accumulate, Tensor())),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_other_calls(one, other):
    """Calls that differ in anything, and those of objects that only look alike, are not equal."""
    assert one() != other()


def test_closures_over_lists():
    """Two lists that are equal now may differ later."""
    assert identity(closure(Tensor(), [1])) != identity(closure(Tensor(), [1]))


def test_attributes_beside_fields():
    """Objects that have more than their fields are not compared by these."""
    one, other = Pair(Tensor()), Pair(Tensor())
    one.more, other.more = 1, 2

    assert identity(f, one) != identity(f, other)


class Slotted:
    """A class with a slot."""

    __slots__ = ("hidden",)


class Mixed(Slotted):
    """A class with attributes beside the slot of its base."""


class Plain:
    """A class with attributes alone."""


class Inheriting(Plain):
    """Likewise."""


@pytest.mark.parametrize(("cls", "is_open"), [(Plain, True), (Inheriting, True), (Mixed, False)])
def test_objects_by_their_attributes(cls, is_open):
    """Objects that are nothing but their attributes are equal by these; others only to themselves."""
    one, other = cls(), cls()
    one.x, other.x = Tensor(), Tensor()
    one.k = other.k = 2

    assert (identity(f, one) == identity(f, other)) is is_open


def test_copies_are_nobody_elses():
    """Containers and arrays of a call are copied, and the copies of arrays cannot be written into."""
    array, names = np.zeros(2), ["a"]
    _, call = flat_call(f, (Tensor(), [array], {"names": names}), {}, lambda x: isinstance(x, Tensor))
    own = with_own_copies(call)
    array[:], names[:] = 1.0, ["b"]

    assert own.args[1][0].tolist() == [0.0, 0.0]
    assert own.args[2] == {"names": ["a"]}
    with pytest.raises(ValueError, match="read-only"):
        own.args[1][0][0] = 1.0


def test_pickles():
    """Calls that are found by name are equal after pickling."""
    assert pickle.loads(pickle.dumps(identity(f, Tensor(), np.arange(3), np.add))) == identity(
        f, Tensor(), np.arange(3), np.add
    )
    assert Same(f) != f
