"""What the generated `__init__` of a dataclass calls is entered."""

import dataclasses
import functools
import gc
import math
import weakref

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.dataclass_fields import initializing
from chainrules.ad.interception.choosing.switch import calls_shown_to
from tests.chainrules.ad.interception.ruled_callables import cube
from tests.chainrules.ad.while_traced import while_traced
from tests.python_calls import functions_run_by


def zeros():
    """An array to be filled."""
    return np.zeros(2)


@dataclasses.dataclass
class Filled:
    """A dataclass whose defaults are made by functions."""

    x: float
    total: np.ndarray = dataclasses.field(default_factory=zeros)
    items: list[float] = dataclasses.field(default_factory=list, kw_only=True)


@dataclasses.dataclass(slots=True)
class Slotted:
    """One with slots, whose fields are all of the kinds that there are."""

    x: float
    given: dataclasses.InitVar[float] = 2.0
    total: np.ndarray = dataclasses.field(default_factory=zeros)
    y: float = dataclasses.field(init=False)
    made: list[float] = dataclasses.field(init=False, default_factory=list)

    def __post_init__(self, given):
        self.y = cube(self.x) * given
        self.made.append(given)
        self.total[1] = self.x


def test_defaults_can_be_filled():
    """Those that are not given are made once for each instance."""

    def program(x):
        one, other = Filled(x), Filled(x, total=np.ones(2))
        third = Filled(x, np.ones(2), items=[x])
        one.total[0] = x
        one.items.append(x)
        assert other.items == []
        assert other.total is not third.total
        return np.sum(one.total * other.total) + sum(one.items) * third.items[0]

    assert grad(program)(3.0) == 1.0 + 6.0


def test_what_comes_after_has_rules_where_there_are_slots():
    """The fields are those that the generated function would set."""

    def program(x):
        one = Slotted(x)
        other = Slotted(x, 3.0, np.ones(2))
        assert (one.made, other.made) == ([2.0], [3.0])
        return one.y + other.y + one.total[1] * other.total[0]

    assert grad(program)(1.0) == 300.0 * 5.0 + 1.0


def test_arguments_are_bound_as_python_does():
    """The errors are Python's own; no default is made before."""
    made = []

    @dataclasses.dataclass
    class Making:
        x: float
        y: float = dataclasses.field(default_factory=lambda: made.append(1))

    for cls in (Filled, Slotted, Making):
        for args, kwargs in (((1.0, 2.0, 3.0, 4.0), {}), ((), {"x": 1.0, "z": 2.0}), ((), {})):
            with pytest.raises(TypeError) as plain:
                cls(*args, **kwargs)
            with pytest.raises(TypeError) as error:
                grad(lambda x, cls=cls, args=args, kwargs=kwargs: x * bool(cls(*args, **kwargs)))(1.0)
            assert str(error.value) == str(plain.value)
    assert made == []


@dataclasses.dataclass
class Sized:
    """One whose field is computed afterwards, from a field that a function checks."""

    x: float

    def __setattr__(self, name, value):
        object.__setattr__(self, name, cube(value) if name == "x" else value)

    def __post_init__(self):
        self.y = cube(self.x)


@dataclasses.dataclass(slots=True)
class SizedWithSlots(Sized):
    """The same with slots."""

    x: float


class Extended(Sized):
    """One that calls the generated function by `super`."""

    def __init__(self, x):
        super().__init__(2.0 * x)


class ExtendedByName(Sized):
    """One that calls it by the name of its class."""

    def __init__(self, x):
        Sized.__init__(self, x=2.0 * x)


@dataclasses.dataclass(frozen=True)
class Frozen:
    """One whose ``__setattr__`` refuses, and that is not used."""

    x: float
    made: Extended = dataclasses.field(default_factory=functools.partial(Extended, 1.0))

    def __post_init__(self):
        object.__setattr__(self, "y", cube(self.x) * self.made.y)


class Cubed:
    """A descriptor of a field."""

    def __set_name__(self, owner, name):
        self._name = f"_{name}"

    def __get__(self, instance, owner):
        """What was set; of the class there is none."""
        if instance is None:
            raise AttributeError(self._name)
        return getattr(instance, self._name)

    def __set__(self, instance, value):
        """Set the cube."""
        setattr(instance, self._name, cube(value))


@dataclasses.dataclass
class Described:
    """One with that descriptor, and without anything else."""

    y: Cubed = Cubed()


