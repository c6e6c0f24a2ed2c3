"""The warning of values without a derivative, at the line of the program that goes on with them."""

import sys
import warnings

from chainrules.ad.traced.program_places import frame_of_program, place_in_program
from chainrules.ad.traced.trace import Trace


class LostDerivativeWarning(UserWarning):
    """A program goes on with a value without a derivative, computed from one that has a derivative."""


def warn_of_lost_derivative(trace: Trace, what: str, instead: str) -> None:
    """Warn that a derivative is lost, once in a differentiation for each line of the program.

    Parameters
    ----------
    trace
        The differentiation; where it has ended, nothing is lost any more.
    what
        What the program does, a sentence without its end: the line follows.
    instead
        Why the derivative is lost, and what to write.
    """
    frame = frame_of_program(sys._getframe(1))
    if frame is None or trace.has_ended:
        return
    place = frame.f_code.co_filename, frame.f_lineno
    trace.warned = trace.warned or set()
    if place in trace.warned:
        return
    trace.warned.add(place)
    warnings.warn_explicit(
        f"{what}{place_in_program(frame)}. {instead}",
        LostDerivativeWarning,
        *place,
        str(frame.f_globals.get("__name__")),
        frame.f_globals.setdefault("__warningregistry__", {}),
    )
