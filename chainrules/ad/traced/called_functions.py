"""The function of a library that a program called, where a function further in has no rule.

`scipy.ndimage.gaussian_filter` is what its caller knows, and can give a rule; not the function in C that it
calls.
"""

import sys
import types
from typing import Any

from chainrules.ad.syntax.origins import Origin, origin_of_file
from chainrules.ad.traced.trace import Trace
from chainrules_core import describe_callee

_ENGINE = frozenset({"chainrules", "chainrules_core"})

# Rules to write others by.
PAGE = "docs/rule_author/functions_without_rules.md"


def called_by_program(f: Any, frame: types.FrameType | None) -> str:
    """The public name of the function whose call, by the program, led to a call of `f`; or the name of `f`.

    Parameters
    ----------
    f
        A function that the program, or a library for it, calls.
    frame
        Where it is called.
    """
    name = innermost = describe_callee(f)
    while frame is not None and frame.f_code is not Trace.run.__code__:
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in _ENGINE:
            if origin_of_file(frame.f_code.co_filename) is Origin.USER:
                break
            outer = _public_name(frame)
            if outer is not None and (name == innermost or not _is_private(outer)):
                name = outer
        frame = frame.f_back
    return name


def how_to_write_a_rule(name: str) -> str:
    """The advice for a function without a rule: how to write one, or where to read about it."""
    if name.startswith("scipy."):
        return f"Write a rule for {name}: `{PAGE}` has five"
    return f"Write a rule for {name}, see `rrule.dispatch`"


def _public_name(frame: types.FrameType) -> str | None:
    """The name by which one imports the function that a frame runs, if one does."""
    owner, _, name = frame.f_code.co_qualname.rpartition(".")
    if not owner:
        return _if_public(frame.f_globals.get(name))
    defining = frame.f_globals.get(owner)
    return _name_of_method(frame, defining, name) if isinstance(defining, type) else None


def _name_of_method(frame: types.FrameType, defining: type, name: str) -> str | None:
    """The name of a method, at an instance or a class that one imports; constructors have that of a class."""
    first = frame.f_locals.get(next(iter(frame.f_code.co_varnames), ""))
    cls = defining  # of a static method
    if isinstance(first, type) and issubclass(first, defining):
        cls = first
    elif isinstance(first, defining):
        cls = type(first)
        module = cls.__module__.partition("._")[0]
        for attribute, value in vars(sys.modules.get(module, types)).items():
            if value is first:
                return f"{module}.{attribute}.{name}"
    owner = next(filter(None, map(_if_public, cls.__mro__[:-1])), None)
    return owner if owner is None or name in {"__init__", "__new__"} else f"{owner}.{name}"


def _is_private(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.startswith("_") and not last.endswith("__")


def _if_public(f: Any) -> str | None:
    """The name of a function or class, if no part of it is private."""
    if f is None:
        return None
    name = describe_callee(f)
    return None if name.startswith("_") or "._" in name else name
