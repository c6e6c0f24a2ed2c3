"""Saying in plain text which rule serves a call, which rules it beat, or why there is none."""

import functools
import importlib.util
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import plum

from chainrules_core.dispatch.callee_names import package_of
from chainrules_core.dispatch.descriptions import describe_callee, describe_value, how_to_decide
from chainrules_core.dispatch.method_tables import MethodTables
from chainrules_core.dispatch.misfits import misfits, misfits_of_keywords
from chainrules_core.dispatch.near_callees import near_callees
from chainrules_core.dispatch.ranks import RuleRank
from chainrules_core.dispatch.rule_method import RuleMethod

_CANDIDATES_SHOWN = 3


def methods_of(tables: MethodTables, f: Any) -> list[RuleMethod]:
    """The methods that can match `f`, in the order in which they are asked, the more specific first."""
    methods = tables.methods_matching(f)
    rank = tables.rank_for(f)

    def place(method: RuleMethod) -> tuple[RuleRank, int]:
        # A method that is more specific is below more others, so counting them sorts topologically.
        rivals = [other for other in methods if rank(other) == rank(method)]
        return rank(method), -sum(method.signature < other.signature for other in rivals)

    return sorted(methods, key=place)


class Call(NamedTuple):
    """The arguments of a call of `rrule` or `frule`, taken apart."""

    config: Any
    leading: tuple[Any, ...]
    f: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = MappingProxyType({})


def explain_lookup(tables: MethodTables, call: Call, by_position: Callable[[Call], Iterable[Call]]) -> str:
    """The text of `RuleFunction.explain`; carriers have been replaced by their primals.

    `by_position` turns a call into the calls with more of its keyword arguments given by position.
    """
    shown = describe_call(tables.name, call.config, call.f, call.args, call.kwargs)
    for moved in (call, *by_position(call)):
        if _is_found(tables, moved):
            names = [f"`{name}`" for name in call.kwargs if name not in moved.kwargs]
            is_are = "is" if len(names) == 1 else "are"
            note = f"\n{', '.join(names)} {is_are} given to it by position." if names else ""
            inner = None if tables.has_own_rule(call.f) else _call_within(call)
            if inner is not None:
                note += f"\nIt asks for a rule of the function:\n{explain_lookup(tables, inner, by_position)}"
            return _explained(tables, moved, shown) + note
    # Where defaults of the function stand between, the author of the call knows it as it was written.
    has_defaults = len(moved.args) + len(moved.kwargs) > len(call.args) + len(call.kwargs)
    return _explained(tables, call if has_defaults else moved, shown)


def _is_found(tables: MethodTables, call: Call) -> bool:
    lacking = tables.lacks_arguments(call.f, call.args)
    try:
        method = tables.find(*call[:4], lacking=lacking)
    except plum.AmbiguousLookupError:
        return True
    return method is not None and not (lacking and method.varargs is not plum.Missing)


def _explained(tables: MethodTables, call: Call, shown: str) -> str:
    config, leading, f, args, _ = call
    methods = methods_of(tables, f)
    matching = [method for method in methods if _matches(method, config, (*leading, f, *args))]
    rank = tables.rank_for(f)
    try:
        chosen = tables.find(config, leading, f, args)
    except plum.AmbiguousLookupError:
        tied = _most_specific([method for method in matching if rank(method) == rank(matching[0])])
        said = f"{shown} is ambiguous: none of these is more specific than the others."
        return f"{said}\n{_listed(tied)}\n{how_to_decide(args)}"
    if chosen is None:
        return f"{shown} has no rule.\n" + _why_none(tables, call, methods)
    said = "has no rule: it was opted out by" if chosen.opts_out else "is served by"
    lines = [f"{shown} {said}", _listed([chosen])]
    lines += [f"        {why}" for why in misfits_of_keywords(chosen, call.kwargs) if not chosen.opts_out]
    reasons: dict[str, list[RuleMethod]] = {}
    for other in matching:
        if other is not chosen:
            reasons.setdefault(_reason(chosen, other, rank), []).append(other)
    for reason, beaten in reasons.items():
        lines += [f"It beat, because {reason}:", _listed(beaten)]
    return "\n".join(lines)


