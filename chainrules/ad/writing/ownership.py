"""Arrays that belong to somebody: results to the caller, arguments to whoever passed them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.structures import has_parts, parts_of, with_parts
from chainrules.ad.traced_value import TracedValue
from chainrules.ad.writing.views import snapshot
from chainrules_core import ORDINARY_CLASSES, contains_carrier, describe_callee


def bring_up_to_date(y: Any) -> None:
    """Let views and filled arrays in a value have their elements now, while these are still traced."""
    if isinstance(y, TracedValue):
        y._value  # noqa: B018 - to read it is enough
    elif y.__class__ not in ORDINARY_CLASSES and contains_carrier(y) and has_parts(y):
        for part in parts_of(y).values():
            bring_up_to_date(part)


def with_own_arrays(y: Any) -> Any:
    """`y` with copies of its arrays, which its receiver may write into."""
    if isinstance(y, np.ndarray):
        return y.copy(order="K")
    if isinstance(y, TracedValue):
        return snapshot(y)
    if not has_parts(y):
        return y
    parts = parts_of(y)
    owned = {key: with_own_arrays(part) for key, part in parts.items()}
    return with_parts(y, owned) if any(owned[key] is not part for key, part in parts.items()) else y


def check_arguments_stayed(f: Any, args: Iterable[Any], inputs: Iterable[Any], trace: Any) -> None:
    """Raise if a function wrote into its arguments, which were traced only while it ran.

    Raises
    ------
    TypeError
        If it did: whoever called it by a rule, `checkpoint` or `map`, would not see it.
    """
    for x, traced_x in zip(args, inputs, strict=True):
        if not _has_stayed(x, traced_x, trace):
            raise TypeError(
                f"{describe_callee(f)} was called by a rule, and wrote into its argument, which the caller "
                "would not see. Let it write into a copy, `x = x.copy()`, and return that."
            )


def _has_stayed(x: Any, traced_x: Any, trace: Any) -> bool:
    if traced_x is x:
        return True
    if isinstance(traced_x, TracedValue):
        value = traced_x._value if traced_x._trace is trace else traced_x
        return value is x or (isinstance(x, TracedValue) and value._value is x._value)
    if isinstance(x, np.ndarray):
        return True  # what was passed is read-only
    parts, traced_parts = parts_of(x), parts_of(traced_x)
    return parts.keys() == traced_parts.keys() and all(
        _has_stayed(part, traced_parts[key], trace) for key, part in parts.items()
    )


def call_without_writing(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call a function with values that pullbacks may keep.

    Raises
    ------
    TypeError, ValueError
        If it writes into one of its arguments: a `ValueError` of NumPy for an array, which is read-only.
    """
    given = [_read_only(x) for x in args]
    y = f(*given, **kwargs)
    check_arguments_stayed(f, args, given, trace=None)
    return y


def _read_only(x: Any) -> Any:
    if x.__class__ is np.ndarray:
        x = x.view()
        x.flags.writeable = False
        return x
    return snapshot(x) if isinstance(x, TracedValue) else x
