"""Instances are made as Python makes them, with the calls in their own methods intercepted."""

import dataclasses
import enum
import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import pytest

from chainrules.ad import call, grad, interception
from chainrules.ad.interception.choosing.constructing import constructor
from chainrules.ad.syntax.hooks import HOOKS, placeholder
from chainrules_core import NoTangent, rrule, typeof_
from tests.chainrules.ad.while_traced import while_traced


@dataclasses.dataclass
class Plain:
    """A dataclass that computes a field afterwards."""

    a: float
    b: float = dataclasses.field(init=False)
    given: dataclasses.InitVar[float] = 2.0

    def __post_init__(self, given):
        self.b = math.sin(self.a) * given


@dataclasses.dataclass(frozen=True)
class Frozen:
    """A frozen one."""

    a: float

    def __post_init__(self):
        object.__setattr__(self, "b", math.sin(self.a))


class Abstract(ABC):
    """A class that cannot be made."""

    def __init__(self, x):
        self.y = math.sin(x)

    @abstractmethod
    def method(self):
        """Do something."""


class Concrete(Abstract):
    """A class that can."""

    def method(self):
        """Do it."""
        return math.cos(self.y)


class Pair(NamedTuple):
    """A named tuple."""

    a: float
    b: float = 2.0


class Color(enum.Enum):
    """An enumeration: it is looked up by its value."""

    RED = 1


class Growing(list):
    """A list that is filled when it is made."""

    def __init__(self, x):
        super().__init__([math.sin(x)])


class Singleton:
    """``__new__`` returns the one instance, and it is initialized again."""

    one = None

    def __new__(cls, x):
        """Make it once."""
        if cls.one is None:
            cls.one = object.__new__(cls)
        return cls.one

    def __init__(self, x):
        self.y = math.sin(x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: Plain(x, given=1.0).b,
        lambda x: Frozen(x).b,
        lambda x: Concrete(x).y,
        lambda x: Pair(math.sin(x)).a,
        lambda x: Growing(x)[0],
        lambda x: Singleton(x).y,
    ],
)
def test_classes(f):
    """Each has the sine of its argument in it."""
    assert grad(f)(1.0) == pytest.approx(math.cos(1.0))


def test_the_instance_is_as_elsewhere():
    """It has the same attributes, and is an instance of the same class."""
    made = while_traced(1.0, lambda x: Plain(2.0))
    assert type(made) is Plain
    assert vars(made) == vars(Plain(2.0))
    assert while_traced(1.0, lambda x: Color(1)) is Color.RED


def test_what_cannot_be_made():
    """The errors are Python's own, and leave nothing behind."""
    for wrong, message in (
        (lambda x: Abstract(x), "abstract"),
        (lambda x: Plain(), "missing 1 required"),
        (lambda x: Concrete(), "missing 1 required"),
        (lambda x: Singleton(1.0, 2.0), "positional argument"),
    ):
        with pytest.raises(TypeError, match=message):
            grad(wrong)(1.0)
        with interception(False), pytest.raises(TypeError, match=message):
            wrong(1.0)


@pytest.mark.parametrize(
    ("always", "args", "kwargs", "is_entered"),
    [
        (True, (1.0,), {}, True),
        (False, (1.0,), {}, False),
        (False, (math.sin,), {}, False),
        (False, (test_classes,), {}, True),
        (False, (), {"x": 1.0}, False),
        (False, (), {"x": test_classes}, True),
    ],
)
def test_when_methods_are_entered(monkeypatch, always, args, kwargs, is_entered):
    """Those of the user's classes at every call, those of a library where there is something to follow."""

    class Holder:
        def __init__(self, x):
            self.x = x

    entered = []
    monkeypatch.setitem(HOOKS, placeholder("call"), lambda f: entered.append(f) or f)
    made = constructor(Holder, always)(*args, **kwargs)
    assert type(made) is Holder
    assert made.x in (*args, *kwargs.values())
    assert entered == [Holder.__init__] * is_entered


