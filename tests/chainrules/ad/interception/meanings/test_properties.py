"""Attributes that are computed are computed by twins."""

import functools
import math
import operator
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from chainrules.ad import grad, interception
from chainrules.ad.interception.meanings import properties
from chainrules.ad.interception.meanings.properties import attribute
from chainrules.ad.syntax.classes_of_values import classes_to_read
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values import memory
from tests.chainrules.ad.interception.ruled_callables import cube
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by


class Described:
    """A descriptor of the user's, which computes."""

    def __get__(self, instance, owner):
        """Compute."""
        return self if instance is None else math.sin(instance.x)


class Setting(Described):
    """One that comes before the attributes of an instance."""

    def __set__(self, instance, value):
        """Refuse."""
        raise AttributeError("no")


class Model:
    """All kinds of computed attributes."""

    described, setting = Described(), Setting()
    constant = 3.0
    of_class = float
    in_c = property(operator.attrgetter("pair"))
    in_c_cached = functools.cached_property(operator.attrgetter("x"))

    def __init__(self, x):
        self.x = x
        self.computed = 0

    @property
    def sine(self):
        """The sine."""
        return math.sin(self.x)

    @functools.cached_property
    def cached(self):
        """The sine, computed once."""
        self.computed += 1
        return math.sin(self.x)

    @property
    def pair(self):
        """The number twice."""
        return (1.0, self.x)

    def method(self):
        """The sine."""
        return math.sin(self.x)

    @property
    def missing(self):
        """Fail."""
        return self.nowhere

    def __getattr__(self, name):
        if name == "dynamic":
            return math.sin(self.x)
        raise AttributeError(f"nothing is called {name}")


class Inheriting(Model):
    """A class that hides one of them, and computes another by that of its parent."""

    sine = None
    other = property(lambda self: math.sin(self.x))

    @property
    def described(self):
        """The other way."""
        return super().described * 1.0


class Slotted:
    """Slots, and a property."""

    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x

    @property
    def sine(self):
        """The sine."""
        return math.sin(self.x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: Model(x).sine,
        lambda x: Model(x).cached,
        lambda x: Model(x).described,
        lambda x: Model(x).setting,
        lambda x: Model(x).dynamic,
        lambda x: Inheriting(x).other,
        lambda x: Inheriting(x).cached,
        lambda x: Slotted(x).sine,
        lambda x: getattr(Model(x), "sine"),  # noqa: B009 - what is tested
        lambda x: getattr(Model(x), "dynamic", 0.0),
        lambda x: getattr(Model(x), "nothing", math.sin(x)),
        lambda x: Model(x).method(),
        lambda x: Model(x).of_class.__name__ and math.sin(x),
        lambda x: math.sin(Model(x).in_c[1]),
        lambda x: math.sin(Model(x).in_c_cached),
    ],
)
def test_computed_attributes(f):
    """Each of them is the sine."""
    assert grad(f)(1.0) == pytest.approx(math.cos(1.0))


def test_attributes_that_are_not_computed():
    """They are read as they are."""

    def f(x):
        model = Model(x)
        model.__dict__["described"] = 5.0  # before a descriptor that does not set
        assert Inheriting(x).sine is None
        assert model.cached is model.cached
        assert isinstance(Model.described, Described)
        return model.constant * x + model.described * 0.0 + model.computed * x

    assert grad(f)(1.0) == 4.0
    assert while_traced(1.0, lambda x: Model(2.0).x) == 2.0


def test_asking_for_attributes():
    """What is computed is computed by a twin, also to find out whether it is there."""
    for name, is_there in {"sine": True, "dynamic": True, "nowhere": False}.items():
        assert while_traced(1.0, lambda x, name=name: hasattr(Model(x), name)) is is_there
    assert not while_traced(1.0, lambda x: hasattr(Slotted(x), "y"))


def test_missing_attributes():
    """The errors are those of the class."""
    for intercepted in (True, False):
        with interception(intercepted):
            with pytest.raises(AttributeError, match="nothing is called nowhere"):
                grad(lambda x: Model(x).nowhere)(1.0)
            with pytest.raises(AttributeError, match="'Slotted' object has no attribute 'y'"):
                grad(lambda x: Slotted(x).y)(1.0)
            with pytest.raises(AttributeError, match="nothing is called"):
                grad(lambda x: getattr(Model(x), "nowhere"))(1.0)  # noqa: B009 - what is tested


def test_classes_that_are_remembered():
    """A class is noted down once for each of its attributes that are read as they are."""
    Plain = type("Plain", (), {"constant": 1.0})
    classes = classes_to_read("constant")
    attribute(Plain(), "constant", classes)
    assert Plain in classes
    assert set(functions_run_by(lambda: attribute(Plain(), "constant", classes))) == {"attribute"}


def test_how_many_classes_are_remembered(monkeypatch):
    """So many; the classes of traced values always are."""
    monkeypatch.setattr(memory, "MOST", 3)
    monkeypatch.setattr(properties, "_getters", dict(properties._ALWAYS_KNOWN))
    sizes = []
    for _ in range(5):
        attribute(type("Made", (), {"constant": 1.0})(), "constant")
        sizes.append(len(set(properties._getters) - set(properties._ALWAYS_KNOWN)))
    assert sizes == [1, 2, 3, 2, 3]
    assert set(properties._getters) >= {*TRACED, super}


