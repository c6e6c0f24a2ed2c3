"""Errors for rules that answer something else than a pair, and for pullbacks that do not return a tuple."""

from typing import Any

from chainrules.ad.values.config import CONFIG
from chainrules_core import (
    DimensionMismatchError,
    TangentStructureError,
    describe_callee,
    describe_place,
    describe_value,
)

_WANTED = {"rrule": "(y, pullback)", "frule": "(y, y_dot)"}


def wrong_answer(rules: Any, args: tuple[Any, ...], answer: Any) -> TypeError:
    """The error for a rule that did not return a pair.

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