# --- By rules ---


@dataclasses.dataclass
class Shape:
    """A class whose constructor has a rule."""

    size: float


class Round(Shape):
    """A subclass."""


@rrule.dispatch
def shape_rrule(f: typeof_(Shape), size: float):
    """Say ten times too much."""
    return Shape(size), lambda y_bar: (NoTangent(), 10.0 * y_bar.size)


@dataclasses.dataclass
class Kind:
    """A class whose subclasses have its rule too."""

    size: float


class Special(Kind):
    """A subclass."""


@rrule.dispatch
def kind_rrule(f: type[Kind], size: float):
    """Say ten times too much."""
    return f(size), lambda y_bar: (NoTangent(), 10.0 * y_bar.size)


def test_constructors():
    """`typeof_(Shape)` is not for subclasses, `type[Kind]` is."""
    assert grad(lambda x: Shape(x).size)(1.0) == 10.0
    assert grad(lambda x: Round(x).size)(1.0) == 1.0
    assert grad(lambda x: Kind(x).size)(1.0) == 10.0
    assert grad(lambda x: Special(x).size)(1.0) == 10.0


class Counted:
    """A class with ``__new__``, a class method, and a result of another class."""

    def __new__(cls, x):
        """Make."""
        made = super().__new__(cls)
        made.y = math.sin(x)
        return made

    def __init__(self, x):
        self.z = math.cos(x)


class Meta(type):
    """A metaclass with a way of its own."""

    def __call__(cls, x):
        """Call."""
        made = super().__call__(x)
        made.w = 2.0 * x
        return made


class Made(metaclass=Meta):
    """Its class."""

    def __init__(self, x):
        self.x = x


class Other:
    """Its ``__new__`` returns something else."""

    def __new__(cls, x):
        """Make something else."""
        return math.exp(x)


def test_new_and_metaclasses():
    """They are called as Python calls them."""
    assert grad(lambda x: Counted(x).y * Counted(x).z)(1.0) == pytest.approx(math.cos(2.0))
    assert grad(lambda x: Made(x).w)(1.0) == 2.0
    assert grad(lambda x: Other(x))(1.0) == math.e


class Box:
    """An ordinary class whose constructor has a rule, and whose attributes have the names of arrays'."""

    def __init__(self, size):
        self.size = math.sin(size)
        self.mean = 2.0 * size

    def doubled(self):
        """Compute with an attribute."""
        return 2.0 * self.size


@rrule.dispatch
def box_rrule(f: typeof_(Box), size: float):
    """Say what the attributes are."""
    return Box(size), lambda y_bar: (NoTangent(), 10.0 * y_bar.size)


def test_a_constructor_of_an_ordinary_object():
    """Its attributes are traced, whatever their names are."""
    assert grad(lambda x: Box(x).size)(1.0) == 10.0
    assert grad(lambda x: call(Box, x).size)(1.0) == 10.0


def test_a_constructor_that_returns_something():
    """Python's own error."""

    class Returning:
        """A class with a mistake."""

        def __init__(self, x):
            self.x = x
            return x  # noqa: PLE0101 - the mistake

    with pytest.raises(TypeError, match=r"__init__\(\) should return None, not"):
        grad(lambda x: Returning(x).x)(1.0)


class Registering(type):
    """A class of classes that does something with each instance."""

    def __call__(cls, *args, **kwargs):
        """Make an instance, and change it."""
        instance = super().__call__(*args, **kwargs)
        instance.y = math.sin(instance.y)
        return instance


class Registered(metaclass=Registering):
    """One of these classes."""

    def __init__(self, x):
        self.y = math.sin(x)


def test_classes_with_a_class_of_their_own():
    """Their way to make an instance is entered, and so is the usual one that it calls."""
    assert grad(lambda x: Registered(x).y)(1.0) == pytest.approx(math.cos(math.sin(1.0)) * math.cos(1.0))
