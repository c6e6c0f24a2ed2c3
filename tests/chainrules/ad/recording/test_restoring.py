"""Putting back what a recording changed that is not believed."""

import numpy as np

from chainrules.ad.recording.restoring import restore
from chainrules.ad.recording.surroundings import Surroundings

COUNT = 1


class Counter:
    """An object with an attribute that a program names, and another one."""

    def __init__(self):
        self.named, self.other = 1, 2


def test_everything_is_put_back():
    """Names, cells, containers, attributes, read or not, and arrays."""
    counter, items, array, cell = Counter(), [1, 2], np.zeros(2), 1.0

    def f():
        return counter.named, items, array, cell

    surroundings = Surroundings(ValueError)
    surroundings.note_name(globals(), "COUNT")
    surroundings.note_attributes({"named"})
    surroundings.note(f, "f")
    globals()["COUNT"] = 7
    counter.named, counter.other, counter.new = 3, 4, 5
    items.append(3)
    array[:] = 9.0
    cell = 2.0
    assert surroundings.difference() is not None
    assert surroundings.instances.is_changed()
    restore(surroundings)
    assert surroundings.difference() is None
    assert not surroundings.instances.is_changed()
    assert vars(counter) == {"named": 1, "other": 2}
    assert (COUNT, items, array.tolist(), cell) == (1, [1, 2], [0.0, 0.0], 1.0)
