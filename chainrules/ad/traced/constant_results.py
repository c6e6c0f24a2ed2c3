"""Results of calls without a derivative: text that knows its origin, and rounded numbers, with a warning."""

import sys
from typing import Any

import numpy as np

from chainrules.ad.syntax.program_text import is_only_looked_at
from chainrules.ad.traced.formatted_text import formatted_text
from chainrules.ad.traced.lost_derivatives import warn_of_lost_derivative
from chainrules.ad.traced.program_places import caller_of_engine
from chainrules.ad.traced.trace import Trace
from chainrules_core import primal_of


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


# The numbers (`id`) of the functions that round: these live as long as the process.
ROUNDING = frozenset(map(id, (round, np.round, np.around, np.ndarray.round)))


def warn_of_rounding(trace: Trace, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Warn that a traced value is rounded to decimals.

    Rounding to whole numbers counts and decides, and zero is its derivative: of it nobody is warned, and
    neither where the rounded value is only shown or compared.

    Parameters
    ----------
    trace
        The differentiation.
    args, kwargs
        The arguments of the function that rounds.
    """
    decimals = args[1] if len(args) > 1 else kwargs.get("decimals", kwargs.get("ndigits"))
    if decimals is None or primal_of(decimals) <= 0:
        return
    frame = caller_of_engine(sys._getframe(1))
    if frame is None or not is_only_looked_at(frame):
        warn_of_lost_derivative(
            trace,
            "A traced value is rounded",
            "Steps have the derivative zero, so that the derivative by the value is lost. Round the result "
            "of a function outside of it, and what is computed on the way not at all; if a constant is "
            "meant, round `ignore_derivatives(x)`, of `chainrules_core`.",
        )
