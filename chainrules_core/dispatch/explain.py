"""Saying in plain text which rule serves a call, what it beat, or why there is none."""

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import plum

from chainrules_core.dispatch.descriptions import describe_callee, describe_value
from chainrules_core.dispatch.rule_method import RuleMethod

if TYPE_CHECKING:
    from chainrules_core.dispatch.rule_function import RuleFunction

_CANDIDATES_SHOWN = 3


def sorted_by_specificity(methods: Iterable[RuleMethod]) -> list[RuleMethod]:
    """Order methods so that each comes before those that it is more specific than; configured ones first."""
    methods = list(methods)

    def number_above(method: RuleMethod) -> tuple[bool, int]:
        # A method that is more specific is below more others, so counting them sorts topologically.
        above = sum(_is_below(method, other) for other in methods)
        return (method.config is None, -above)

    return sorted(methods, key=number_above)


def _is_below(method: RuleMethod, other: RuleMethod) -> bool:
    return (method.config is None) == (other.config is None) and bool(method.signature < other.signature)


def explain_lookup(
    rules: "RuleFunction", config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...]
) -> str:
    """The text of `RuleFunction.explain`; carriers in `args` have been replaced by their primals."""
    call = describe_call(rules.mode.name, config, f, args)
    methods = rules.methods(f)
    matching = [method for method in methods if _matches(method, config, (*leading, f, *args))]
    try:
        chosen = rules._find(config, leading, f, args)  # noqa: SLF001 - the lookup itself, opt-outs included
    except plum.AmbiguousLookupError:
        tied = _most_specific(matching)
        return f"{call} is ambiguous: none of these is more specific than the others.\n{_listed(tied)}"
    if chosen is None:
        return f"{call} has no rule.\n" + _why_none(rules, f, methods, args, config)
    said = "has no rule: it was opted out by" if chosen.opts_out else "is served by"
    lines = [f"{call} {said}", _listed([chosen])]
    for reason, beaten in _beaten(chosen, matching):
        lines += [f"It beat, because {reason}:", _listed(beaten)]
    return "\n".join(lines)


def _matches(method: RuleMethod, config: Any, target: tuple[Any, ...]) -> bool:
    if method.config is None:
        return method.matches(target)
    return config is not None and method.matches((config, *target))


def _most_specific(matching: list[RuleMethod]) -> list[RuleMethod]:
    rivals = [method for method in matching if (method.config is None) == (matching[0].config is None)]
    return [method for method in rivals if not any(_is_below(other, method) for other in rivals)]


def _beaten(chosen: RuleMethod, matching: list[RuleMethod]) -> list[tuple[str, list[RuleMethod]]]:
    """The other rules that match, by the reason for which they were not chosen."""
    reasons: dict[str, list[RuleMethod]] = {}
    for other in matching:
        if other is not chosen:
            reasons.setdefault(_reason(chosen, other), []).append(other)
    return list(reasons.items())


def _reason(chosen: RuleMethod, beaten: RuleMethod) -> str:
    if chosen.config is not None and beaten.config is None:
        return "a rule with a configuration comes before all without"
    if chosen.opts_out and chosen.signature == beaten.signature:
        return "an opt-out comes before a rule of the same signature"
    if _is_below(chosen, beaten):
        return "its parameters are more specific"
    return "its precedence is higher"


def _why_none(
    rules: "RuleFunction", f: Any, methods: list[RuleMethod], args: tuple[Any, ...], config: Any
) -> str:
    if not methods:
        return _no_rule_at_all(rules, f)
    if config is None and all(method.config is not None for method in methods):
        return f"Its rules all ask for a configuration, and the call has none:\n{_listed(methods)}"
    # Stable, so that of those equally near the more specific come first.
    nearest = sorted(methods, key=lambda method: _distance(method, config, args))[:_CANDIDATES_SHOWN]
    return f"The nearest {'is' if len(nearest) == 1 else 'are'}\n{_listed(nearest)}"


def _distance(method: RuleMethod, config: Any, args: tuple[Any, ...]) -> int:
    """How many arguments keep a method from matching."""
    place = method.hints.index(method.callee) + 1
    types = method.signature.expand_varargs(place + len(args))[place:]
    mismatches = sum(not plum.Signature(t).match((x,)) for t, x in zip(types, args, strict=False))
    if method.config is not None:
        mismatches += not plum.Signature(method.signature.types[0]).match((config,))
    return mismatches + abs(len(types) - len(args))


def _no_rule_at_all(rules: "RuleFunction", f: Any) -> str:
    name = describe_callee(f)
    kind = type(f).__name__ if name.startswith("an instance") else f"typeof_({name.rpartition('.')[2]})"
    text = (
        f"No {rules.mode.name} is registered for {name}. Write one with `@{rules.mode.name}.dispatch` and "
        f"`f: {kind}`, or import the package that holds it."
    )
    suggestions = _similar(name, map(describe_callee, rules.callees()))
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
