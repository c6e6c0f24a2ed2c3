"""Debug mode: slower, with more checks and messages that say more.

It is off unless the environment variable ``CHAINRULES_DEBUG`` is ``1`` when `chainrules_core` is
imported, or until `set_debug_mode` or `debugging` turns it on.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_enabled_by_default = os.environ.get("CHAINRULES_DEBUG", "") == "1"

# `None` means that this context has not chosen, so that `set_debug_mode` reaches every thread
# while `debugging` stays within its own.
_enabled_here: ContextVar[bool | None] = ContextVar("chainrules_debug_mode", default=None)


def debug_mode() -> bool:
    """Whether debug mode is on for the calling context.

    Returns
    -------
    bool
        With `True`, in-place accumulation is checked (`BadInplaceError`), failing additions of a
        primal and its tangent explain themselves (`PrimalAdditionFailedError`).
    """
    enabled_here = _enabled_here.get()
    return _enabled_by_default if enabled_here is None else enabled_here


def set_debug_mode(enabled: bool) -> None:
    """Turn debug mode on or off for the whole process, where no `debugging` block says otherwise."""
    global _enabled_by_default  # noqa: PLW0603 - one default for the process, read without a lock
    _enabled_by_default = bool(enabled)


@contextmanager
def debugging(enabled: bool = True) -> Iterator[None]:
    """Turn debug mode on (or off) inside a ``with`` block, for this thread or task only."""
    token = _enabled_here.set(bool(enabled))
    try:
        yield
    finally:
        _enabled_here.reset(token)