class Everything:
    """A class that answers for each attribute itself."""

    def __init__(self, x):
        self.x = x

    @property
    def slope(self):
        """Not what is read."""
        return self.x

    def __getattribute__(self, name):
        return (
            cube(object.__getattribute__(self, "x"))
            if name == "slope"
            else object.__getattribute__(self, name)
        )

    def __getattr__(self, name):
        return self.slope


class Missing:
    """A property that has none, and what stands in for it."""

    def __init__(self, x):
        self.x = x

    @property
    def slope(self):
        """None."""
        raise AttributeError("slope")

    def __getattr__(self, name):
        return cube(self.x)


class PerThread(threading.local):
    """A class whose attributes are found by another way than those of most."""

    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        return cube(self.x)


class Above:
    """A class with a property."""

    @property
    def slope(self):
        """With a rule."""
        return cube(self.x)


class Below(Above):
    """One that asks for that of the class above."""

    def __init__(self, x):
        self.x = x
        self.__x = x

    @property
    def __slope(self):
        return cube(self.__x)

    @property
    def slope(self):
        """With a rule, by ``super()``, and by a private name."""
        return super().slope / 2.0 + self.__slope / 2.0


@pytest.mark.parametrize("cls", [Everything, Missing, PerThread, Below])
def test_attributes_are_found_as_python_finds_them(cls):
    """By `__getattribute__`, then by `__getattr__`; by ``super()``, and by private names."""
    assert grad(lambda x: cls(x).slope)(1.0) == 300.0


def test_a_class_may_get_another_property():
    """The one that it has now is read, and assigned to."""

    class Patched:
        def __init__(self, x):
            self.x = x

        @property
        def slope(self):
            return cube(self.x)

    def program(x):
        patched = Patched(x)
        first = patched.slope
        Patched.slope = property(lambda self: 2.0 * self.x, lambda self, x: setattr(self, "x", 3.0 * x))
        patched.slope = patched.slope
        second = patched.slope
        Patched.slope = property(lambda self: self.x, lambda self, x: setattr(self, "x", 5.0 * x))
        patched.slope = x
        third = patched.slope
        Patched.slope = 7.0
        return first + second + third + patched.slope * x

    assert grad(program)(1.0) == 300.0 + 12.0 + 5.0 + 7.0


class Meta(type):
    """A metaclass with properties whose names are those of properties of its class."""

    @property
    def y(cls):
        """Some text."""
        return "of the class"

    half = y


class OfMeta(metaclass=Meta):
    """Its class."""

    def __init__(self, x):
        self._x = x

    @property
    def y(self):
        """The sine."""
        return math.sin(self._x)

    @y.setter
    def y(self, x):
        self._x = math.exp(x)

    @functools.cached_property
    def half(self):
        """The half."""
        return math.sin(self._x) / 2.0


def test_a_property_of_the_metaclass_is_another_one():
    """Reading, storing and caching go by the class."""

    def program(x):
        o = OfMeta(x)
        o.y = o.half
        assert OfMeta.y == "of the class"
        return o.y

    assert grad(program)(1.0) == pytest.approx(grad(lambda x: math.sin(math.exp(math.sin(x) / 2.0)))(1.0))


Documented = type("Documented", (property,), {})


class Guarded:
    """A class with a way of its own for all attributes, which ends at the usual one."""

    def __init__(self, x):
        self._x = x

    def __getattribute__(self, name):
        return super().__getattribute__(name)

    def __setattr__(self, name, value):
        super().__setattr__(name, value)

    @Documented
    def y(self):
        """The cube."""
        return cube(self._x)

    @y.setter
    def y(self, value):
        self._x = cube(value)


def by_object(x):
    """As of the class above all."""
    o = Guarded(1.0)
    object.__setattr__(o, "y", x)
    return object.__getattribute__(o, "y")


def by_itself(x):
    """As anywhere."""
    o = Guarded(1.0)
    o.y = x
    return o.y


def test_the_usual_way_of_values_without_properties():
    """Of an object of a class without any, and of a traced one."""
    read = object.__getattribute__
    assert grad(lambda x: read(SimpleNamespace(y=cube(x)), "y"))(2.0) == grad(cube)(2.0)
    assert grad(lambda x: x * read(x, "__class__")(2.0))(3.0) == 2.0


@pytest.mark.parametrize("program", [by_object, by_itself])
def test_the_usual_way_enters_properties(program):
    """``super().__getattribute__`` and ``super().__setattr__`` are those of `object`: cubes have rules."""
    assert program(2.0) == 2.0**9
    assert grad(program)(2.0) == 100.0**2 * 9.0 * 2.0**8


def test_questions_about_memory():
    """Order and steps are those of the value, for libraries too, which ask before they call code in C."""

    def asked(x):
        return x.flags.c_contiguous, x.flags["F_CONTIGUOUS"], x.strides

    for x in (normal(2, 3), normal(3, 2).T, normal(2, 6)[:, ::2], np.float64(1.5)):
        assert while_traced(x, asked) == asked(x)
