"""Silencing NumPy's floating-point warnings around partial derivatives, which may be infinite or undefined.

NumPy keeps the list of errors that it warns of in a context variable. `np.errstate` makes a new state and
sets it, at each use, which takes as long as multiplying some hundred numbers; here the state is made once.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

# Silence NumPy. The result is the argument for `restore_warnings`, which is called in a `finally`.
silence_warnings: Callable[[], Any]
restore_warnings: Callable[[Any], Any]

try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj
except ImportError:  # another version of NumPy: the documented way

    def silence_warnings() -> Any:
        """Enter a silent state."""
        state = np.errstate(divide="ignore", invalid="ignore", over="ignore")
        state.__enter__()
        return state

    def restore_warnings(state: Any) -> Any:
        """Leave it."""
        state.__exit__(None, None, None)

else:
    # Pickled by their names, since context variables are not: pullbacks that call them travel to other
    # processes. (Functions of Python's own would take longer.)
    class _Silence(functools.partial):  # type: ignore[type-arg]  # of a function that NumPy does not show
        __slots__ = ()

        def __reduce__(self) -> str:
            return "silence_warnings"

    class _Restore(functools.partial):  # type: ignore[type-arg]  # likewise
        __slots__ = ()

        def __reduce__(self) -> str:
            return "restore_warnings"

    _silent_state = _make_extobj(divide="ignore", invalid="ignore", over="ignore")
    silence_warnings = _Silence(_extobj_contextvar.set, _silent_state)
    restore_warnings = _Restore(_extobj_contextvar.reset)


def without_warnings(function: Function) -> Function:
    """Decorate a function, so that NumPy does not warn of infinite and undefined numbers inside it.

    Partial derivatives may be infinite where the tangent is zero, which is then a strong zero.
    """

    @functools.wraps(function)
    def silenced(*args: Any) -> Any:
        error_state = silence_warnings()
        try:
            return function(*args)
        finally:
            restore_warnings(error_state)

    return cast(Function, silenced)
