"""Silencing NumPy's floating-point warnings around partial derivatives, which may be infinite or undefined.

NumPy keeps what it warns of in a context variable. `np.errstate` makes a new state and sets it, at each use,
which takes as long as multiplying some hundred numbers; here the state is made once.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

_SILENT = {"divide": "ignore", "invalid": "ignore", "over": "ignore"}

# Silence NumPy; what it returns is for `restore`, which is called in a `finally`.
silence: Callable[[], Any]
restore: Callable[[Any], Any]

try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj  # type: ignore[attr-defined]  # private
except ImportError:  # another version of NumPy: the documented way

    def silence() -> Any:
        """Enter a silent state."""
        state = np.errstate(**_SILENT)  # type: ignore[arg-type]  # a dict of literals
        state.__enter__()
        return state

    def restore(state: Any) -> Any:
        """Leave it."""
        state.__exit__(None, None, None)

else:
    _silent_state = _make_extobj(**_SILENT)
    _set = _extobj_contextvar.set
    restore = _extobj_contextvar.reset

    def silence() -> Any:
        """Enter a silent state."""
        return _set(_silent_state)
