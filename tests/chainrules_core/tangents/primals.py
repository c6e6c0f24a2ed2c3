"""Values with fields, and what a thunk computes, for the tests of this folder."""

from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


@dataclass
class Foo(Generic[T]):
    """A mutable dataclass, generic in a field."""

    A: T
    c: float


@dataclass(frozen=True)
class Named:
    """A frozen dataclass, of which two fields cannot be perturbed."""

    x: float
    name: str
    count: int = 0


class Point(NamedTuple):
    """A NamedTuple."""

    x: float
    y: float


class Plain:
    """A plain class whose `__init__` takes something else than its attributes."""

    def __init__(self, scale):
        self.w = scale * 1.0
        self._b = 0.0


class Slotted:
    """A class with slots."""

    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


@dataclass
class Derived:
    """A dataclass with a field that its `__init__` computes."""

    x: float
    double: float = field(init=False)

    def __post_init__(self):
        self.double = 2 * self.x


@dataclass
class Selective:
    """Refuses negative values."""

    x: float

    def __post_init__(self):
        if self.x < 0:
            raise ValueError("x has to be positive")


class Counted:
    """A function that counts its calls."""

    def __init__(self, value):
        self.value = value
        self.calls = 0

    def __call__(self):
        """Count, and give the value."""
        self.calls += 1
        return self.value
