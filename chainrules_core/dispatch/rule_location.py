"""Where a rule stands, for messages."""

import inspect
import types
from pathlib import Path
from typing import Any


def describe_place(function: Any) -> str:
    """Where a rule is defined, as ``file:line``; the path is relative if it is below the working folder."""
    place = place_of_rule(function)
    if place is None:
        return "place unknown"
    path = Path(place[0])
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return f"{path}:{place[1]}"


def place_of_rule(function: Any) -> tuple[str, int] | None:
    """The file and line of a rule, if known; `made_at` says so for rules that are made by a helper."""
    place: tuple[str, int] | None = getattr(function, "__rule_location__", None)
    if place is None:
        code = getattr(inspect.unwrap(function), "__code__", None)
        place = code and (code.co_filename, code.co_firstlineno)
    return place


def made_at(function: Any, place: tuple[str, int]) -> None:
    """Let a rule that is made, not written, stand where the helper that made it was called."""
    function.__rule_location__ = place


def place_in(frame: types.FrameType) -> tuple[str, int]:
    """The file and line that a frame has come to."""
    return frame.f_code.co_filename, frame.f_lineno
