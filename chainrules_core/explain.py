"""Saying in plain text which rule serves a call, what it beat, or why there is none."""

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import plum

from chainrules_core.rule_method import RuleMethod

if TYPE_CHECKING:
    from chainrules_core.rule_function import RuleFunction

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
    matching = [m for m in methods if m.signature.match(_target(m, config, leading, f, args))]
    prefix = () if config is None else (config,)
    try:
        chosen = rules._find(config, leading, f, args)  # noqa: SLF001 - the lookup itself, opt-outs included
    except plum.AmbiguousLookupError:
        return f"{call} is ambiguous: none of these is more specific than the others.\n{_listed(matching)}"
    del prefix
    if chosen is None:
        return f"{call} has no rule.\n" + _why_none(rules, f, methods, args, config)
    if chosen.opts_out:
        said = f"{call} has no rule: it was opted out by\n{_listed([chosen])}"
    else:
        said = f"{call} is served by\n{_listed([chosen])}"
    beaten = [method for method in matching if method is not chosen]
    if beaten:
        said += f"\nIt beat, because {_reason(chosen, beaten)}:\n{_listed(beaten)}"
    return said


def _target(method: RuleMethod, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*leading, f, *args) if method.config is None else (config, *leading, f, *args)


def _reason(chosen: RuleMethod, beaten: list[RuleMethod]) -> str:
    if chosen.config is not None and any(method.config is None for method in beaten):
        return "a rule with a configuration comes before all without"
    return "its parameters are more specific"


def _why_none(
    rules: "RuleFunction", f: Any, methods: list[RuleMethod], args: tuple[Any, ...], config: Any
) -> str:
    if not methods:
        return _no_rule_at_all(rules, f)
    configured = [method for method in methods if method.config is not None]
    if config is None and len(configured) == len(methods):
        return f"Its rules all ask for a configuration, and the call has none:\n{_listed(methods)}"

    def distance(method: RuleMethod) -> int:
        hints = method.hints[len(method.hints) - _number_of_arguments(method) :]
        mismatches = sum(not plum.Signature(hint).match((x,)) for hint, x in zip(hints, args, strict=False))
        return mismatches + abs(len(hints) - len(args)) * (method.varargs is plum.Missing)

    nearest = sorted(methods, key=distance)[:_CANDIDATES_SHOWN]
    return f"The nearest are:\n{_listed(nearest)}"


def _number_of_arguments(method: RuleMethod) -> int:
    return len(method.hints) - 1 - method.hints.index(method.callee)


def _no_rule_at_all(rules: "RuleFunction", f: Any) -> str:
    name = callee_name(f)
    text = (
        f"No {rules.mode.name} is registered for {name}. Write one with `@{rules.mode.name}.dispatch` and "
        f"`f: typeof_({name.rpartition('.')[2]})`, or import the package that holds it."
    )
    known = {callee_name(callee): callee for callee in rules.callees()}
    near = difflib.get_close_matches(name, known, n=_CANDIDATES_SHOWN, cutoff=0.75)
    same_last = [other for other in known if other.rpartition(".")[2] == name.rpartition(".")[2]]
    suggestions = list(dict.fromkeys([*same_last, *near]))[:_CANDIDATES_SHOWN]
    if suggestions:
        text += f" Did you mean {' or '.join(suggestions)}?"
    return text


def _listed(methods: Iterable[RuleMethod]) -> str:
    return "\n".join(f"    {m.name}{m.describe_parameters()}  {m.location}" for m in methods)


def describe_call(mode: str, config: Any, f: Any, args: tuple[Any, ...]) -> str:
    """A call as text, arguments by their types: ``rrule(numpy.sin, ndarray[float64, 2])``."""
    shown = [describe_value(x) for x in args]
    first = [] if config is None else [type(config).__qualname__]
    return f"{mode}({', '.join([*first, callee_name(f), *shown])})"


def describe_value(x: Any) -> str:
    """The type of a value, with dtype and number of axes where it has them."""
    name = type(x).__qualname__
    if hasattr(x, "dtype") and hasattr(x, "ndim") and hasattr(x, "__array_function__"):
        return f"{name}[{x.dtype}, {x.ndim}]"
    return name


def callee_name(f: Any) -> str:
    """The dotted name of a callee; for an instance that is called, that of its class."""
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None)
    if not isinstance(name, str):
        return f"an instance of {callee_name(type(f))}"
    owner = getattr(f, "__module__", None) or getattr(getattr(f, "__self__", None), "__name__", None)
    if owner is None and type(f).__module__ == "numpy":  # ufuncs do not say where they live
        owner = "numpy"
    return name if owner in (None, "builtins") else f"{owner}.{name}"
