"""Whether Python runs inside of a compiled program of JAX, which waits for it."""

import functools
import threading
from collections.abc import Callable
from typing import Any


class _Callbacks(threading.local):
    """The callbacks that run in a thread.

    Attributes
    ----------
    depth
        Their number.
    """

    depth = 0


_callbacks = _Callbacks()


def in_callback(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is called by a compiled program, as `is_in_callback` knows while it runs."""

    @functools.wraps(f)
    def callback(*args: Any) -> Any:
        _callbacks.depth += 1
        try:
            return f(*args)
        finally:
            _callbacks.depth -= 1

    return callback


def is_in_callback() -> bool:
    """Whether this thread is in a call back from a compiled program."""
    return _callbacks.depth > 0
