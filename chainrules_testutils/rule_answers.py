"""Checking the answer of a rule: ``(y, pullback)`` of an `rrule`, ``(y, y_dot)`` of an `frule`."""

from typing import Any

import numpy as np

from chainrules_testutils.report import short

_WANTED = {"rrule": "(y, pullback)", "frule": "(y, y_dot)"}


def answer_problem(mode: str, rule: str, answer: Any) -> str | None:
    """The difference between an answer and the pair that a rule has to return; `None` if there is none.

    Parameters
    ----------
    mode
        ``"rrule"`` or ``"frule"``.
    rule
        The name and the place of the rule.
    answer
        The object that it returned.
    """
    is_pair = isinstance(answer, tuple) and len(answer) == 2
    if is_pair and (mode == "frule" or callable(answer[1])):
        return None
    advice = _frule_advice(answer) if mode == "frule" else _rrule_advice(answer)
    return f"{rule} should return {_WANTED[mode]}, not {short(answer)}.{advice}"


def none_problem(mode: str, rule: str) -> str:
    """The description of a rule that answered `None`."""
    return f"{rule} returned None: no rule. It should return {_WANTED[mode]}; has it no `return`?"


def _rrule_advice(answer: Any) -> str:
    if isinstance(answer, list) and len(answer) == 2:
        return " Write a tuple, `return y, pullback`, in the place of the list."
    if isinstance(answer, tuple) and len(answer) == 2:
        if callable(answer[0]):
            return " They are the other way round."
        return " The second is a function of the cotangent; it captures the values that it needs."
    if callable(answer):
        return " That is the pullback alone: write `return y, pullback`."
    return " Write `return y, pullback`."


def _frule_advice(answer: Any) -> str:
    if isinstance(answer, list) and len(answer) == 2:
        return " Write a tuple, `return y, y_dot`, in the place of the list."
    return " Write `return y, y_dot`."


def unsized_advice(error: Exception, primals: tuple[Any, ...]) -> str:
    """Advice for a rule that asked an array of no axes for its length; empty for other exceptions."""
    if not (isinstance(error, TypeError) and "unsized object" in str(error)):
        return ""
    scalars = [i for i, x in enumerate(primals, 1) if isinstance(x, np.ndarray) and x.ndim == 0]
    return "".join(
        f"Input {i} is 0-d, an array without a length: `x.size` counts its elements." for i in scalars[:1]
    )