@dataclasses.dataclass(init=False)
class OtherFields(Sized):
    """One with a field that the ``__init__`` that it inherits does not set."""

    z: float = 2.0


@dataclasses.dataclass
class Plain:
    """One that calls nothing."""

    y: float


@pytest.mark.parametrize(
    ("cls", "n_cubes", "factor"),
    [
        (Sized, 2, 1.0),
        (SizedWithSlots, 2, 1.0),
        (Extended, 2, 2.0),
        (ExtendedByName, 2, 2.0),
        (OtherFields, 2, 1.0),
        (Described, 1, 1.0),
        (Plain, 0, 1.0),
    ],
)
def test_what_the_generated_function_calls_has_rules(cls, n_cubes, factor):
    """`cube` says a hundred times too much at each call."""
    made = while_traced(1.0, lambda x: cls(2.0))
    assert vars(made) == vars(cls(2.0))
    assert grad(lambda x: cls(x).y)(1.0) == pytest.approx(
        100.0**n_cubes * 3.0**n_cubes * factor ** (3**n_cubes)
    )


def test_frozen_ones_are_set_as_python_does():
    """What makes a default may be a class of the user's, here by way of a partial function."""
    y = Frozen(1.0).y
    assert grad(lambda x: Frozen(x).y)(1.0) == 300.0 * y
    with pytest.raises(dataclasses.FrozenInstanceError):
        grad(lambda x: setattr(Frozen(x), "x", 1.0))(1.0)


def test_defaults_that_a_function_of_the_user_makes():
    """It is entered, also if there is nothing else to follow; one of Python's own is called as it is."""

    def program(x):
        @dataclasses.dataclass
        class Made:
            y: float = dataclasses.field(default_factory=lambda: math.sin(x))

        return Made().y

    @dataclasses.dataclass
    class Listed:
        items: list = dataclasses.field(default_factory=list)

    assert grad(program)(0.7) == math.cos(0.7)
    initialize = initializing(Listed.__init__)
    assert not functions_run_by(lambda: initialize(Listed()))["_written"]


def test_slots_have_their_defaults():
    """Those that are no arguments are set by the generated function, as a slot has none."""

    @dataclasses.dataclass(slots=True)
    class Given:
        x: float
        y: float = dataclasses.field(init=False, default=4.0)

        def __post_init__(self):
            self.x = cube(self.x)

    assert grad(lambda x: Given(x).x * Given(x).y)(1.0) == 1200.0


def test_classes_are_let_go():
    """What is remembered for a class does not hold it, nor do functions for defaults that speak of it."""

    def reference_to_class():
        @dataclasses.dataclass(frozen=True)  # other assignments are remembered for some thousands of classes
        class Node:
            x: float
            rest: list = dataclasses.field(default_factory=lambda: [Node])

        node = Node.__new__(Node)
        initializing(Node.__init__)(node, 2.0)
        assert node == Node(2.0)
        return weakref.ref(Node)

    reference = reference_to_class()
    gc.collect()
    assert reference() is None


@dataclasses.dataclass(frozen=True)
class Plain:
    """A dataclass whose fields are as they are given."""

    x: float
    factor: float = 2.0


def test_whoever_watches_sees_all():
    """What no function of the user has to do with is written again as well, and is not the user's."""
    seen = []

    def watch(f, chosen):
        seen.append(f)
        return chosen

    def f(x):
        return Plain(x).x * Plain(x).factor * len([*Filled(x, np.zeros(1)).items, 0])

    for _ in range(2):
        assert grad(f)(1.0) == 2.0
        with calls_shown_to(watch):
            assert grad(f)(1.0) == 2.0
    assert seen.count(list) == 2


def test_other_functions_without_source_are_called_as_they_are():
    """Such as one that was executed, and that was given to a dataclass as its ``__init__``."""
    scope = {}
    exec("def __init__(self, x): self.y = x * 2.0", scope)  # noqa: S102 - to have no source

    @dataclasses.dataclass(init=False)
    class Executed:
        __init__ = scope["__init__"]

        def __post_init__(self):
            raise AssertionError

    class NoDataclass:
        __init__ = scope["__init__"]

    f = lambda x: Executed(x).y + NoDataclass(x).y  # noqa: E731 - it is short
    assert grad(f)(1.0) == 4.0
    with calls_shown_to(lambda _, chosen: chosen):
        assert grad(f)(1.0) == 4.0
