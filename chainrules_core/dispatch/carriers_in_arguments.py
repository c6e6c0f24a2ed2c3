"""Rules that are given the carriers of the AD system that asks for them: the error that ends it."""

import sys
import traceback
from typing import Any

import numpy as np

from chainrules_core.backends import backend_of
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.exceptions import EndlessCallError

_OFTEN = 20


def refuse_carriers(error: BaseException, mode: str, f: Any, args: tuple[Any, ...]) -> None:
    """Raise a clearer error for a recursion that is too deep, if carriers among the arguments caused it.

    Each lookup on the way out raises the error anew and drops the inner frames, so the traceback stays short.

    Parameters
    ----------
    error
        What the rule raised.
    mode, f, args
        The name of the rule function, the function and its arguments.

    Raises
    ------
    EndlessCallError
        If an argument is a carrier, or a list, tuple or dict that holds one.
    """
    if isinstance(error, EndlessCallError):
        raise error.with_traceback(None) from None
    asking = sys._getframe(1).f_code  # noqa: SLF001 - that of the lookup, which the error passes on its way out
    times = sum(
        frame.f_code is asking and frame.f_locals.get("f") is f
        for frame, _ in traceback.walk_tb(error.__traceback__)
    )
    if times < _OFTEN:
        return
    for place, x in enumerate(args, 1):
        carrier = _carrier_in(x)
        if carrier is not None:
            held = "is" if carrier is x else f"is a {type(x).__name__} that holds"
            name = describe_callee(f)
            raise EndlessCallError(
                f"{mode} of {name}: argument {place} {held} a {type(carrier).__name__}. The rule calls "
                f"`{name.rpartition('.')[2]}` with it, which asks for the rule again, without end. Rules are "
                "called with values: take those of your AD system's carriers, in lists, tuples and dicts as "
                "well, and find their cotangents item by item."
            ) from None


def _carrier_in(x: Any) -> Any:
    """The carrier that a value is or holds; `None` if there is none."""
    if isinstance(x, list | tuple | dict):
        held = map(_carrier_in, x.values() if isinstance(x, dict) else x)
        return next((carrier for carrier in held if carrier is not None), None)
    cls = type(x)
    # A class of an AD system that has not been registered asks for NumPy's functions by its protocol.
    asks = hasattr(cls, "__array_function__") and not isinstance(x, np.ndarray | np.generic)
    return x if asks or backend_of(cls) is not None else None
