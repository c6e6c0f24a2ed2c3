"""What a class has under a name is found as it stands there."""

import pytest

from chainrules.ad.interception.choosing.members import accessors, is_property, member_of, member_reader


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
