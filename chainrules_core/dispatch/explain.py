"""Saying in plain text which rule serves a call, what it beat, or why there is none."""

import difflib
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import plum

from chainrules_core.dispatch.descriptions import describe_callee, describe_value
from chainrules_core.dispatch.method_tables import MethodTables
from chainrules_core.dispatch.ranks import Rank
from chainrules_core.dispatch.rule_method import RuleMethod

_CANDIDATES_SHOWN = 3


def methods_of(tables: MethodTables, f: Any) -> list[RuleMethod]:
    """The methods that can match `f`, in the order in which they are asked, the more specific first."""
    methods = tables.methods_matching(f)
    rank = tables.rank_for(f)

    def place(method: RuleMethod) -> tuple[Rank, int]:
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


def explain_lookup(tables: MethodTables, call: Call) -> str:
    """The text of `RuleFunction.explain`; carriers have been replaced by their primals."""
    config, leading, f, args = call
    shown = describe_call(tables.name, config, f, args)
    methods = methods_of(tables, f)
    matching = [method for method in methods if _matches(method, config, (*leading, f, *args))]
    rank = tables.rank_for(f)
    try:
        chosen = tables.find(config, leading, f, args)
    except plum.AmbiguousLookupError:
        tied = _most_specific([method for method in matching if rank(method) == rank(matching[0])])
        return f"{shown} is ambiguous: none of these is more specific than the others.\n{_listed(tied)}"
    if chosen is None:
        return f"{shown} has no rule.\n" + _why_none(tables, call, methods)
    said = "has no rule: it was opted out by" if chosen.opts_out else "is served by"
    lines = [f"{shown} {said}", _listed([chosen])]
    reasons: dict[str, list[RuleMethod]] = {}
    for other in matching:
        if other is not chosen:
            reasons.setdefault(_reason(chosen, other, rank), []).append(other)
    for reason, beaten in reasons.items():
        lines += [f"It beat, because {reason}:", _listed(beaten)]
    return "\n".join(lines)


def _matches(method: RuleMethod, config: Any, target: tuple[Any, ...]) -> bool:
    if method.config is None:
        return method.matches(target)
    return config is not None and method.matches((config, *target))


def _most_specific(rivals: list[RuleMethod]) -> list[RuleMethod]:
    return [method for method in rivals if not any(other.signature < method.signature for other in rivals)]


def _reason(chosen: RuleMethod, beaten: RuleMethod, rank: Callable[[RuleMethod], Rank]) -> str:
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
    if call.config is None and all(method.config is not None for method in methods):
        return f"Its rules all ask for a configuration, and the call has none:\n{_listed(methods)}"
    # Stable, so that of those equally near the more specific come first.
    nearest = sorted(methods, key=lambda method: _distance(method, call.config, call.args))[
        :_CANDIDATES_SHOWN
    ]
    return f"The nearest {'is' if len(nearest) == 1 else 'are'}\n{_listed(nearest)}"


def _distance(method: RuleMethod, config: Any, args: tuple[Any, ...]) -> int:
    """How many arguments keep a method from matching."""
    place = method.hints.index(method.callee) + 1
    types = method.signature.expand_varargs(place + len(args))[place:]
    mismatches = sum(not plum.Signature(t).match((x,)) for t, x in zip(types, args, strict=False))
    if method.config is not None:
        mismatches += not plum.Signature(method.signature.types[0]).match((config,))
    return mismatches + abs(len(types) - len(args))


def _no_rule_at_all(tables: MethodTables, f: Any) -> str:
    name = describe_callee(f)
    kind = type(f).__name__ if name.startswith("an instance") else f"typeof_({name.rpartition('.')[2]})"
    text = (
        f"No {tables.name} is registered for {name}. Write one with `@{tables.name}.dispatch` and "
        f"`f: {kind}`, or import the package that holds it."
    )
    suggestions = _similar(name, map(describe_callee, tables.callees()))
    return f"{text} Did you mean {' or '.join(suggestions)}?" if suggestions else text


def _similar(name: str, known: Iterable[str]) -> list[str]:
    """Of the dotted names that are known those that `name` may have been meant for, the likeliest first."""
    known = list(known)
    same_last = [other for other in known if other.rpartition(".")[2] == name.rpartition(".")[2]]
    near = difflib.get_close_matches(name, known, n=_CANDIDATES_SHOWN, cutoff=0.75)
    return list(dict.fromkeys([*same_last, *near]))[:_CANDIDATES_SHOWN]


def _listed(methods: Iterable[RuleMethod]) -> str:
    return "\n".join(f"    {m.name}{m.describe_parameters()}  {m.location}" for m in methods)


def describe_call(mode: str, config: Any, f: Any, args: tuple[Any, ...]) -> str:
    """A call as text, arguments by their types: ``rrule(numpy.sin, ndarray[float64, 2])``."""
    first = [] if config is None else [describe_value(config)]
    return f"{mode}({', '.join([*first, describe_callee(f), *map(describe_value, args)])})"
