"""Answers that depend on a class alone."""

import gc
import weakref

from chainrules_core.class_memory import remembered_by_class


def test_worked_out_once_for_each_class():
    """A second question about a class is answered from memory; a subclass is another class."""
    asked = []

    @remembered_by_class
    def name_of(cls):
        """The name of a class."""
        asked.append(cls)
        return cls.__name__

    class Derived(int):
        pass

    assert [name_of(int), name_of(Derived), name_of(int)] == ["int", "Derived", "int"]
    assert asked == [int, Derived]
    assert name_of.__doc__ == "The name of a class."


def test_none_is_an_answer():
    """`None` is remembered like any other answer."""
    asked = []

    @remembered_by_class
    def nothing(cls):
        asked.append(cls)

    assert nothing(int) is nothing(int) is None
    assert asked == [int]


def test_forgotten_with_the_class():
    """An answer keeps no class alive."""

    @remembered_by_class
    def name_of(cls):
        return cls.__name__

    class Local:
        pass

    name_of(Local)
    reference = weakref.ref(Local)
    del Local
    gc.collect()
    assert reference() is None
