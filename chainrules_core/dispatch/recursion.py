"""Rules that ask for themselves: a note for the error that follows."""

import traceback
from typing import Any

from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.rule_location import describe_place

_OFTEN = 20


def note_recursion(error: RecursionError, mode: str, f: Any, rule: Any) -> None:
    """Say of an error for too deep a recursion that a rule asks for itself, if it does."""
    code = getattr(rule, "__code__", None)
    if code is None or hasattr(error, "__notes__") or _times_in_traceback(error, code) < _OFTEN:
        return
    name = describe_callee(f).rpartition(".")[2]
    error.add_note(
        f"The {mode} `{rule.__name__}` ({describe_place(rule)}) asks for itself: it calls `{mode}` of "
        f"`{name}`. Call `{name}(x)` there."
    )


def _times_in_traceback(error: BaseException, code: Any) -> int:
    # The error passes each lookup on its way out; when it comes to the outermost it has left all others.
    return sum(frame.f_code is code for frame, _ in traceback.walk_tb(error.__traceback__))
