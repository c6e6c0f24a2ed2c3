"""What a class has under a name is found as it stands there."""

import pytest

from chainrules.ad.interception.members import member_of, member_reader


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
