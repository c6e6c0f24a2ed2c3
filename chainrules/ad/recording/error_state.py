"""NumPy's state of floating-point errors, read and switched in a tenth of the time that `np.errstate` takes.

NumPy keeps it in a context variable. That is found by what an `np.errstate` block changes, since it has no
public name.
"""

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token, copy_context
from typing import Any

import numpy as np

Modes = tuple[str, ...]


def _found() -> ContextVar[Any] | None:
    with np.errstate(all="ignore"):
        outer = copy_context()
        with np.errstate(all="raise"):
            changed = [x for x, value in copy_context().items() if outer.get(x) is not value]
    try:
        changed[0].get()  # where nobody has changed it, there is an object of its own
    except (IndexError, LookupError):  # pragma: no cover - no NumPy so far
        return None
    return changed[0] if len(changed) == 1 else None


_VARIABLE = _found()


# The two latest states that were asked for, and what they say: pullbacks are silent, and programs are not.
_latest: list[tuple[Any, Modes]] = []


def modes() -> Modes:
    """What happens at each kind of error: ``"warn"``, ``"ignore"`` and so on."""
    state = None if _VARIABLE is None else _VARIABLE.get()
    for known, said in _latest:
        if known is state and state is not None:
            return said
    said = tuple(map(str, np.geterr().values()))
    _latest[:] = [(state, said), *_latest[:1]]
    return said


def state_test() -> Callable[[], bool]:
    """A function that says whether the modes are what they are now."""
    then = modes()
    if _VARIABLE is None:  # pragma: no cover - no NumPy so far
        return lambda: modes() == then
    get, known = _VARIABLE.get, [_VARIABLE.get()]

    def is_as_then() -> bool:
        if get() is known[0]:
            return True
        if modes() != then:
            return False
        known[0] = get()  # another object that says the same
        return True

    return is_as_then


class _Switched:
    """A block in which NumPy's state is another one."""

    __slots__ = ("_state", "_token", "_variable")

    def __init__(self, variable: ContextVar[Any], state: Any) -> None:
        self._variable, self._state = variable, state

    def __enter__(self) -> None:
        self._token: Token[Any] = self._variable.set(self._state)

    def __exit__(self, *error: object) -> None:
        self._variable.reset(self._token)


IGNORED = ("divide", "over", "invalid")


def switching(slow: Callable[[], Any]) -> Callable[[], AbstractContextManager[Any]]:
    """A function that makes a block as `slow` does here and now, such as one of `np.errstate`.

    The mode of all other errors is what it is now.
    """
    if _VARIABLE is None or {"call", "log"} & {*modes()}:  # somebody's function, which may be changed
        return slow
    with slow():
        variable, state = _VARIABLE, _VARIABLE.get()

    @functools.wraps(slow)
    def make() -> AbstractContextManager[Any]:
        return _Switched(variable, state)

    return make
