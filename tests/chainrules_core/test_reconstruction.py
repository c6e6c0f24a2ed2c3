# ruff: noqa: D101, D102 - stand-ins have nothing to document
"""Values like others, made without calling their classes."""

import collections
import functools
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator

from chainrules.ad import hvp, value_and_grad
from chainrules_core import (
    Tangent,
    TangentStructureError,
    attributes_of,
    backing,
    construct,
    reconstruct,
    reconstruction,
    set_attributes,
)
from tests.chainrules_core.closures import closure, unassigned


@dataclass
class Doubling:
    x: float
    settled: float = field(init=False, default=1.0)

    def __post_init__(self):
        self.x = 2 * self.x


@dataclass(frozen=True, slots=True)
class Frozen:
    x: float
    scale: float = 2.0


class Tagged(list):
    def __init__(self, items):
        super().__init__(items)
        self.tag = "new"


class Slotted(list):
    __slots__ = ("tag",)


class DoublingTuple(tuple):
    __slots__ = ()

    def __new__(cls, items):
        return super().__new__(cls, [2 * item for item in items])


class Shifted(collections.namedtuple("Shifted", ["a", "b"])):  # noqa: PYI024 - it may have a `__new__`
    __slots__ = ()

    def __new__(cls, a, b):
        return super().__new__(cls, a + 1, b)


class Strict(dict):
    def update(self, *_, **__):
        raise RuntimeError

    def __setitem__(self, key, value):
        super().__setitem__(key, 2 * value)


class Slots:
    __slots__ = ("name", "x")

    def __init__(self, x):
        self.x = x

    def total(self, y):
        return self.x * y


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high


@construct.dispatch
def construct_interval(primal_type: type[Interval], fields: Mapping):
    """The ends in order, whichever is given first."""
    return Interval(*sorted(fields.values()))


def marked(value, **attributes):
    """A value with attributes set after it was made."""
    for name, attribute in attributes.items():
        setattr(value, name, attribute)
    return value


def strict(**items):
    """A `Strict` with these items, undoubled."""
    made = Strict()
    for key, value in items.items():
        dict.__setitem__(made, key, value)
    return made


@pytest.mark.parametrize(
    ("f", "x", "value"),
    [
        (lambda c: c["a"] ** 2, collections.Counter(a=3.0), 9.0),
        (lambda d: d.x**2, Doubling(1.5), 9.0),
        (lambda d: d.x * d.settled * d.later, marked(Doubling(1.0), settled=3.0, later=5.0), 30.0),
        (lambda d: d.scale * d.x**2, Frozen(3.0), 18.0),
        (lambda v: v[0] * v[1] * v.tag, marked(Tagged([1.0, 2.0]), tag=9.0), 18.0),
        (lambda v: v[0] * v[1], DoublingTuple([1.0, 2.0]), 8.0),
        (lambda v: v.a * v.b, Shifted(1.0, 2.0), 4.0),
        (lambda v: v["a"] ** 2, strict(a=2.0), 4.0),
        (lambda v: v["a"] ** 2 + v["b"], collections.defaultdict(float, a=3.0), 9.0),
        (lambda v: next(iter(v.values())) * 2, collections.OrderedDict(b=3.0, a=1.0), 6.0),
    ],
)
def test_arguments_keep_their_values(f, x, value):
    """What a program sees of an argument while it is differentiated is what it sees of it otherwise."""
    assert f(x) == value
    assert value_and_grad(f)(x)[0] == value


def test_gradients_are_not_changed_by_constructors():
    """A gradient that comes back in its argument's container holds the derivatives, not twice them."""
    _, gradient = value_and_grad(lambda c: c["a"] ** 2)(collections.Counter(a=3.0))
    assert gradient == {"a": 6.0}
    _, gradient = value_and_grad(lambda v: v[0] * v[1])(DoublingTuple([1.0, 2.0]))
    assert tuple(gradient) == (4.0, 2.0)
    _, gradient = value_and_grad(lambda d: d.x**2)(Doubling(1.5))
    assert gradient.x == 6.0


@dataclass
class Scaled:
    """A dataclass that remembers what it computed from its field."""

    x: float

    @functools.cached_property
    def square(self):
        """The square of the field."""
        return self.x * self.x


