"""Memories of what was found out about functions and classes, which programs may make again and again."""

import threading
from collections.abc import Mapping
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_OF_A_NAME = 8


class Memory(dict[K, V]):
    """A table that forgets: if it is full the older half, and of classes of one name all but the last ones.

    A class that a function defines holds what its methods capture, arrays among it. Each step is one that no
    other thread comes between; two threads may find out the same.

    Parameters
    ----------
    most
        How much is remembered, besides what always is.
    always
        What is never forgotten.
    """

    __slots__ = ("_always", "most")

    def __init__(self, most: int, always: Mapping[K, V] | None = None) -> None:
        super().__init__(always or {})
        self.most, self._always = most, frozenset(always or {})

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self.most + len(self._always):
            passing = [known for known in list(self) if known not in self._always]
            for known in passing[: len(passing) // 2 + 1]:
                self.pop(known, None)
        super().__setitem__(key, value)
        if isinstance(key, type):
            note(key, self)


# By module and name: the classes of that name that were met last, and by their numbers, who remembers each.
_met: Memory[tuple[str, str], dict[type, dict[int, Any]]] = Memory(10_000)

_lock = threading.Lock()


def note(cls: type, memory: Any) -> None:
    """Let a memory forget a class when some others of its name have come.

    Parameters
    ----------
    cls
        The class.
    memory
        A dict or set to which it is added.
    """
    name = str(cls.__module__), cls.__qualname__
    with _lock:
        classes = _met.get(name)
        if classes is None:
            classes = _met[name] = {}
        classes.setdefault(cls, {})[id(memory)] = memory
        if len(classes) > _OF_A_NAME:
            oldest = next(iter(classes))
            for known in classes.pop(oldest).values():
                if isinstance(known, dict):
                    known.pop(oldest, None)
                else:
                    known.discard(oldest)
