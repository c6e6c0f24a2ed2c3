"""Memories of what was found out about functions and classes, which programs may make again and again.

They forget in one way. They are plain dictionaries, since one of a class of our own is slower to look into.
"""

import functools
import threading
from collections.abc import Callable, Collection
from typing import Any, TypeVar

_Key = TypeVar("_Key")
_Answer = TypeVar("_Answer")

# How much a memory holds, besides what it always holds; and how many classes of one name.
MOST, MOST_OF_A_NAME = 2_000, 8

# By module and name: the classes of that name that were met last, and by their numbers, who remembers each.
_met: dict[tuple[str, str], dict[type, dict[int, Any]]] = {}

_lock = threading.Lock()


def remember(known: dict[Any, Any], key: Any, value: Any, always: Collection[Any] = ()) -> None:
    """Put something into a memory, which forgets its older half if it is full.

    Each step is one that no other thread comes between; two threads may find out the same.

    Parameters
    ----------
    known
        The memory.
    key, value
        What is put into it. A class is forgotten when some others of its name have come.
    always
        The keys that it had from the beginning, which are never forgotten.
    """
    if len(known) >= MOST + len(always):
        passing = [old for old in list(known) if old not in always]
        del passing[len(passing) // 2 + 1 :]
        while passing:  # what nobody else holds is finalized here, and not where this function returns
            known.pop(passing.pop(), None)
    known[key] = value
    if isinstance(key, type):
        _note(key, known)


def _note(cls: type, memory: dict[Any, Any]) -> None:
    """Let a memory forget a class when some others of its name have come.

    A class that a function defines holds what its methods capture, arrays among it.
    """
    name = str(cls.__module__), cls.__qualname__
    with _lock:
        if name not in _met:
            remember(_met, name, {})
        classes = _met[name]
        classes.setdefault(cls, {})[id(memory)] = memory
        if len(classes) > MOST_OF_A_NAME:
            oldest = next(iter(classes))
            for known in classes.pop(oldest).values():
                known.pop(oldest, None)


def remembered(f: Callable[[_Key], _Answer]) -> Callable[[_Key], _Answer]:
    """`f`, whose answers are remembered by `remember`."""
    known: dict[Any, Any] = {}

    @functools.wraps(f)
    def answer(x: _Key) -> _Answer:
        found = known.get(x, known)
        if found is known:
            found = f(x)
            remember(known, x, found)
        return found  # type: ignore[no-any-return]  # an answer of `f`

    return answer
