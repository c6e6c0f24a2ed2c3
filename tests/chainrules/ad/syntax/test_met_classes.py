"""Of classes that are made again and again, memories hold the last ones."""

import gc
import weakref

import numpy as np

from chainrules.ad import grad
from chainrules.ad.syntax import met_classes
from chainrules.ad.syntax.met_classes import note


def named(name):
    """A new class."""
    return type(name, (), {"__qualname__": f"f.<locals>.{name}"})


def test_the_last_classes_of_a_name_are_remembered():
    """By each memory that was told of them; those of other names stay."""
    known, others = {}, set()
    other = named("Other")
    others.add(other)
    note(other, others)
    classes = [named("One") for _ in range(20)]
    for cls in classes:
        known[cls] = None
        others.add(cls)
        for _ in range(2):
            note(cls, known)
            note(cls, others)
    assert list(known) == classes[-8:]
    assert others == {other, *classes[-8:]}


def test_names_do_not_fill_the_memory(monkeypatch):
    """A program may make names, too."""
    monkeypatch.setattr(met_classes, "_met", {})
    monkeypatch.setattr(met_classes, "_MOST_NAMES", 3)
    for number in range(20):
        note(named(f"Class{number}"), {})
    assert len(met_classes._met) <= 4


def test_what_local_classes_capture_is_let_go():
    """Such as the arrays of each call of a function that defines one."""
    captured = []

    def program(x):
        array = np.ones(3)

        class Model:
            def __init__(self):
                self.weights = array
                self.x = x

            @property
            def y(self):
                return np.sum(self.weights * self.x)

            def __add__(self, other):
                return self.y + other

        captured.append(weakref.ref(Model))
        return Model() + x

    derivative = grad(program)
    assert [derivative(2.0) for _ in range(20)] == [4.0] * 20
    gc.collect()
    assert sum(reference() is not None for reference in captured) <= 8
