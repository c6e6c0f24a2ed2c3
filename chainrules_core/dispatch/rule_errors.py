"""Notes for errors out of a rule that is written otherwise than rules are called."""

import re
import traceback
import types
from collections.abc import Iterable
from typing import Any

import plum

from chainrules_core.dispatch.callees import is_type_of_callee
from chainrules_core.dispatch.misfits import misfits_of_keywords
from chainrules_core.dispatch.parameters import positional_parameters
from chainrules_core.dispatch.rule_location import describe_place
from chainrules_core.dispatch.rule_method import RuleMethod
from chainrules_core.exceptions import RuleDefinitionError

_UNEXPECTED_KEYWORD = re.compile(r"(\S+)\(\) got an unexpected keyword argument '(\w+)'")
# Of a tuple that is unpacked into too few or too many names, or is taken for a number.
_MISTAKEN = re.compile(r"(?:too many|not enough) values to unpack|multiply sequence|for .*: 'tuple'|'tuple'$")


def note_of_error(error: Exception, methods: Iterable[RuleMethod]) -> str | None:
    """What to write in the rule that an error came out of; `None` if that is not known.

    Parameters
    ----------
    error
        What the call of a rule raised.
    methods
        The rules that it may have come out of, of one mode.
    """
    if error.__traceback__ is None:
        return None  # nobody raised it
    if isinstance(error, TypeError):
        unexpected = _UNEXPECTED_KEYWORD.match(str(error))
        if unexpected:
            return _of_keyword(error, unexpected[1], unexpected[2], methods)
    return _of_tangents(error, methods) if _MISTAKEN.search(str(error)) else None


def not_registered(name: str, f: Any) -> RuleDefinitionError:
    """The error for ``@rrule`` in the place of ``@rrule.dispatch``, over a rule or with its callee."""
    if is_type_of_callee(f):
        return RuleDefinitionError(
            f"`@{name}(typeof_(foo))` registers no rule: write `@{name}.dispatch(typeof_(foo))`."
        )
    return RuleDefinitionError(
        f"The {name} `{f.__qualname__}` ({describe_place(f)}) is not registered: write "
        f"`@{name}.dispatch` over it, not `@{name}`."
    )


def _of_keyword(error: Exception, name: str, keyword: str, methods: Iterable[RuleMethod]) -> str | None:
    named = [method for method in methods if getattr(method.function, "__qualname__", None) == name]
    known = set(map(id, _innermost(error).f_locals.values()))  # of whoever called the rule
    for method in named:
        if len(named) == 1 or id(method) in known or id(method.function) in known:
            mend = misfits_of_keywords(method, [keyword])
            return f"The {method.mode} `{method.name}` ({method.location}): {', '.join(mend)}."
    return None


def _of_tangents(error: Exception, methods: Iterable[RuleMethod]) -> str | None:
    frame = _innermost(error)
    line = traceback.extract_tb(error.__traceback__)[-1].line or ""
    for method in methods:
        if getattr(method.function, "__code__", None) is frame.f_code:
            place = method.place_of_callee
            names, _, varargs, _ = positional_parameters(method.function, Any)
            given = names[place - 1] if place else None
            is_meant = _is_unpacked if isinstance(error, ValueError) else _is_computed_with
            if given is None or not is_meant(given, line):
                return None
            dots = [f"{name}_dot" for name in names[place + 1 :]]
            rest = [] if varargs is plum.Missing else ["*dots"]
            return (
                f"The frule `{method.name}` ({method.location}) is given one tangent for the function "
                f"itself, and one for each argument: write `{', '.join(['_', *dots, *rest])} = {given}`."
            )
    return None


def _is_unpacked(name: str, line: str) -> bool:
    return line.rpartition("=")[2].strip() == name


def _is_computed_with(name: str, line: str) -> bool:
    return re.search(rf"\b{name}\b(?!\s*[\[.,)=])", line) is not None


def _innermost(error: Exception) -> types.FrameType:
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return frame
