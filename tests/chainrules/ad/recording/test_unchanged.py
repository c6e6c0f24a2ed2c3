"""The generated test of surroundings says no to each change, and never yes to another one."""

import functools
import types

import numpy as np
import pytest

from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.unchanged import unchanged_test


class Model:
    """An object with attributes."""

    scale = 2.0

    def __init__(self):
        self.w = np.ones(4)


def factory():
    """A function that holds something of every kind."""
    data, table, items, many, names = np.arange(3.0), {"a": 1.0, "b": 2}, [1, 2.0], list(range(100)), {1, 2}
    model, turned, pairs, later = Model(), np.ones((2, 3)).T, {1: 2.0, (3,): 4}, None

    def f(x, k=1.0):
        return (
            x * data * table["a"] * items[0] * many[3] * model.w * turned * pairs[1] * k * len(names) * later
        )

    f.attribute = 3.0

    def set_later(value):
        nonlocal later
        later = value

    return f, locals()


CHANGES = {
    "array": lambda f, held: held["data"].__setitem__(0, -0.0),
    "transposed array": lambda f, held: held["turned"].__setitem__((0, 0), 5.0),
    "shape": lambda f, held: setattr(held["data"], "shape", (3, 1)),
    "dict": lambda f, held: held["table"].update(a=-1.0),
    "another key": lambda f, held: held["table"].update(c=1),
    "order": lambda f, held: held["table"].update(a=held["table"].pop("a")),
    "list": lambda f, held: held["items"].__setitem__(0, True),
    "longer list": lambda f, held: held["items"].append(0),
    "long list": lambda f, held: held["many"].__setitem__(99, -1),
    "other keys": lambda f, held: held["pairs"].update({(3,): 5}),
    "set": lambda f, held: held["names"].add(3),
    "number in a set": lambda f, held: (held["names"].discard(1), held["names"].add(True)),
    "attribute": lambda f, held: setattr(held["model"], "w", np.zeros(4)),
    "all attributes": lambda f, held: setattr(held["model"], "__dict__", {"w": np.zeros(4)}),
    "class": lambda f, held: setattr(held["model"], "__class__", type("Other", (Model,), {})),
    "cell": lambda f, held: held["set_later"](3),
    "defaults": lambda f, held: setattr(f, "__defaults__", (2.0,)),
    "attribute of a function": lambda f, held: setattr(f, "attribute", 4.0),
    "attributes of a function": lambda f, held: setattr(f, "__dict__", {}),
}


def is_unchanged(test):
    """Its answer; an error is a no."""
    try:
        return test()
    except Exception:  # noqa: BLE001 - whatever it is
        return False


@pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")  # NumPy has no other way
@pytest.mark.parametrize("name", CHANGES)
def test_changes(name):
    """Both say so."""
    f, held = factory()
    surroundings = Surroundings(ValueError)
    surroundings.note(f, "f")
    surroundings.note_attributes({"w"})
    test = unchanged_test(surroundings)
    assert test()
    assert surroundings.difference() is None
    CHANGES[name](f, held)
    assert not is_unchanged(test)
    assert surroundings.difference() is not None


def test_names(monkeypatch):
    """Global names, those of modules, builtins, and names that hold nothing."""
    scope, module = {"a": 1.0, "_then0": 2.0, "b": Model}, types.ModuleType("settings")
    module.c = 1.5

    def noted():
        surroundings = Surroundings(ValueError)
        for name in ("a", "_then0", "b", "len", "nowhere"):
            surroundings.note_name(scope, name)
        surroundings.note_name(vars(module), "c")
        return unchanged_test(surroundings), surroundings

    for name, value in {"a": -1.0, "_then0": 3.0, "b": None, "len": max, "nowhere": 1.0}.items():
        test, surroundings = noted()
        assert test()
        monkeypatch.setitem(scope, name, value)
        assert not is_unchanged(test)
        assert surroundings.difference() is not None
    test, surroundings = noted()
    monkeypatch.setattr(module, "c", 2.5)
    assert not is_unchanged(test)
    test, _ = noted()
    monkeypatch.setattr(module, "c", float("2.5"))
    assert test()


def test_other_objects():
    """Partial functions, bound methods and empty cells."""
    data = np.ones(2)
    f = functools.partial(lambda x, y: x * y, data)
    surroundings = Surroundings(ValueError)
    surroundings.note([f, Model.__init__, data[:0], np.array(3.0), np.array(["a"])], "objects")
    test = unchanged_test(surroundings)
    assert test()
    f.attribute = 1.0
    assert not is_unchanged(test)

    def outer():
        def inner():
            return late

        surroundings = Surroundings(ValueError)
        surroundings.note(inner, "inner")
        test = unchanged_test(surroundings)
        assert test()
        late = 1.0
        assert not test()
        return late

    outer()