def _call_within(call: Call) -> Call | None:
    """The call that the rule of a bound method or of a partial hands on."""
    f = call.f
    if type(f) is types.MethodType:
        return call._replace(f=f.__func__, args=(f.__self__, *call.args))
    if type(f) is functools.partial:
        return call._replace(f=f.func, args=(*f.args, *call.args), kwargs={**f.keywords, **call.kwargs})
    return None


def _matches(method: RuleMethod, config: Any, target: tuple[Any, ...]) -> bool:
    if method.config is None:
        return method.matches(target)
    return config is not None and method.matches((config, *target))


def _most_specific(rivals: list[RuleMethod]) -> list[RuleMethod]:
    return [method for method in rivals if not any(other.signature < method.signature for other in rivals)]


def _reason(chosen: RuleMethod, beaten: RuleMethod, rank: Callable[[RuleMethod], RuleRank]) -> str:
    if rank(chosen).for_class < rank(beaten).for_class:
        return "a rule for the object itself comes before all for its class"
    if rank(chosen) < rank(beaten):
        return "a rule with a configuration comes before all without"
    if chosen.opts_out and chosen.signature == beaten.signature:
        return "an opt-out comes before a rule of the same signature"
    if chosen.signature < beaten.signature:
        return "its parameters are more specific"
    return "its precedence is higher"


def _why_none(tables: MethodTables, call: Call, methods: list[RuleMethod]) -> str:
    if not methods:
        return _no_rule_at_all(tables, call.f)
    # Stable, so that among equally near rules the more specific come first.
    nearest = sorted(methods, key=lambda method: _distance(method, call.config, call.args))
    shown = nearest[:_CANDIDATES_SHOWN]
    lines = [f"The nearest {'is' if len(shown) == 1 else 'are'}"]
    if call.config is None and all(method.config is not None for method in methods):
        lines = ["Its rules all ask for a configuration, and the call has none:"]
    for method in shown:
        lines.append(_listed([method]))
        lines += [f"        {why}" for why in misfits(method, call.config, call.args, call.kwargs)]
    # Where these rules are for the class of `f`, the rule of another callee may be the one that fits.
    return "\n".join([*lines, *([] if tables.has_own_rule(call.f) else near_callees(tables, call.f))])


def _distance(method: RuleMethod, config: Any, args: tuple[Any, ...]) -> int:
    """How many arguments keep a method from matching."""
    place = method.place_of_callee + 1
    types = method.signature.expand_varargs(place + len(args))[place:]
    mismatches = sum(not plum.Signature(t).match((x,)) for t, x in zip(types, args, strict=False))
    if method.config is not None:
        mismatches += not plum.Signature(method.signature.types[0]).match((config,))
    return mismatches + abs(len(types) - len(args))


def _no_rule_at_all(tables: MethodTables, f: Any) -> str:
    name = describe_callee(f)
    kind = type(f).__name__ if name.startswith("an instance") else f"typeof_({name.rpartition('.')[2]})"
    if kind == "typeof_(<lambda>)":
        kind = "typeof_(foo)`, after `foo = lambda ...: ..."
    text = (
        f"No {tables.name} is registered for {name}. Write one with `@{tables.name}.dispatch` and "
        f"`f: {kind}`, or import the package that holds it."
    )
    return " ".join([text, *_where_rules_are(f), *near_callees(tables, f)])


def _where_rules_are(f: Any) -> list[str]:
    """What to install for a function of NumPy, SciPy or Python, if nobody's rules for these are."""
    package = package_of(str(getattr(f, "__module__", None) or type(f).__module__))
    if package not in {"numpy", "scipy", *sys.stdlib_module_names} or importlib.util.find_spec("chainrules"):
        return []
    return ["The rules for NumPy, SciPy and Python are in the package `chainrules`, which is not installed."]


def _listed(methods: Iterable[RuleMethod]) -> str:
    return "\n".join(f"    {m.name}{m.describe_parameters()}  {m.location}" for m in methods)


def describe_call(mode: str, config: Any, f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """A call as text, arguments by their types: ``rrule(numpy.sin, ndarray[float64, 2])``."""
    first = [] if config is None else [describe_value(config)]
    named = [f"{name}={describe_value(x)}" for name, x in kwargs.items()]
    return f"{mode}({', '.join([*first, describe_callee(f), *map(describe_value, args), *named])})"
