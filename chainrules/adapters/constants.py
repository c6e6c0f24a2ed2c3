"""Values that are seen at a glance to hold no tensor: most arguments, and most functions."""

import functools
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from chainrules.adapters.holes import holds_nothing

# So many values are looked at, in the time of a short search. Functions may hold each other without end.
_AT_MOST = 64


def is_constant(x: Any) -> bool:
    """Whether a value holds no tensor, as far as a glance shows: `False` may be wrong, and leads to a search.

    Closures, defaults and attributes of functions, partials, tuples, lists and dicts are looked into.
    """
    if holds_nothing(x):
        return True
    pending = [x]
    for _ in range(_AT_MOST):
        if not pending:
            return True
        value = pending.pop()
        if not holds_nothing(value):
            parts = _parts(value)
            if parts is None or len(parts) > _AT_MOST:
                return False
            pending.extend(parts)
    return False


def _parts(x: Any) -> Sequence[Any] | None:
    """What a value holds; `None` if that is not known here."""
    cls = x.__class__
    if cls is types.FunctionType:
        return _parts_of_function(x)
    if cls is tuple or cls is list:
        return list(x)
    if cls is dict:
        return list(x.values())
    if cls is functools.partial:
        return [x.func, *x.args, *x.keywords.values(), *x.__dict__.values()]
    return () if cls is type or cls is types.ModuleType or issubclass(cls, np.generic) else None


def _parts_of_function(f: types.FunctionType) -> list[Any]:
    parts = [*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values(), *f.__dict__.values()]
    for cell in f.__closure__ or ():
        try:
            parts.append(cell.cell_contents)
        except ValueError:  # the variable is assigned later
            continue
    return parts
