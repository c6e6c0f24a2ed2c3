"""The number of a rule's arguments: a rule for fewer than its function requires is never found."""

import inspect
import types
from collections.abc import Sequence
from typing import Any

from chainrules_core.dispatch.callees import TypeOf
from chainrules_core.dispatch.rule_method import Mode
from chainrules_core.exceptions import RuleDefinitionError


def check_number(mode: Mode, rule: Any, members: Sequence[Any], names: tuple[str, ...]) -> None:
    """Refuse a rule without ``*args`` for fewer arguments than its function requires.

    Such a rule forgets the instance of a method, or is meant for a partial of the function.

    Parameters
    ----------
    mode, rule
        Which kind of rule it is, and its function.
    members
        The types of callees that it is for. Functions in Python are looked at, and methods bound to objects.
    names
        The names of its parameters after the callee.

    Raises
    ------
    RuleDefinitionError
        If it takes too few. The message says what to write; the caller adds the function and the place.
    """
    if type(rule) is not types.FunctionType or "__signature__" in rule.__dict__:
        return
    for member in members:
        f: Any = member.type_parameter if member.kind is TypeOf else None
        is_bound = type(f) is types.MethodType
        function = f.__func__ if is_bound else f
        if type(function) is not types.FunctionType:
            continue
        code = function.__code__
        required = code.co_varnames[is_bound : code.co_argcount - len(function.__defaults__ or ())]
        if not all(_takes_keyword(rule, name) for name in required[len(names) :]):
            raise RuleDefinitionError(_message(mode, f, required, len(names)))


def _takes_keyword(rule: types.FunctionType, name: str) -> bool:
    code = rule.__code__
    by_keyword = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return name in by_keyword or bool(code.co_flags & inspect.CO_VARKEYWORDS)


def _message(mode: Mode, f: Any, required: tuple[str, ...], number: int) -> str:
    name = f.__qualname__.rpartition("<locals>.")[2]
    owner, _, short = name.rpartition(".")
    if type(f) is types.MethodType:
        owner, name = "", f"{type(f.__self__).__name__.lower()}.{short}"
    first, *others = required
    if owner and first == "self":
        first = f"self: {owner}"
    parameters = ", ".join([*mode.leading, f"f: typeof_({name})", first, *others])
    return (
        f"it takes {number} argument{'' if number == 1 else 's'}, and `{name}({', '.join(required)})` "
        f"requires {len(required)}. Write `{parameters}`."
    )
