"""What the code of a function reads by name, and why it cannot be recorded, by its instructions."""

import dis
import inspect
import types
import weakref
from dataclasses import dataclass
from typing import Any

from chainrules.ad.syntax.twins import original_of

_REFUSED = {
    "STORE_GLOBAL": "it assigns to a global name",
    "DELETE_GLOBAL": "it deletes a global name",
    "DELETE_ATTR": "it deletes an attribute",
    "GET_AWAITABLE": "it awaits something",
}
_NAMES_REFUSED = {
    "exec": "it runs text",
    "eval": "it runs text",
    "globals": "it asks for all names",
    "locals": "it asks for all names",
    "breakpoint": "it stops for a debugger",
    "__import__": "it imports a module",
}
ATTRIBUTES_REFUSED = frozenset({"__dict__", "__closure__", "__code__", "__globals__", "__builtins__"})
# What may stand between the question whether an exception is caught, and its name.
_BETWEEN = ("POP_JUMP", "NOT_TAKEN", "EXTENDED_ARG", "CACHE")
_ASYNC = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass(frozen=True, slots=True)
class Reads:
    """What the code of a function reads.

    Attributes
    ----------
    names
        The global names.
    attributes
        The names that follow a dot, or are imported from a module.
    writes
        Those of them that it assigns to.
    modules
        The modules that it imports, by their full names, or by relative ones.
    catches
        Whether it catches exceptions, or does something after one.
    names_errors
        Whether it gives one a name, by which it may ask what it says.
    asks_flags
        Whether a pattern of it asks for the very `True` or `False`.
    reads_unnamed
        Whether it reads attributes that it does not name, by the places of a pattern.
    reason
        Why it cannot be recorded, and the line; `None` if it can.
    """

    names: frozenset[str]
    attributes: frozenset[str]
    writes: frozenset[str]
    modules: frozenset[str]
    catches: bool
    names_errors: bool
    asks_flags: bool
    reads_unnamed: bool
    reason: tuple[str, int] | None


# Forgotten with the code. By identity, since rewritten code has constants that cannot be hashed.
_known: dict[int, tuple[Any, Reads]] = {}


def reads_of(code: types.CodeType) -> Reads:
    """What a code object reads; those within it are asked when they are entered."""
    known = _known.get(id(code))
    if known is None:
        number, forget = id(code), _known.pop
        original = original_of(code)
        reads = _reads_of(code) if original is None else _of_both(_reads_of(code), _reads_of(original))
        known = _known[number] = weakref.ref(code, lambda _: forget(number, None)), reads
    return known[1]


def _of_both(twin: Reads, original: Reads) -> Reads:
    """What a twin reads: one without tests of plain values has hooks in the place of attributes."""
    return Reads(
        twin.names | original.names,
        twin.attributes | original.attributes,
        twin.writes | original.writes,
        twin.modules | original.modules,
        twin.catches,
        twin.names_errors,
        twin.asks_flags,
        original.reads_unnamed,
        twin.reason or original.reason,
    )


def _reads_of(code: types.CodeType) -> Reads:
    names, attributes, writes, modules, reasons = set(), set(), set(), set(), []
    constants: list[Any] = []
    line = code.co_firstlineno
    after_exception = after_match = catches = names_errors = asks_flags = reads_unnamed = False
    latest: list[Any] = []
    for instruction in dis.get_instructions(code):
        line = instruction.starts_line or line if isinstance(instruction.starts_line, int) else line
        name, argument = instruction.opname, instruction.argval
        if name in {"LOAD_GLOBAL", "LOAD_NAME"}:
            names |= {argument} - {"__annotations__"}  # a class has its own
            if argument in _NAMES_REFUSED:
                reasons.append((_NAMES_REFUSED[argument], line))
        elif name == "MATCH_CLASS":  # the names of the pattern
            attributes.update(constants[-1])
            reads_unnamed |= argument > 0
        elif name == "IMPORT_NAME" and constants[-2]:  # the level, and what is imported from there
            names.add("__package__")
            argument = "." * constants[-2] + argument
        elif name in {"LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR", "IMPORT_FROM"}:
            attributes.add(argument)
            writes |= {argument} if name == "STORE_ATTR" else set()
            if argument in ATTRIBUTES_REFUSED or (argument, name) == ("__class__", "STORE_ATTR"):
                reasons.append((f"it has to do with `{argument}`", line))
        constants += [argument] if name in {"LOAD_CONST", "LOAD_SMALL_INT"} else []
        modules |= {argument} if name == "IMPORT_NAME" else set()
        if name in _REFUSED:
            reasons.append((_REFUSED[name], line))
        catches |= after_exception and name != "WITH_EXCEPT_START"  # a `with` goes on otherwise
        asks_flags |= name == "IS_OP" and any(x is True or x is False for x in latest[-2:])
        latest.append(argument if name == "LOAD_CONST" else None)
        after_exception = name == "PUSH_EXC_INFO"
        names_errors |= name == "CHECK_EG_MATCH" or (after_match and name.startswith("STORE_"))
        after_match = name == "CHECK_EXC_MATCH" or (after_match and name.startswith(_BETWEEN))
    if code.co_flags & _ASYNC:
        reasons.append((_REFUSED["GET_AWAITABLE"], code.co_firstlineno))
    reason = min(reasons, key=lambda r: r[1], default=None)
    read = frozenset(names), frozenset(attributes), frozenset(writes), frozenset(modules)
    return Reads(*read, catches, names_errors, asks_flags, reads_unnamed, reason)


def serves_module(code: types.CodeType) -> bool:  # pragma: no cover - a profiler calls
    """Whether Python calls a function for names that its module does not have."""
    return code.co_name == "__getattr__" and code.co_argcount == 1
