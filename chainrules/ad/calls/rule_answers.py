"""Errors for rules that return no pair, and for pullbacks that return no tuple; notes beside their errors."""

import inspect
from typing import Any

import numpy as np

from chainrules.ad.values.config import CONFIG
from chainrules_core import (
    DimensionMismatchError,
    PullbackLookedAt,
    StructuralTangent,
    TangentStructureError,
    describe_callee,
    describe_place,
    describe_value,
    primal_of,
)

_WANTED = {"rrule": "(y, pullback)", "frule": "(y, y_dot)"}


def wrong_answer(rules: Any, args: tuple[Any, ...], answer: Any) -> TypeError:
    """The error for a rule that did not return a pair, or not one with a pullback.

    Parameters
    ----------
    rules
        `rrule` or `frule`.
    args
        Its arguments, without a configuration.
    answer
        What the rule returned.
    """
    method = rules.find(CONFIG, *args)
    rule = "A rule" if method is None else f"{method.name} ({method.location})"
    wanted = _WANTED[rules.mode.name]
    if answer.__class__ is tuple and len(answer) == 2 and callable(answer[0]):
        return TypeError(
            f"{rule} should return the pair {wanted}, not a function and a value of type "
            f"{describe_value(answer[1])}. They are the other way round."
        )
    return TypeError(
        f"{rule} should return the pair {wanted}, not a value of type {describe_value(answer)}. "
        f"Write `return {wanted[1:-1]}`."
    )


def wrong_number_of_cotangents(
    pullback: Any, parents: Any, x_bars: Any
) -> DimensionMismatchError | TypeError:
    """The error for a pullback without one cotangent for the function, and one for each argument."""
    name = f"{describe_callee(pullback)} ({describe_place(pullback)})"
    wanted = "A pullback returns one for the function itself, and one for each positional argument"
    if not isinstance(x_bars, tuple | list):
        return TypeError(
            f"{name} returned a value of type {describe_value(x_bars)}, and not a tuple of cotangents. "
            f"{wanted}: write `return NoTangent(), x_bar`."
        )
    number = len(parents) - 1
    more = ""
    if any(type(x_bar) is tuple for x_bar in x_bars):
        more = " One of these is a tuple: write `return NoTangent(), *x_bars`."
    elif len(x_bars) > len(parents):
        more = " Keyword arguments, and those left to their defaults, get none."
    return DimensionMismatchError(
        f"{name} returned {len(x_bars)} cotangents for {number} argument{'s' * (number != 1)}. "
        f"{wanted}.{more}"
    )


def without_fields(x_bar: Any, name: str) -> TangentStructureError:
    """The error for a number or an array that a rule returned as the cotangent of an object.

    Parameters
    ----------
    x_bar
        The number or array.
    name
        The name of a field of the object.
    """
    return TangentStructureError(
        f"The cotangent of an object with the field {name!r} is a value of type {describe_value(x_bar)}, "
        f"which has no fields. Let the rule return `Tangent[P]({name}=...)`, where P is the class of the "
        "object. `ProjectTo` of an object without a projector of its own returns what it is given."
    )


# What a pullback raises that cannot do with its cotangent.
OF_UNFIT_COTANGENTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def note_cotangent(error: Exception, pullback: Any, y_bar: Any, source: Any) -> None:
    """Note beside the error of a pullback which cotangent it was given, where that may be the cause.

    Parameters
    ----------
    error
        What it raised.
    pullback, y_bar
        The pullback, and the cotangent.
    source
        The rule of somebody else from which the cotangent came, or a part of a sum; `None` if it came from
        rules of this package.
    """
    if not callable(pullback):
        error.add_note(
            f"A rule returned the pair of its result and a value of type {describe_value(pullback)}. Write "
            "`return y, pullback`, where `pullback` is the function that returns the cotangents. "
            "`chainrules_testutils.test_rrule` names the rule."
        )
    elif source is not None:
        error.add_note(
            f"{_named(pullback)} was given a cotangent of {_form(y_bar)}, which came from the pullback of "
            f"{_named(source)}."
        )
    elif isinstance(pullback, PullbackLookedAt):
        advice = _advice(y_bar) if _takes_one(pullback) else f" {_ONE_COTANGENT}"
        error.add_note(f"{_named(pullback)} was given a cotangent of {_form(y_bar)}.{advice}")


_ONE_COTANGENT = "A pullback is a function of one cotangent, that of the result: `def foo_pullback(y_bar)`."


def _takes_one(pullback: Any) -> bool:
    try:
        inspect.signature(pullback).bind(None)
    except TypeError:
        return False
    except ValueError:  # a function in C that has no signature
        return True
    return True


def _named(function: Any) -> str:
    return f"`{describe_callee(function).rpartition('.')[2]}` ({describe_place(function)})"


def _form(y_bar: Any) -> str:
    if isinstance(y_bar, StructuralTangent):
        return f"type {describe_value(y_bar)}"
    y_bar = primal_of(y_bar)
    if isinstance(y_bar, float | complex | np.number | np.ndarray):
        return f"shape {np.shape(y_bar)}"
    return f"type {describe_value(y_bar)}"


def _advice(y_bar: Any) -> str:
    if not isinstance(y_bar, StructuralTangent):
        return ""
    return (
        " The cotangent of a result with parts has a cotangent for each, `y_bar[0]` or `y_bar.name`; any of "
        "these may be `ZeroTangent()`."
    )
