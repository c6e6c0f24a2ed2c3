"""Rules whose signatures are written identically: one of the two stays, and a warning at its line says so."""

import threading
import warnings
from types import TracebackType
from typing import NamedTuple

from chainrules_core.dispatch.rule_location import place_of_rule
from chainrules_core.dispatch.rule_method import RuleMethod


class RuleRedefinitionWarning(UserWarning):
    """A rule replaces another one whose signature is written identically."""


class Redefinition(NamedTuple):
    """A rule, and the one that gave way to it.

    Attributes
    ----------
    method
        The rule that stays.
    redefined
        The rule that gave way: the earlier one, or the one of a ruleset.
    """

    method: RuleMethod
    redefined: RuleMethod


class Redefinitions:
    """A block whose redefinitions are warned of at its end, once for each callee and line.

    A ruleset is imported without a warning in its midst, which may be an error; and one definition, such as a
    `scalar_rule`, makes rules of several modes.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        """Begin to gather."""
        _here.depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Warn of what was gathered, where the outermost block ends."""
        _here.depth -= 1
        if _here.gathered and not _here.depth:
            gathered, _here.gathered = _here.gathered, []
            _warn_of_all(gathered)


class _Gathered(threading.local):
    def __init__(self) -> None:
        self.depth = 0
        self.gathered: list[Redefinition] = []


_here = _Gathered()
warned_of_once = Redefinitions()


def note_redefinition(redefinition: Redefinition) -> None:
    """Warn of a redefinition, now or at the end of the block."""
    if redefinition.method.opts_out:
        return
    if _here.depth:
        _here.gathered.append(redefinition)
    else:
        _warn_of_all([redefinition])


def _warn_of_all(redefinitions: list[Redefinition]) -> None:
    together: dict[object, list[Redefinition]] = {}
    for redefinition in redefinitions:
        method = redefinition.method
        together.setdefault((place_of_rule(method.function), method.callee), []).append(redefinition)
    for first, *others in together.values():
        _warn(first, [other.method.mode for other in others])


def _warn(redefinition: Redefinition, other_modes: list[str]) -> None:
    method, redefined = redefinition
    file, line = place_of_rule(method.function) or ("<unknown>", 0)
    others = f" So do the {' and '.join(other_modes)} defined with it." if other_modes else ""
    # At the rule's own place, whichever helper registered it.
    warnings.warn_explicit(
        f"The {method.mode} `{method.name}` redefines `{redefined.name}` ({redefined.location}), whose "
        f"signature is the same: {method.describe_parameters()}.{others} If it is for another function, "
        "change its `typeof_`.",
        RuleRedefinitionWarning,
        file,
        line,
    )
