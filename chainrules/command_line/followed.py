"""The table `chainrules/rulesets/followed.toml`: what becomes of calls of functions without rules."""

import functools
import inspect
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any, NamedTuple

# What is said of a function that nobody has tried, and that calls can be followed into.
UNTRIED = "untried"

MEANINGS = {
    "followed": "no rule is needed: calls are followed into it, and a test compares a derivative",
    "zero": "no argument has an influence that has a derivative: declared, or its result moves in steps",
    "compiled": "an error: it is written in C, or calls the function in C that is named",
    "searches": "an error: it searches, or calls the function that is named, and does; the derivative of its "
    "steps is not that of its result",
    "stops": "an error, which names the line: a step inside of it takes plain values only",
    UNTRIED: "no rule, and written in Python: calls are followed into it, how far was not tried",
}


class Followed(NamedTuple):
    """What becomes of a call of a function that has no rule.

    Attributes
    ----------
    says
        One of `MEANINGS`.
    by
        The function in C, or the one that searches, which it calls; empty where that is itself.
    example
        A call, of a vector `x`, by which it was tried.
    """

    says: str
    by: str = ""
    example: str = ""

    @property
    def because(self) -> str:
        """The call that was tried, and where it ends."""
        return f"{self.example}, by {self.by}" if self.by else self.example


@functools.cache
def read_followed() -> Mapping[str, Mapping[str, Followed]]:
    """For each namespace its functions that were tried, by name."""
    text = resources.files("chainrules.rulesets").joinpath("followed.toml").read_text("utf-8")
    return {
        namespace: {name: Followed(**row) for name, row in rows.items()}
        for namespace, rows in tomllib.loads(text).items()
    }


def followed_of(namespace: str, name: str, f: Any) -> Followed | None:
    """What becomes of a call of a function without a rule; `None` if it is in C, and was not tried.

    Parameters
    ----------
    namespace
        The dotted name of a module or class.
    name
        The name of the function in it.
    f
        The function.
    """
    tried = read_followed().get(namespace, {}).get(name)
    return tried or (Followed(UNTRIED) if _is_of_python(f) else None)


def _is_of_python(f: Any) -> bool:
    if isinstance(f, type):
        return any(inspect.isfunction(getattr(f, name, None)) for name in ("__init__", "__new__"))
    is_function = inspect.isfunction(f) or inspect.isfunction(inspect.unwrap(f))
    called: Any = type(f)
    return is_function or inspect.isfunction(called.__call__)
