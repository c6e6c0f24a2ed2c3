"""The list of gaps, `chainrules/rulesets/gaps.toml`: which functions have no rule, and why."""

import fnmatch
import functools
import tomllib
from collections.abc import Mapping
from importlib import resources


@functools.cache
def read_gaps() -> Mapping[str, Mapping[str, list[str]]]:
    """For each namespace the names, or patterns of names, below the reason that they share."""
    return tomllib.loads(resources.files("chainrules.rulesets").joinpath("gaps.toml").read_text("utf-8"))


def patterns(namespace: str) -> list[str]:
    """The names and patterns of names that stand among the gaps of a namespace."""
    return [pattern for patterns in read_gaps().get(namespace, {}).values() for pattern in patterns]


def gap_of(namespace: str, name: str) -> str | None:
    """The reason below which a name stands among the gaps of a namespace."""
    for reason, patterns in read_gaps().get(namespace, {}).items():
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            return reason
    return None
