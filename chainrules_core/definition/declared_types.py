"""The types of arguments in a declaration: a value in the place of one is an error."""

import inspect
import types
import typing
from collections.abc import Sequence
from typing import Any

from chainrules_core.dispatch.descriptions import describe_hint
from chainrules_core.exceptions import RuleDefinitionError


def check_are_types(call: str, place: tuple[str, int], hints: Sequence[Any]) -> None:
    """Raise if a value stands where a declaration has the type of an argument.

    Parameters
    ----------
    call
        The declaration as a message shows it, such as ``opt_out(rrule, ...)``.
    place
        The file and line on which it stands.
    hints
        What was given as the types of the arguments.

    Raises
    ------
    RuleDefinitionError
        If one of them is a value. The message names the types.
    """
    for hint in hints:
        if _is_value(hint):
            meant = ", ".join(describe_hint(type(x) if _is_value(x) else x) for x in hints)
            raise RuleDefinitionError(
                f"{call} at {place[0]}:{place[1]}: {hint!r} is a value, and types are asked for: write "
                f"`{meant}`."
            )


def parameters_of_types(hints: Sequence[Any]) -> list[inspect.Parameter]:
    """Parameters that have these annotations, and names that no parameter before them has."""
    kind = inspect.Parameter.POSITIONAL_ONLY
    return [inspect.Parameter(f"p{place}", kind, annotation=hint) for place, hint in enumerate(hints)]


def _is_value(x: Any) -> bool:
    is_hint = isinstance(x, type | types.UnionType) or typing.get_origin(x) is not None
    return not (is_hint or x is None or x is Any or callable(x))
