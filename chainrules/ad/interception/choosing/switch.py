"""Turning interception on and off, and watching it: for the process, and for a thread or task."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from chainrules.ad.syntax.classes_of_values import let_hooks_see

_on_by_default = os.environ.get("CHAINRULES_INTERCEPTION", "1") != "0"
_on_here: ContextVar[bool | None] = ContextVar("chainrules_interception", default=None)

# Is told of each call: ``watcher(f, chosen)`` answers what to call in the place of what was chosen for `f`.
Watcher = Callable[[Any, Any], Any]
_watcher: ContextVar[Watcher | None] = ContextVar("chainrules_watcher", default=None)


class WatcherOfRules(Protocol):
    """Who is told of rules: of each of the user's or a library's that is entered, as of calls.

    Attributes
    ----------
    made
        By rules, what is called in their place, as far as they were met.
    """

    made: dict[Any, Any]

    def __call__(self, rule: Any, chosen: Any, /) -> Any:
        """What to call in the place of a rule."""

    def look_up(self, rules: Any, f: Any) -> None:
        """The rules of a function are looked up in `rrule` or `frule`."""


_watcher_of_rules: ContextVar[WatcherOfRules | None] = ContextVar("chainrules_watcher_of_rules", default=None)

# One entry for each block that is open anywhere, and one if it is off for the process. While there is none, a
# call in intercepted code need not ask where it is.
_OFF = object()
BLOCKS: list[object] = []

_lock = threading.Lock()


def _open(block: object) -> None:
    with _lock:
        BLOCKS.append(block)
        let_hooks_see(all_calls=True)


def _close(block: object) -> None:
    with _lock:
        BLOCKS.remove(block)
        let_hooks_see(all_calls=bool(BLOCKS))


if not _on_by_default:
    _open(_OFF)


def set_interception(enabled: bool) -> None:
    """Turn interception on or off for the whole process, where no `interception` block says otherwise.

    Parameters
    ----------
    enabled
        Whether calls in the code that is differentiated are intercepted.
    """
    global _on_by_default  # noqa: PLW0603 - one default for the process, read without a lock
    _on_by_default = bool(enabled)
    if _on_by_default and _OFF in BLOCKS:
        _close(_OFF)
    elif not _on_by_default and _OFF not in BLOCKS:
        _open(_OFF)


@contextmanager
def interception(enabled: bool = True) -> Iterator[None]:
    """Turn interception on or off inside a ``with`` block, for this thread or task only.

    Parameters
    ----------
    enabled
        Whether calls in the code that is differentiated are intercepted.

    Examples
    --------
    >>> import math
    >>> from chainrules.ad import grad, interception
    >>> grad(lambda x: math.sin(x))(0.0)
    1.0
    >>> with interception(False):
    ...     float(grad(lambda x: np.sin(x))(0.0))
    1.0
    """
    with _block(_on_here, bool(enabled)):
        yield


@contextmanager
def calls_shown_to(watcher: Watcher) -> Iterator[None]:
    """Tell somebody of each call that is intercepted inside, in this thread or task."""
    with _block(_watcher, watcher):
        yield


@contextmanager
def rules_shown_to(watcher: WatcherOfRules) -> Iterator[None]:
    """Tell somebody of the rules that are looked up and entered inside, in this thread or task."""
    with _block(_watcher_of_rules, watcher):
        yield


@contextmanager
def _block(variable: ContextVar[Any], value: Any) -> Iterator[None]:
    token, block = variable.set(value), object()
    _open(block)
    try:
        yield
    finally:
        _close(block)
        variable.reset(token)


def as_here(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, which another thread will call: interception is on or off, and watched, as it is here.

    Other variables of this context stay its own, as they do without interception.
    """
    on, watching = _on_here.get(), _watcher.get()
    if on is None and watching is None:
        return f

    def call(*args: Any, **kwargs: Any) -> Any:
        with _block(_on_here, on), _block(_watcher, watching):
            return f(*args, **kwargs)

    return call


def is_intercepting() -> bool:
    """Whether calls are intercepted here: in this thread or task, now."""
    if not BLOCKS:
        return _on_by_default
    here = _on_here.get()
    return _on_by_default if here is None else here


def watcher() -> Watcher | None:
    """Who is told of the calls that are intercepted here."""
    return _watcher.get()


def watcher_of_rules() -> WatcherOfRules | None:
    """Who is told of the rules that are entered here."""
    return _watcher_of_rules.get()


def is_watched() -> bool:
    """Whether calls are not intercepted here, or are shown to somebody."""
    return watcher() is not None or not is_intercepting()
