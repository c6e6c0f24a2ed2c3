"""Slots of steps are made once; parts lead to their whole."""

from chainrules.ad.recording.slots import Slot, step_slot


def test_slots_of_steps():
    """Each is one object, also beyond those that there were so far."""
    number = 10 * 1000
    assert step_slot(number) is step_slot(number) == Slot("step", number)
    assert step_slot(0) == Slot("step", 0)


def test_parts():
    """A part of a part belongs to the whole."""
    whole = Slot("argument", 2)
    assert Slot("part", Slot("part", whole, 1), 0).root() is whole
