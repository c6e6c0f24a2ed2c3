"""Callees that have a rule and may have been meant, where a call has none: for messages."""

import difflib
import functools
import types
from collections.abc import Iterable, Iterator
from typing import Any

from chainrules_core.dispatch.callees import InstanceOf
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.method_tables import MethodTables
from chainrules_core.parametric_types import promise

_SHOWN = 3


def near_callees(tables: MethodTables, f: Any) -> list[str]:
    """Sentences about rules for callees that are near to `f`, the likeliest first."""
    sentences = [
        *_class_above(tables, f),
        *_constructor(tables, f),
        *_instances(tables, f),
        *_wrapped_callee(tables, f),
        *_callee_within(tables, f),
        *_of_one_object(tables, f),
        *_of_one_instance(tables, f),
    ]
    return sentences or list(_namesake(tables, f)) or list(_did_you_mean(tables, f))


def _class_above(tables: MethodTables, f: Any) -> Iterator[str]:
    if not isinstance(f, type):
        return
    for cls in f.__mro__[1:-1]:
        if tables.has_own_rule(cls):
            yield (
                f"The rule {_place(tables, cls)} is for the constructor of {cls.__qualname__} itself, "
                f"without its subclasses. Write `f: type[{cls.__name__}]` there if it is right for "
                f"{f.__name__} too."
            )
            return


def _constructor(tables: MethodTables, f: Any) -> Iterator[str]:
    cls = type(f)
    if not isinstance(f, type) and tables.has_own_rule(cls) and not tables.methods_matching(f):
        yield (
            f"The rule {_place(tables, cls)} is for the constructor of {cls.__qualname__}, and this is an "
            f"instance that is called. Write `f: {cls.__name__}` for its rule."
        )


def _instances(tables: MethodTables, f: Any) -> Iterator[str]:
    if not isinstance(f, type):
        return
    wanted = promise(InstanceOf, f)
    method = next((method for method in tables if wanted in method.members), None)
    if method is not None:
        yield (
            f"The rule at {method.location} is for instances of {f.__qualname__} that are called, and this "
            f"is the class. Write `f: typeof_({f.__name__})` for its rule."
        )


def _wrapped_callee(tables: MethodTables, f: Any) -> Iterator[str]:
    inner = getattr(f, "__wrapped__", None)
    if callable(inner) and tables.has_own_rule(inner):
        yield (
            f"It wraps {describe_callee(inner)}, which has a rule ({_place(tables, inner)}): write that rule "
            "for the decorated function, `typeof_` of the object that the decorator returns, or call the "
            "function that is wrapped."
        )


def _callee_within(tables: MethodTables, f: Any) -> Iterator[str]:
    """The function that a partial or a bound method calls."""
    inner = _function_within(f)
    if inner is not None and tables.has_own_rule(inner):
        what = "partial" if isinstance(f, functools.partial) else "bound method"
        yield (
            f"The function in this {what}, {describe_callee(inner)}, has a rule ({_place(tables, inner)}), "
            "which `chainrules.ad` finds."
        )


def _of_one_object(tables: MethodTables, f: Any) -> Iterator[str]:
    """Rules for a partial or a bound method of the function, or of the one that another of these holds."""
    function = _function_within(f) or f
    for other in tables.callees():
        if other is not f and _function_within(other) is function:
            name = getattr(function, "__qualname__", "f").rpartition("<locals>.")[2]
            what = "a partial of it" if isinstance(other, functools.partial) else "the method of one object"
            yield (
                f"The rule {_place(tables, other)} is for {what}, which is to be called itself. Write "
                f"`f: typeof_({name})`, with all arguments, for the rule of every call."
            )
            return


def _function_within(f: Any) -> Any:
    """The function that a partial or a bound method calls; of anything else `None`."""
    if isinstance(f, types.BuiltinMethodType) and not isinstance(f.__self__, types.ModuleType | None):
        return getattr(type(f.__self__), f.__name__, None)
    return f.func if isinstance(f, functools.partial) else getattr(f, "__func__", None)


def _of_one_instance(tables: MethodTables, f: Any) -> Iterator[str]:
    """A rule for another object of the class of an object that is called."""
    if describe_callee(f).startswith("an instance"):
        for other in tables.callees():
            if type(other) is type(f):
                name = type(f).__name__
                place = _place(tables, other)
                yield f"The rule {place} is for another {name}. Write `f: {name}` for all of them."
                return


def _namesake(tables: MethodTables, f: Any) -> Iterator[str]:
    name = describe_callee(f)
    if name.startswith("an instance"):
        return
    for other in tables.callees():
        if other is not f and type(other) is type(f) and _full_name(other) == _full_name(f):
            what = "lambda" if "<lambda>" in name else "object of this name"
            again = (
                "" if what == "lambda" else " If it was defined again, register the rule again after that."
            )
            yield f"The rule {_place(tables, other)} is for another {what}.{again}"
            return


def _full_name(f: Any) -> tuple[Any, Any]:
    return getattr(f, "__module__", None), getattr(f, "__qualname__", f)


def _place(tables: MethodTables, callee: Any) -> str:
    return f"at {tables.methods_matching(callee)[0].location}"


def _did_you_mean(tables: MethodTables, f: Any) -> Iterator[str]:
    suggestions = _similar(describe_callee(f), map(describe_callee, tables.callees()))
    if suggestions:
        yield f"Did you mean {' or '.join(suggestions)}?"


def _similar(name: str, known: Iterable[str]) -> list[str]:
    """The known dotted names that may have been meant by `name`, the likeliest first."""
    known = [other for other in known if other != name]
    last = name.rpartition(".")[2]
    # Many a function is called `f` while it is tried.
    same_last = [other for other in known if other.rpartition(".")[2] == last] if len(last) > 1 else []
    near = difflib.get_close_matches(name, known, n=_SHOWN, cutoff=0.75)
    return list(dict.fromkeys([*same_last, *near]))[:_SHOWN]
