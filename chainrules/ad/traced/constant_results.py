"""Results of calls that are declared non-differentiable: text that knows its origin, and rounded numbers."""

from typing import Any

from chainrules.ad.traced.formatted_text import formatted_text
from chainrules.ad.traced.rounding import ROUNDING, warn_of_rounding
from chainrules.ad.traced.trace import Trace


def constant_result(
    trace: Trace, f: Any, values: tuple[Any, ...], kwargs: dict[str, Any] | None, y: Any
) -> Any:
    """The result of a call that has no derivative, as the program goes on with it.

    Parameters
    ----------
    trace
        The differentiation.
    f, values, kwargs
        What was called, and its arguments without the traced values of this differentiation.
    y
        The result.
    """
    if y.__class__ is str:
        return formatted_text(y, trace)
    if id(f) in ROUNDING:
        warn_of_rounding(trace, values, kwargs or {})
    return y
