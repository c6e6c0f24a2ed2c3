"""Classes whose attributes are plain ones."""

import copy
import enum
import functools
from typing import Any, NamedTuple

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.members import members_of
from chainrules.ad.recording.refused import CompilationError
from tests.chainrules.ad.recording.agreement import agrees

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case


class Plain:
    """With members of each plain kind."""

    number = 2.0

    def method(self):
        """A method."""

    @property
    def prop(self):
        """A property."""

    @staticmethod
    def static():
        """Static."""

    @classmethod
    def of_class(cls):
        """Of the class."""


class WithSlots:
    """Its attributes are no dict."""

    __slots__ = ("a", "b", "late")

    def __init__(self, a, b):
        self.a, self.b = a, b

    def total(self):
        """Of what it holds."""
        return np.sum(self.a * self.b)


class WithBoth(WithSlots):
    """It has a dict beside its slots."""


class Pair(NamedTuple):
    """With fields."""

    a: Any
    b: Any = 2.0

    def total(self):
        """Of what it holds."""
        return np.sum(self.a * self.b)


class Hiding:
    """It makes up attributes."""

    def __getattr__(self, name):
        return 1.0


class OfLibrary(dict):
    """It holds more than its attributes."""


class Cached:
    """It keeps what it computed."""

    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def value(self):
        """Kept."""
        return np.sum(self.a**2)


class OwnError(ValueError):
    """What a program raises and catches."""


class Listed(enum.Enum):
    """Its metaclass is known."""

    A = 1.0
    B = 2.0

    @property
    def twice(self):
        """Of its value."""
        return 2.0 * self.value

    def times(self, x):
        """With its value."""
        return x * self.value


class Numbered(enum.IntEnum):
    """Its members are whole numbers."""

    ONE = 1
    TWO = 2


class Meta(type):
    """It may do anything."""


class OfMeta(metaclass=Meta):
    """It has another metaclass."""


class WithNew:
    """It makes what it likes."""

    def __new__(cls):  # noqa: D102 - what is tested
        return 1.0


def test_plain_members():
    """Functions and values are within reach."""
    held, reason = members_of(Plain)
    assert reason is None
    assert Plain.method in held
    assert Plain.prop.fget in held
    assert 2.0 in held


def test_errors():
    """They hold nothing but what is known."""
    assert members_of(OwnError)[1] is None


POINTS = [(np.array(x),) for x in ([0.3, -1.2, 2.5], [-0.3, 4.0, 2.5], [5.0, 4.0, 3.0])]
PAIR, SLOTTED, BOTH = Pair(np.arange(3.0), 3.0), WithSlots(2.0, 3.0), WithBoth(2.0, 3.0)
KEPT = Cached(np.arange(3.0))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: WithSlots(x, 2.0).total() * WithBoth(x, 3.0).total(),
        lambda x: Pair(x).total() * Pair(x[0], b=x[1])[1] * len(Pair(x)),
        lambda x: Pair(x)._replace(b=x).total() * Pair._make((x, x)).total() * Pair(x)._asdict()["b"],
        lambda x: sum(a * b for a, b in [Pair(v, i) for i, v in enumerate(x)]) * max(Pair(*x[:2])),
        lambda x: np.sum(x) * PAIR.total(),
        lambda x: Cached(x).value * np.sum(x),
        lambda x: np.sum(Listed.B.times(x)) * Listed.A.twice * Numbered.TWO,
        lambda x: sum(np.sum(kind.times(x)) for kind in Listed) * (2.0 if Listed(1.0) == Listed.A else 3.0),
        lambda x: np.sum(x) * {Listed.A: 2.0, Listed.B: 3.0}[Listed.A if x[0] > 1.0 else Listed.B],
        lambda x: np.sum(x) * Numbered(int(x[0] > 0.0) + 1).value,
    ],
)
@pytest.mark.parametrize("form", [lambda f: f, grad], ids=["plain", "grad"])
def test_instances(f, form):
    """Classes with slots and fields, and what keeps what it computed; enumerations."""
    agrees(form(f), POINTS)
    agrees(form(f), POINTS[::-1])


@pytest.mark.parametrize("held", [SLOTTED, BOTH])
def test_slots_from_outside(held, monkeypatch):
    """What they hold is compared, be it there or not, and put back if the program changed it."""

    def f(x):
        return np.sum(x * held.a) * getattr(held, "late", 1.0)

    c = compiled(grad(f), strict=True)
    for value in (held.a, 3.0, np.arange(3.0)):
        monkeypatch.setattr(held, "a", value)
        for _ in range(2):
            np.testing.assert_array_equal(c(*POINTS[0]), grad(f)(*POINTS[0]))
    held.a[1] = 7.0
    np.testing.assert_array_equal(c(*POINTS[0]), grad(f)(*POINTS[0]))
    held.late = 2.0
    np.testing.assert_array_equal(c(*POINTS[0]), grad(f)(*POINTS[0]))
    del held.late

    def changes(x):
        held.a, held.late = 1.0, 2.0
        return np.sum(x)

    with pytest.raises(CompilationError, match="a slot of an object, has another value"):
        compiled(changes, strict=True)(*POINTS[0])
    assert held.a is value
    assert not hasattr(held, "late")


def test_fields_are_compared(monkeypatch):
    """What a tuple from outside holds is noted as the items of others are."""
    pair = Pair(np.arange(3.0), [2.0])
    c = compiled(lambda x: np.sum(x) * pair.a[1] * pair.b[0], strict=True)
    assert c(*POINTS[2]) == 24.0
    pair.a[1] = 3.0
    assert c(*POINTS[2]) == 72.0
    pair.b[0] = 1.0
    assert c(*POINTS[2]) == 36.0
    monkeypatch.setattr(Numbered.ONE, "note", 5.0, raising=False)
    c = compiled(lambda x: np.sum(x) * Numbered.ONE.note, strict=True)
    assert c(*POINTS[2]) == 60.0
    monkeypatch.setattr(Numbered.ONE, "note", 6.0)
    assert c(*POINTS[2]) == 72.0


def test_keeping_from_outside():
    """To keep what was computed in an object from outside is an effect, which is put back."""
    f = lambda x: np.sum(x) * KEPT.value  # noqa: E731 - as users write them
    with pytest.raises(CompilationError, match="changes its surroundings"):
        compiled(f, strict=True)(*POINTS[0])
    assert "value" not in vars(KEPT)
    f(*POINTS[0])
    agrees(f, POINTS)


@pytest.mark.parametrize("cls", [Hiding, OfLibrary, OfMeta, WithNew])
def test_other_members(cls):
    """Whose changes could not be seen."""
    assert members_of(cls)[1] is not None


class Copied:
    """A class of which nothing has been copied."""

    def __init__(self, value):
        self.value = value


def test_a_copy_changes_no_class():
    """Python notes the slots of a class there, at the first copy of an instance, here or elsewhere."""
    held = Copied(2.0)
    c = compiled(lambda x: np.sum(x) * copy.copy(held).value, strict=True)
    assert c(*POINTS[2]) == 24.0
    assert len(c.variants) == 1
    other = type("Other", (Copied,), {})(3.0)
    c = compiled(lambda x: np.sum(x) * other.value, strict=True)
    assert c(*POINTS[2]) == 36.0
    assert copy.copy(other).value == 3.0
    assert c(*POINTS[2]) == 36.0
    assert len(c.variants) == 1
    assert c.variants[0].calls == 1
