"""Classes whose attributes are plain ones."""

import enum
import functools

import pytest

from chainrules.ad.recording.members import members_of

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

    __slots__ = ("a",)


class Hiding:
    """It makes up attributes."""

    def __getattr__(self, name):
        return 1.0


class OfLibrary(dict):
    """It holds more than its attributes."""


class Cached:
    """It keeps what it computed."""

    @functools.cached_property
    def value(self):
        """Kept."""


class OwnError(ValueError):
    """What a program raises and catches."""


class Listed(enum.Enum):
    """It has a metaclass."""

    A = 1


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


@pytest.mark.parametrize("cls", [WithSlots, Hiding, OfLibrary, Cached, Listed])
def test_other_members(cls):
    """Whose changes could not be seen."""
    assert members_of(cls)[1] is not None
