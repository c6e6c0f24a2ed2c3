"""Checking the answer of a rule, ``(y, pullback)`` or ``(y, y_dot)``, and that of a pullback."""

import inspect
import types
from typing import Any

import numpy as np

from chainrules_testutils.advice.report import short

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


def none_problem(mode: str, rule: str, explanation: str = "") -> str:
    """The description of a rule that answered `None`; of a ruleset, where it may, with the explanation."""
    if explanation:
        return f"{rule} returned None: it leaves this call to other rules.\n{explanation}"
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


def unpacking_advice(error: Exception, mode: str, primals: tuple[Any, ...]) -> str:
    """Advice for a rule that took apart the answer of another rule, of which there is none; else empty."""
    is_unpacked = isinstance(error, TypeError) and "NoneType" in str(error)
    if not (is_unpacked and any(map(callable, primals[1:]))):
        return ""
    call, feature = {
        "rrule": ("rrule_via_ad(config, f, x)", "HasReverseMode"),
        "frule": ("frule_via_ad(config, tangents, f, x)", "HasForwardsMode"),
    }[mode]
    return (
        f"`{mode}` answers `None` for a function without a rule. Write `{call}`, and `config: RuleConfig["
        f"{feature}]` before the callee."
    )


def parameters_advice(pullback: Any) -> str:
    """Advice for a pullback that cannot be called with one cotangent; empty for others."""
    try:
        inspect.signature(pullback).bind(None)
    except TypeError:
        return "A pullback is a function of one cotangent, that of the result: `def foo_pullback(y_bar)`."
    except ValueError:
        return ""  # nobody knows its parameters
    return ""


def cotangents_problem(cotangents: Any, number: int) -> str | None:
    """The difference between what a pullback returned and a tuple of so many cotangents; `None` if none."""
    if not isinstance(cotangents, tuple):
        advice = " Has it no `return`?" if cotangents is None else ""
        if isinstance(cotangents, types.GeneratorType):
            advice = " Write `return` in the place of `yield`."
        kind = type(cotangents).__qualname__
        return f"The pullback must return a tuple (f_bar, *arg_bars), not a {kind}.{advice}"
    if len(cotangents) == number:
        return None
    advice = "Keyword arguments, and those left to their defaults, get none."
    if len(cotangents) < number:
        advice = "The first belongs to the function itself, `NoTangent()` if it holds nothing."
        if any(type(x_bar) is tuple for x_bar in cotangents):
            advice = "One of them is a tuple: write `return NoTangent(), *x_bars`."
    return (
        "The pullback should return 1 cotangent for the primal and each primal input: "
        f"{number} here, not {len(cotangents)}. {advice}"
    )
