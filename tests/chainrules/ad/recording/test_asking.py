"""Attributes that a program asks for by their names."""

import collections
import dataclasses
import enum
import functools
import operator
import types
import typing

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from tests.chainrules.ad.recording.agreement import agrees

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case

X = np.array([0.3, -1.2, 2.1, 0.7])

SETTINGS = types.ModuleType("settings")
SETTINGS.scale = 2.0


def missing(x):
    """A name that a module may not have."""
    try:
        return np.sum(x) * SETTINGS.extra
    except AttributeError:
        return np.sum(x) * 7.0


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(x) * (2.0 if hasattr(SETTINGS, "extra") else 3.0),
        lambda x: np.sum(x) * getattr(SETTINGS, "extra", 5.0),
        lambda x: getattr(x, "sum")() * getattr(np, "sin")(x[0]) * getattr(SETTINGS, "scale"),  # noqa: B009 - by name
        lambda x: np.sum(x) * (2.0 if hasattr(x, "shape") and not hasattr(x, "extra") else 3.0),
        lambda x: np.sum(x) * operator.attrgetter("scale")(SETTINGS) * operator.attrgetter("T")(x)[0],
        lambda x: operator.methodcaller("sum")(x) * operator.methodcaller("get", "a.b", 2.0)({}),
        missing,
    ],
)
def test_attributes_by_name(f, monkeypatch):
    """What they are is compared, and that they are not there."""
    for g in (f, grad(f)):
        c = compiled(g, strict=True)
        for name, value in (("extra", 2.5), ("extra", 3.5), ("scale", 4.0)):
            for change in (
                lambda patch: None,
                lambda patch, n=name, v=value: patch.setattr(SETTINGS, n, v, False),
            ):
                with monkeypatch.context() as patch:
                    change(patch)
                    for x in (X, 2.0 * X):
                        np.testing.assert_allclose(c(x), g(x), rtol=1e-14)


def sets(x):
    """Attributes of what the program made."""
    space = types.SimpleNamespace()
    for name, value in {"a": x, "b": 2.0}.items():
        setattr(space, name, value)
    return np.sum(space.a * space.b * x)


def test_setting_attributes():
    """Of one's own objects they are recorded; of others they are effects, which are put back."""
    for g in (sets, grad(sets)):
        c = compiled(g, strict=True)
        for x in (X, 2.0 * X):
            np.testing.assert_array_equal(c(x), g(x))


def gives_to_a_module(x):
    """A new name."""
    SETTINGS.fresh = 2.0
    return np.sum(x)


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (gives_to_a_module, "attribute `fresh`"),
        (lambda x: setattr(SETTINGS, "fresh", 2.0) or np.sum(x), "attribute `fresh`"),
        (lambda x: setattr(SETTINGS, "scale", 3.0) or np.sum(x), "`scale` holds another value"),
        (lambda x: setattr(missing, "fresh", 3.0) or np.sum(x), "a dict was changed"),
        (lambda x: setattr(missing, "__code__", None) or np.sum(x), "`__code__`"),
    ],
)
def test_attributes_that_others_would_see(f, reason):
    """A new one, too."""
    with pytest.raises(CompilationError, match=reason):
        compiled(grad(f), strict=True)(X)
    assert not hasattr(SETTINGS, "fresh")
    assert SETTINGS.scale == 2.0
    assert not vars(missing)


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (lambda x: np.sum(x) * len(getattr(missing, "__code__").co_consts), "__code__"),  # noqa: B009 - by name
        (lambda x: np.sum(x) * (2.0 if hasattr(x, "__array_interface__") else 3.0), "__array_interface__"),
        (lambda x: np.sum(x) * functools.partial(getattr, SETTINGS)("scale"), "partial"),
        (lambda x: np.sum(x) * functools.partial(operator.attrgetter, "scale")()(SETTINGS), "partial"),
        (lambda x: np.sum(x) * operator.attrgetter("__dict__.a")(SETTINGS), "__dict__"),
        (lambda x: np.sum(x) * next(map(getattr, [SETTINGS], ["__dict__"]))["scale"], "__dict__"),
    ],
)
def test_attributes_that_are_not_read_by_name(f, reason):
    """As those after a dot."""
    with pytest.raises(CompilationError, match=reason):
        compiled(grad(f), strict=True)(X)


SCALE = [2.0]


class Outside:
    """A class that the program does not make."""

    part: float = 1.0

    def total(self, x):
        """Read by those that are derived from it."""
        return SCALE[0] * np.sum(x)


def makes_a_class(x):
    """With methods, attributes, and a class above it."""

    class Summing(Outside):
        factor = 3.0

        def __init__(self):
            self.sum = 0.0

        def add(self, v):
            self.sum = self.sum + self.factor * v * v

        @property
        def mean(self):
            return self.sum / len(x)

    summing = Summing()
    for v in x:
        summing.add(v)
    return summing.mean + summing.total(x * x)


def makes_a_dataclass(x):
    """Whose methods Python makes of text."""

    @dataclasses.dataclass(frozen=True)
    class State:
        place: float
        speed: float = 1.0
        seen: list = dataclasses.field(default_factory=list)

        def after(self, dt):
            return dataclasses.replace(
                self, place=self.place + dt * self.speed, speed=self.speed - dt * self.place
            )

    state = State(x[0], speed=x[1])
    for dt in x[2:]:
        state = state.after(dt)
    return state.place * state.speed


def makes_others(x):
    """By the library: tuples with names, and an enumeration."""

    class Point(typing.NamedTuple):
        left: float
        right: float = 2.0

    class Side(enum.Enum):
        LEFT = 1
        RIGHT = 2

    other = collections.namedtuple("other", "first second")  # noqa: PYI024 - as users write
    p = Point(x[0], right=x[1])._replace(left=x[2])
    return sum(side.value * part for side, part in zip(Side, p, strict=True)) * other(x[3], p.left).first


@pytest.mark.parametrize("f", [makes_a_class, makes_a_dataclass, makes_others])
def test_classes_that_a_program_makes(f):
    """They live as long as a call, and what they read from outside is compared."""
    points = [(X,), (2.0 * X,), (-X,)]
    agrees(f, points)
    c = agrees(grad(f), points)
    SCALE[0] = 5.0
    for (x,) in points:
        np.testing.assert_allclose(c(x), grad(f)(x), rtol=1e-12)
    SCALE[0] = 2.0


def test_a_class_from_outside_is_not_decorated():
    """It would be another one for everybody."""
    with pytest.raises(CompilationError, match="it changes the class Outside"):
        compiled(lambda x: np.sum(x) * dataclasses.dataclass(Outside)(2.0).part, strict=True)(X)
    assert not dataclasses.is_dataclass(Outside)


def test_questions_about_protocols():
    """Arrays have them, whatever their elements are."""
    f = lambda x: np.sum(x) * (2.0 if hasattr(x, "__array_namespace__") else 3.0)  # noqa: E731 - short
    agrees(f, [(X,)])
    agrees(grad(f), [(X,)])
