"""What a class has under a name is found as it stands there."""

import functools
import math

import pytest

from chainrules.ad import grad, jvp, value_and_grad
from chainrules.ad.interception.choosing.members import (
    accessors,
    is_property,
    member_of,
    member_reader,
    method_of,
)


class Meta(type):
    """A metaclass with a property that must not be called."""

    @property
    def one(cls):
        """Fail."""
        raise ValueError

    def other(cls):
        """Be of the metaclass only."""


class Base(metaclass=Meta):
    """A class."""

    @property
    def one(self):
        """Be read."""

    two = classmethod(len)


class Derived(Base):
    """A subclass."""


def test_members_are_those_of_the_class():
    """They are found in its bases, as they are; the metaclass is not asked."""
    assert member_of(Derived, "one") is vars(Base)["one"]
    assert member_of(Derived, "two") is vars(Base)["two"]
    assert member_of(Derived, "other", 3) == 3
    assert member_of(Derived, "other") is None


@pytest.mark.parametrize(("name", "reader"), [("one", member_of), ("other", member_of), ("two", getattr)])
def test_getattr_finds_what_the_metaclass_does_not_have(name, reader):
    """Otherwise it would find that of the metaclass."""
    assert member_reader(Derived, name) is reader


class Cached(property):
    """A subclass that reads in a way of its own."""

    def __get__(self, instance, owner=None):
        """Say what it is."""
        return "cached"


class Documented(property):
    """A subclass that does not."""


def test_what_is_a_property():
    """A subclass is one for what it leaves to `property`."""
    for member in (property(len), Documented(len)):
        assert is_property(member, "__get__")
        assert is_property(member, "__set__")
    assert not is_property(Cached(len), "__get__")
    assert is_property(Cached(len), "__set__")
    assert not is_property(len, "__get__")


def test_accessors():
    """They are of the members that instances have: one hides that of a base."""

    class Hiding(Derived):
        two = 3

        @property
        def three(self):
            """Be read."""

    def accessor(cls, name, member):
        return cls.__name__ if isinstance(member, property | classmethod) else None

    assert accessors(Derived, accessor) == {"one": "Base", "two": "Base"}
    assert accessors(Hiding, accessor) == {"one": "Base", "three": "Hiding"}
    assert accessors(int, lambda cls, name, member: None) is None
    assert accessors(Meta, accessor) is None  # nothing of classes is read in another way


class Chosen:
    """Methods that Python calls by itself, chosen by the class of an argument."""

    @functools.singledispatchmethod
    def __init__(self, x):
        self.x = 0.0

    @__init__.register
    def _(self, x: float):
        self.x = x * x

    @functools.singledispatchmethod
    def times(self, y):
        """Be for a float."""
        return 0.0

    @times.register
    def _(self, y: float):
        return self.x * y

    __getitem__ = __call__ = __contains__ = __mul__ = __rmul__ = __isub__ = __lt__ = times

    @functools.singledispatchmethod
    def __setitem__(self, i, y):
        self.x = 0.0

    @__setitem__.register
    def _(self, i: float, y):
        self.x = i * y


class Descriptor:
    """Gives a function of the instance."""

    def __get__(self, instance, owner=None):
        """Give it."""
        return lambda: instance.x * 4.0


class Bound(Chosen):
    """Methods that a property gives, or that hold an argument."""

    __matmul__ = property(lambda self: lambda y: self.x * y)
    __neg__ = property(lambda self: lambda: self.x * 2.0)
    __eq__ = property(lambda self: lambda y: self.x == y)
    __hash__ = None
    __bool__ = property(lambda self: lambda: self.x > 1.0)
    __enter__ = property(lambda self: lambda: self.x * 3.0)
    __exit__ = property(lambda self: lambda *error: None)
    __iter__ = property(lambda self: lambda: iter([self.x, self.x * 2.0]))
    __abs__ = Descriptor()
    __round__ = __floor__ = __ceil__ = __trunc__ = property(lambda self: lambda: self.x * 5.0)

    def _product(self, factor, y):
        return factor * self.x * y

    __rmatmul__ = functools.partialmethod(_product, 7.0)


def subtracted(x):
    """In place."""
    y = Chosen(x)
    y -= x
    return y


def assigned(x):
    """An item."""
    y = Chosen(x)
    y[x] = x
    return y.x


def entered(x):
    """A block."""
    with Bound(x) as y:
        return y


CUBED, SQUARED = lambda x: x**3, lambda x: x**2
PROGRAMS = {
    "init": (lambda x: Chosen(x).x, SQUARED),
    "item": (lambda x: Chosen(x)[x], CUBED),
    "call": (lambda x: Chosen(x)(x), CUBED),
    "in": (lambda x: x if x in Chosen(x) else 0.0, lambda x: x),
    "mul": (lambda x: Chosen(x) * x, CUBED),
    "rmul": (lambda x: x * Chosen(x), CUBED),
    "lt": (lambda x: x if Chosen(x) < x else 0.0, lambda x: x),
    "isub": (subtracted, CUBED),
    "setitem": (assigned, SQUARED),
    "plain": (lambda x: Chosen(3.0)[2.0] * x, lambda x: 18.0 * x),
    "matmul": (lambda x: Bound(x) @ x, CUBED),
    "rmatmul": (lambda x: x @ Bound(x), lambda x: 7.0 * x**3),
    "neg": (lambda x: -Bound(x), lambda x: 2.0 * x**2),
    "eq": (lambda x: x if Bound(x) == x * x else 0.0, lambda x: x),
    "bool": (lambda x: x if Bound(x) else 0.0, lambda x: x),
    "with": (entered, lambda x: 3.0 * x**2),
    "iter": (lambda x: sum(y for y in Bound(x)), lambda x: 3.0 * x**2),
    "abs": (lambda x: abs(Bound(x)), lambda x: 4.0 * x**2),
    "round": (lambda x: round(Bound(x)), lambda x: 5.0 * x**2),
    "floor": (lambda x: math.floor(Bound(x)) + math.ceil(Bound(x)), lambda x: 10.0 * x**2),
    "trunc": (lambda x: math.trunc(Bound(x)), lambda x: 5.0 * x**2),
}


@pytest.mark.parametrize(("program", "meant"), PROGRAMS.values(), ids=PROGRAMS)
def test_methods_that_are_bound_first(program, meant):
    """They get the instance as Python gives it: of the class they would choose by the instance itself."""
    assert program(1.5) == meant(1.5)
    assert value_and_grad(program)(1.5) == pytest.approx((meant(1.5), grad(meant)(1.5)))
    assert jvp(program, (1.5,), (1.0,)) == pytest.approx((meant(1.5), grad(meant)(1.5)))


def test_methods_of_classes():
    """A function is itself; there may be none."""
    assert method_of(Bound, "_product") is Bound._product
    assert method_of(Derived, "other") is None
    assert method_of(int, "__add__") is int.__add__
