"""Rules that were passed over, being for other arguments: an error further on names them."""

import types
from typing import Any

from chainrules.ad.traced.trace import Trace
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.config import CONFIG
from chainrules_core import NoTangent, frule, rrule


def rules_passed_over(frame: types.FrameType | None, trace: Trace) -> str:
    """What to add to an error about a missing rule, if a function that was entered has rules for other calls.

    Parameters
    ----------
    frame
        Where the error is. The functions from there to the differentiated one are looked at.
    trace
        The differentiation, which says whether rules for forward or for reverse mode are wanted.
    """
    is_forwards = trace.mode == "forward"
    wanted, others = (frule, rrule) if is_forwards else (rrule, frule)
    while frame is not None and frame.f_code is not Trace.run.__code__:
        f = _function_of(frame)
        if f is not None and wanted.methods(f):
            code = frame.f_code
            given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
            tangents = ((NoTangent(),) * (1 + len(given)),) if is_forwards else ()
            text = wanted.why_none(CONFIG, *tangents, f, *given)
            if "has no rule" in text:
                return f"\n`{f.__name__}` has rules, for other arguments: {text}"
            # A rule is asked where an argument is traced; where none is, its function was not called by it.
            return f"\n{text}" if any(map(is_traced, given)) else ""
        if f is not None and others.methods(f):
            missing = (
                "no frule, which forward mode needs" if is_forwards else "no rrule, which reverse mode needs"
            )
            return f"\n`{f.__name__}` has rules, but {missing}."
        frame = frame.f_back
    return ""


def _function_of(frame: types.FrameType) -> Any:
    """The function that a frame runs, or of which it runs the twin, if it has a name where it is called."""
    code = frame.f_code
    callers = [frame.f_globals]
    caller = frame.f_back
    while caller is not None and str(caller.f_globals.get("__name__")).partition(".")[0] == "chainrules":
        caller = caller.f_back
    if caller is not None:
        callers.append(caller.f_locals)
    for names in callers:
        f = names.get(code.co_name)
        own = getattr(f, "__code__", None)
        if own is not None and (own.co_filename, own.co_firstlineno) == (
            code.co_filename,
            code.co_firstlineno,
        ):
            return f
    return None
