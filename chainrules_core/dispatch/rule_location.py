"""Where a rule stands, for messages."""

import functools
import inspect
import os
import types
from pathlib import Path
from typing import Any


def describe_place(function: Any) -> str:
    """Where a rule is defined, as ``file:line``; the path is relative if it is below the working folder."""
    place = place_of_rule(function)
    if place is None:
        return "place unknown"
    return f"{_shown(place[0], os.getcwd())}:{place[1]}"  # noqa: PTH109 - `Path.cwd` takes ten times as long


@functools.cache
def _shown(file: str, folder: str) -> str:
    """A file's path, relative if it is below the folder. Testers ask about each rule again and again."""
    path = Path(file)
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


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
