"""Classes that were met: of those that a program makes again and again, memories hold the last ones only.

A class that a function defines holds what its methods capture, arrays among it.
"""

import threading
from typing import Any

# By module and name: the classes of that name that were met last, and by their numbers, who remembers each.
_met: dict[tuple[str, str], dict[type, dict[int, Any]]] = {}
_MOST, _MOST_NAMES = 8, 10_000

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
        if len(_met) > _MOST_NAMES:
            _met.clear()
        classes = _met.setdefault(name, {})
        classes.setdefault(cls, {})[id(memory)] = memory
        if len(classes) > _MOST:
            oldest = next(iter(classes))
            for known in classes.pop(oldest).values():
                if isinstance(known, dict):
                    known.pop(oldest, None)
                else:
                    known.discard(oldest)