def test_cached_properties_are_computed_again():
    """One that was asked for before is not what the fields are now: it would be a constant, in silence."""
    scaled = Scaled(3.0)
    assert scaled.square == 9.0

    assert reconstruct(scaled, {"x": 4.0}).square == 16.0
    assert value_and_grad(lambda s: s.square)(scaled)[1].x == 6.0
    assert hvp(lambda s: s.square, scaled, Tangent[Scaled](x=1.0)).x == 2.0
    assert scaled.square == 9.0


def test_what_scipy_remembers_of_a_matrix_is_computed_again():
    """The adjoint of an operator belongs to the matrix that it was made of."""
    operator = aslinearoperator(np.eye(2))
    assert np.array_equal(operator.H @ np.eye(2), np.eye(2))
    assert "_MatrixLinearOperator__adj" in vars(operator)
    assert backing(operator).keys() == vars(operator).keys() - {"_MatrixLinearOperator__adj"}

    doubled = reconstruct(operator, backing(operator) | {"A": 2 * np.eye(2)})
    assert np.array_equal(doubled.H @ np.eye(2), 2 * np.eye(2))
    moved = operator + Tangent[type(operator)](A=np.eye(2))
    assert np.array_equal(moved.H @ np.eye(2), 2 * np.eye(2))


def test_other_state_is_kept():
    """Classes, attributes beside the fields, default factories and the order of keys stay."""
    tagged = reconstruct(marked(Tagged([1.0]), tag="old"), (2.0,))
    assert (type(tagged), list(tagged), tagged.tag) == (Tagged, [2.0], "old")
    slotted = reconstruct(marked(Slotted([1.0]), tag="old"), (2.0,))
    assert (list(slotted), slotted.tag) == ([2.0], "old")
    counted = reconstruct(collections.defaultdict(list, a=1.0), {"a": 2.0})
    assert counted["other"] == []
    ordered = reconstruct(collections.OrderedDict(b=1.0, a=2.0), {"b": 3.0, "a": 4.0})
    assert list(ordered.items()) == [("b", 3.0), ("a", 4.0)]
    assert reconstruct(marked(Doubling(1.0), later=5.0), {"x": 7.0, "settled": 1.0}).later == 5.0


def test_slots_that_are_not_set_stay_so():
    """A slot without a value has none afterwards."""
    again = reconstruct(Slots(1.0), {"x": 2.0})
    assert again.x == 2.0
    assert not hasattr(again, "name")


def test_an_extended_construct_is_asked():
    """A class whose values `construct` makes is made by it, also where that was said later."""

    class Later(Interval):
        pass

    assert reconstruct(Interval(1.0, 2.0), {"low": 5.0, "high": 3.0}).low == 3.0
    assert type(reconstruct(Later(1.0, 2.0), {"low": 5.0, "high": 3.0})) is Interval

    class Plain:
        pass

    assert type(reconstruct(Plain(), {"low": 5.0})) is Plain

    @construct.dispatch
    def construct_plain(primal_type: type[Plain], fields: Mapping):
        return "constructed"

    assert reconstruct(Plain(), {"low": 5.0}) == "constructed"


def test_a_sum_with_a_tangent_calls_the_constructor():
    """A primal that was moved is a new value of its class, which may check it."""
    assert (Doubling(1.0) + Tangent[Doubling](x=0.5)).x == 5.0


def test_tuples_with_names_that_are_written_in_c():
    """They are made by their class."""
    primal = time.gmtime(0)
    assert reconstruct(primal, range(9)) == time.struct_time(range(9))


def test_functions():
    """The code stays, the cells are new; empty ones stay empty."""
    f = closure(2.0)
    g = reconstruct(f, {"p": 5.0})
    assert g(2.0) == 10.0
    assert f(2.0) == 4.0
    assert g.__code__ is f.__code__
    with pytest.raises(NameError):
        reconstruct(unassigned(), {})()


def test_methods():
    """The function stays, the instance is new."""
    assert reconstruct(Slots(1.0).total, {"__self__": Slots(2.0)})(1.5) == 3.0


