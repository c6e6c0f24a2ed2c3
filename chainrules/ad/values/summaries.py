"""How messages, tables and pictures write a value that may be large."""

from typing import Any

import numpy as np

from chainrules_core import describe_callee, primal_of

_LONGEST_WRITTEN = 24


def summary(x: Any) -> str:
    """A number as it is, an array by dtype and shape, ``float64[3, 4]``, a container by its items."""
    x = primal_of(x)
    if isinstance(x, np.ndarray) and x.ndim == 0 and x.dtype != object:
        x = x[()]
    if isinstance(x, np.ndarray) or (hasattr(x, "dtype") and hasattr(x, "shape") and x.shape):
        name = "" if type(x) is np.ndarray else f"{type(x).__name__} "
        return f"{name}{x.dtype}[{', '.join(map(str, x.shape))}]"
    if isinstance(x, np.number):
        x = x.item()
    if isinstance(x, float | complex):
        return f"{x:.6g}"
    if isinstance(x, tuple):
        return f"({', '.join(map(summary, x))}{',' if len(x) == 1 else ''})"
    if isinstance(x, list):
        return f"[{', '.join(map(summary, x))}]"
    if isinstance(x, dict):
        return f"{{{', '.join(f'{key!r}: {summary(value)}' for key, value in x.items())}}}"
    if callable(x):
        return describe_callee(x)
    written = repr(x)
    return written if len(written) <= _LONGEST_WRITTEN else type(x).__name__
