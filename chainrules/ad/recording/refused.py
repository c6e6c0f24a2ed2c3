"""Saying why a function is not recorded."""

from typing import Any

from chainrules_core import ChainRulesError


class CompilationWarning(UserWarning):
    """A function of `compiled` cannot be recorded. It runs as it is written; the message says why."""


class CompilationError(ChainRulesError, TypeError):
    """A function cannot be recorded, where that was asked for. The message says why, and names the line.

    It comes from `compiled` with ``strict=True``, from the methods ``source`` and ``save`` of a compiled
    function, and from `vectorized`.
    """


def message_of(name: str, reason: str, place: Any) -> str:
    """The message about a function of this name."""
    return f"compiled: {name} runs as it is written, since {with_place(reason, place)}."


def with_place(reason: str, place: Any) -> str:
    """A reason with the user's line, if it is known."""
    return reason if place is None else f"{reason} ({place[0]}, line {place[1]})"