def test_partials():
    """What the partial was made of, with new arguments."""
    again = reconstruct(functools.partial(pow, 2), {"func": pow, "args": (3,), "keywords": {}})
    assert again(2) == 9


class WithSlots:
    """A slot, which subclasses have beside a dict."""

    __slots__ = ("a",)

    def __setattr__(self, name, value):
        raise AttributeError(name)


class WithProperties(WithSlots):
    """Names that stand for something else in the class than in the instance."""

    @property
    def b(self):
        """An attribute, under its own name."""
        return self.__dict__["b"]

    @functools.cached_property
    def computed(self):
        """Twice `b`."""
        return 2 * self.b


@pytest.mark.parametrize("cls", [WithSlots, WithProperties])
def test_attributes_of_instances(cls):
    """They are read and set in slots and in the dict, and the class is not asked; others are taken away."""
    x = cls()
    assert attributes_of(x) == {}
    set_attributes(x, {"a": 1.0})
    assert attributes_of(x) == {"a": 1.0}
    assert attributes_of(reconstruct(x, {"a": 2.0})) == {"a": 2.0}
    set_attributes(x, {})
    assert not hasattr(x, "a")


def test_attributes_with_names_of_properties():
    """The dict of the instance holds them; what a cached property computed is no attribute."""
    x = WithProperties()
    set_attributes(x, {"a": 1.0, "b": 2.0})
    assert x.computed == 4.0
    assert attributes_of(x) == {"a": 1.0, "b": 2.0}
    moved = reconstruct(x, {"a": 1.0, "b": 3.0})
    assert (moved.b, moved.computed) == (3.0, 6.0)
    set_attributes(x, {"a": 1.0})
    assert vars(x) == {"computed": 4.0}


def test_fields_that_are_properties():
    """What a dataclass declares is set as an assignment sets it, wherever the property keeps it."""

    @dataclass
    class Kept:
        x: float

    Kept.x = property(lambda self: self._x, lambda self, x: setattr(self, "_x", x))
    moved = reconstruct(Kept(1.0), {"x": 2.0})
    assert (moved.x, vars(moved)) == (2.0, {"_x": 2.0})


def test_a_class_is_asked_once_for_its_constructor():
    """Until there is another one: rebuilding a value takes less time than asking."""

    @dataclass
    class Asked:
        x: float

    reconstruct(Asked(1.0), {"x": 2.0})
    known = reconstruction._own_constructors[Asked]
    reconstruct(Asked(1.0), {"x": 2.0})
    assert reconstruction._own_constructors[Asked] is known

    @construct.dispatch
    def construct_asked(primal_type: type[Asked], fields: Mapping):
        return "constructed"

    assert reconstruct(Asked(1.0), {"x": 2.0}) == "constructed"


@pytest.mark.parametrize("base", [object, list, dict])
def test_a_constructor_of_ones_own_is_not_called(base):
    """Neither ``__new__`` nor ``__init__``: both may change what they are given."""

    class Own(base):
        def __new__(cls, *, made=False):
            assert made
            return base.__new__(cls)

        def __init__(self, *, made=False):
            assert made
            self.x = 1.0

    own = Own(made=True)
    fields = {list: [2.0], dict: {"a": 2.0}, object: {"x": 2.0}}[base]
    rebuilt = reconstruct(own, fields)

    assert type(rebuilt) is Own
    assert rebuilt.x == (2.0 if base is object else 1.0)
    assert base is object or base(rebuilt) == fields


class OfC(random.Random):
    """No instance is made without its own ``__new__``, as of many classes that are written in C."""


class WithArguments:
    def __new__(cls, x):  # noqa: ARG004 - `__init__` takes it
        return super().__new__(cls)

    def __init__(self, x):
        self.x = x


def test_classes_that_cannot_be_made_of_fields():
    """The error names the class, and what to write."""
    block = OfC()
    block.values = np.ones(3)
    with pytest.raises(TangentStructureError, match=r"a OfC cannot be made of its fields: .*x\.to_numpy\(\)"):
        reconstruct(block, backing(block))
    with pytest.raises(TangentStructureError, match="a WithArguments cannot be made of its fields"):
        construct(WithArguments, {"x": 1.0})
