"""The warning of values that are rounded to decimals, whose derivative is zero."""

import sys
import warnings
from typing import Any

import numpy as np

from chainrules.ad.conversions import caller_of_engine, frame_of_program, place_in_program
from chainrules.ad.trace import Trace
from chainrules.ad.uses import is_only_looked_at
from chainrules_core import primal_of

# The numbers (`id`) of the functions that round: these live as long as the process.
ROUNDING = frozenset(map(id, (round, np.round, np.around, np.ndarray.round)))


class LostDerivativeWarning(UserWarning):
    """A program goes on with a value that has no derivative, in the place of one that has."""


def warn_of_rounding(trace: Trace, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Warn that a traced value is rounded to decimals, once for each line of the program.

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
    frame = frame_of_program(sys._getframe(1))
    if decimals is None or primal_of(decimals) <= 0 or frame is None or trace.has_ended:
        return
    place = frame.f_code.co_filename, frame.f_lineno
    trace.warned = trace.warned or set()
    if place in trace.warned:
        return
    rounding = caller_of_engine(sys._getframe(1))
    if rounding is not None and is_only_looked_at(rounding):
        return
    trace.warned.add(place)
    warnings.warn_explicit(
        f"A traced value is rounded{place_in_program(frame)}. Steps have the derivative zero, so that the "
        "derivative by the value is lost. Round the result of a function outside of it, and what is computed "
        "on the way not at all; if a constant is meant, round `ignore_derivatives(x)`, of `chainrules_core`.",
        LostDerivativeWarning,
        *place,
        str(frame.f_globals.get("__name__")),
        frame.f_globals.setdefault("__warningregistry__", {}),
    )
