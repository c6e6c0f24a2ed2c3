"""Putting everything back as it was where a recording is not believed, and the program runs again."""

import sys

import numpy as np

from chainrules.ad.recording.same import ABSENT, answer, content_of, has_same_items
from chainrules.ad.recording.surroundings import Surroundings


def restore(surroundings: Surroundings) -> None:
    """Give names, cells, containers, attributes and arrays what they held."""
    for scope, name, then in surroundings.names.values():
        if scope.get(name, ABSENT) is not then and scope is not sys.modules:
            scope.pop(name, None) if then is ABSENT else scope.update({name: then})
    for cell, then in surroundings.cells:
        if then is not ABSENT:
            cell.cell_contents = then
        elif content_of(cell) is not ABSENT:
            del cell.cell_contents
    for container, then in surroundings.containers:
        if not has_same_items(container, then):
            container.clear()
            getattr(container, "update" if hasattr(container, "update") else "extend")(then)
    surroundings.instances.restore()
    _restore_attributes(surroundings)
    for x, kind, elements in surroundings.arrays:
        if elements not in (None, x.tobytes()):
            x[...] = np.frombuffer(elements, kind[0]).reshape(kind[1])


def _restore_attributes(surroundings: Surroundings) -> None:
    for f, args, then in surroundings.answers.values():
        if f is getattr and not isinstance(args[0], type) and answer(f, args) is not then:
            x, name, _ = args
            object.__delattr__(x, name) if then is ABSENT else object.__setattr__(x, name, then)
    for x, name in surroundings.names_given():
        delattr(x, name)
