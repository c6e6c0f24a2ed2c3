"""Memories hold what was found out last, and of classes that are made again and again the last ones."""

import gc
import threading
import weakref

import numpy as np

from chainrules.ad import grad
from chainrules.ad.values import memory
from chainrules.ad.values.memory import remember, remembered


def named(name):
    """A new class."""
    return type(name, (), {"__qualname__": f"f.<locals>.{name}"})


def test_the_last_classes_of_a_name_are_remembered():
    """By each memory that was told of them; those of other names stay."""
    known, others = {}, {}
    other = named("Other")
    remember(others, other, None)
    classes = [named("One") for _ in range(20)]
    for cls in classes:
        for _ in range(2):
            remember(known, cls, None)
            remember(others, cls, None)
    assert list(known) == classes[-8:]
    assert list(others) == [other, *classes[-8:]]


def test_the_older_half_is_forgotten(monkeypatch):
    """Where it is full; what is always known stays, and what is there may get another value."""
    monkeypatch.setattr(memory, "MOST", 4)
    known = {"always": 0}
    for number in range(4):
        remember(known, number, number, {"always"})
    assert known == {"always": 0, 0: 0, 1: 1, 2: 2, 3: 3}
    remember(known, 4, 4, {"always"})
    assert known == {"always": 0, 3: 3, 4: 4}
    remember(known, 4, 5, {"always"})
    assert known == {"always": 0, 3: 3, 4: 5}


def test_a_memory_without_room(monkeypatch):
    """It remembers the last."""
    monkeypatch.setattr(memory, "MOST", 0)
    known = {}
    for number in range(3):
        remember(known, number, number)
    assert list(known) == [2]


def test_a_class_is_forgotten_when_eight_of_its_name_have_come():
    """Wherever it is a key."""
    known = {}
    classes = [named("Eight") for _ in range(20)]
    for cls in classes:
        remember(known, cls, None)
    assert list(known) == classes[-8:]


def test_threads_share_a_memory(monkeypatch):
    """They may fill it at the same time."""
    monkeypatch.setattr(memory, "MOST", 5)
    known = {}

    def fill(start):
        for number in range(start, start + 2_000):
            remember(known, number, number)

    threads = [threading.Thread(target=fill, args=(1_000 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(known) <= 5 + len(threads)
    assert all(key == value for key, value in known.items())


def test_names_do_not_fill_the_memory(monkeypatch):
    """A program may make names, too."""
    monkeypatch.setattr(memory, "_met", {})
    monkeypatch.setattr(memory, "MOST", 3)
    for number in range(20):
        remember({}, named(f"Class{number}"), None)
    assert len(memory._met) <= 3


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


def test_answers_that_are_remembered():
    """A question is asked once, whatever the answer is; a class is forgotten like any key."""
    asked = []

    @remembered
    def answer(x):
        """A docstring."""
        asked.append(x)

    classes = [named("Asked") for _ in range(10)]
    for cls in [*classes, *classes[2:], classes[0]]:
        assert answer(cls) is None
    assert asked == [*classes, classes[0]]
    assert answer.__doc__ == "A docstring."
