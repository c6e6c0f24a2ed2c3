"""The list of gaps, `chainrules/rulesets/gaps.toml`: which functions have no rule, and why."""

import fnmatch
import functools
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

# The table of the file whose reasons say that there is nothing to differentiate.
_NOTHING = "nothing to differentiate"


@functools.cache
def read_gaps() -> Mapping[str, Mapping[str, list[str]]]:
    """For each namespace the names, or patterns of names, below the reason that they share."""
    return {namespace: reasons for namespace, reasons in _read().items() if namespace != _NOTHING}


@functools.cache
def _read() -> dict[str, Any]:
    return tomllib.loads(resources.files("chainrules.rulesets").joinpath("gaps.toml").read_text("utf-8"))


def reasons_of_nothing() -> list[str]:
    """The reasons that say that a function has no derivative, so that it needs no rule."""
    reasons: list[str] = _read()[_NOTHING]["reasons"]
    return reasons


def is_nothing(reason: str) -> bool:
    """Whether a reason says that a function has no derivative."""
    return reason in reasons_of_nothing()


def patterns(namespace: str) -> list[str]:
    """The names and patterns of names that stand among the gaps of a namespace."""
    return [pattern for patterns in read_gaps().get(namespace, {}).values() for pattern in patterns]


def gap_of(namespace: str, name: str) -> str | None:
    """The reason below which a name stands among the gaps of a namespace."""
    for reason, patterns in read_gaps().get(namespace, {}).items():
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            return reason
    return None
