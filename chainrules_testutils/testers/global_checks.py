"""`test_method_tables`: checks of all rules together."""

import difflib
import inspect
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import plum

from chainrules_core import RuleMethod, TypeOf, describe_callee, describe_hint, frule, rrule
from chainrules_testutils.advice.report import Check, Report, failed, passed

# Classes whose instances are called. A rule for one of these is for one instance, never for all.
_TOO_GENERAL = (object, type)


def test_method_tables() -> Report:
    """Check all registered rules against each other.

    No rule is for all classes or all objects; nothing opts out where there is no rule; no two rules of a
    callee are the same once their default arguments are counted in; and no two can both match a call without
    one of them, or a third, being the more specific.

    Returns
    -------
    Report
        With one check for each mode and callee.

    Raises
    ------
    RuleTestError
        If there are such rules; it lists them with their places.
    """
    report = Report("test_method_tables")
    for rules in (rrule, frule):
        groups = _by_callee_type(rules.methods())
        # Only a class has callees below it: its instances, its subclasses.
        general = [callee_type for callee_type in groups if not issubclass(callee_type, TypeOf)]
        for callee_type, methods in groups.items():
            callee = plum.type_parameter(callee_type)
            where = f"{rules.mode.name} of {describe_callee(callee)}"
            above = [
                other for other in general if other is not callee_type and issubclass(callee_type, other)
            ]
            inherited = [method for t in above for method in groups[t] if method not in methods]
            idle = list(idle_opt_outs(methods, inherited, where))
            if issubclass(callee_type, TypeOf):
                # The others are asked only where no rule for the object itself applies.
                inherited = [method for method in inherited if method.precedence > 0]
            checks = [*_too_general(callee, methods, where), *idle, *conflicts(methods, inherited, where)]
            report.checks.extend(checks or [passed(where)])
    __tracebackhide__ = True  # pytest points at the test, not here
    report.raise_failures()
    return report


test_method_tables.__test__ = False  # type: ignore[attr-defined]  # for pytest


def _by_callee_type(methods: list[RuleMethod]) -> dict[Any, list[RuleMethod]]:
    found: dict[Any, list[RuleMethod]] = {}
    for method in methods:
        for member in method.members:
            found.setdefault(member, []).append(method)
    return found


def _too_general(callee: Any, methods: list[RuleMethod], where: str) -> Iterator[Check]:
    if callee in _TOO_GENERAL:
        shown = map(_shown, methods)
        yield failed(where, "matches every callee; write `typeof_(foo)` or `type[Foo]`", *shown)


def idle_opt_outs(methods: list[RuleMethod], inherited: list[RuleMethod], where: str) -> Iterator[Check]:
    """The opt-outs, if there is no rule that they opt out of; parameters as of `conflicts`."""
    if all(method.opts_out for method in (*methods, *inherited)):
        problem = "opts out of a rule, and there is none; is the rule for another function?"
        rules = {rule.mode.name: rule for rule in (frule, rrule)}[methods[0].mode]
        name = describe_hint(methods[0].members[0].resolve())
        ruled = [f"typeof_({describe_callee(f)})" for f in rules.callees()]
        near = difflib.get_close_matches(name, [other for other in ruled if other != name], n=1, cutoff=0.8)
        problem += f" Did you mean `{near[0]}`?" if near else ""
        yield failed(where, problem, *map(_shown, methods))


def conflicts(methods: list[RuleMethod], inherited: list[RuleMethod], where: str) -> Iterator[Check]:
    """The pairs of rules that are the same, or ambiguous.

    Parameters
    ----------
    methods
        The rules for one type of callee.
    inherited
        The rules for more general types, which match the same callees.
    where
        For messages.
    """
    own = [(method, signature) for method in methods for signature in _signatures(method)]
    others = [(method, signature) for method in inherited for signature in _signatures(method)]
    known = [signature for _, signature in (*own, *others)]
    for (method, signature), (other, other_signature) in (*combinations(own, 2), *product(own, others)):
        if method is other or (method.config is None) != (other.config is None):
            continue
        shown = (_shown(method), _shown(other))
        if signature == other_signature:
            if not (method.opts_out or other.opts_out):  # which is how to opt a rule out
                yield failed(where, "two rules have the same signature", *shown)
        elif (meet := _meet(signature, other_signature)) and not _settled(meet, known):
            types = ", ".join(map(describe_hint, meet))
            yield failed(where, f"ambiguous for ({types}): write a rule for that", *shown)


def _signatures(method: RuleMethod) -> list[plum.Signature]:
    """The signature of a rule, and the signatures without the arguments that have default values."""
    signature = method.signature
    parameters = inspect.signature(method.function).parameters.values()
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    defaults = sum(p.default is not p.empty for p in positional)
    types = signature.types
    shorter = [
        plum.Signature(*types[: len(types) - left_out], precedence=method.precedence)
        for left_out in range(1, defaults + 1)
    ]
    return [signature, *shorter]


def _meet(x: plum.Signature, y: plum.Signature) -> tuple[Any, ...] | None:
    """Types that match both signatures, if neither signature is below the other; `None` if there are none.

    It is taken for granted that nobody derives a class from two unrelated ones.
    """
    if x < y or y < x or x.precedence != y.precedence:
        return None
    if len(x.types) != len(y.types):
        return None  # with varargs on either side, plum prefers the one without
    met = []
    for a, b in zip(x.types, y.types, strict=True):
        if plum.Signature(a) <= plum.Signature(b):
            met.append(a)
        elif plum.Signature(b) <= plum.Signature(a):
            met.append(b)
        else:
            return None
    return tuple(met)


def _settled(meet: tuple[Any, ...], signatures: list[plum.Signature]) -> bool:
    """Whether, of the signatures that `meet` matches, one is below all others."""
    target = plum.Signature(*meet)
    matching = [signature for signature in signatures if target <= signature]
    return any(all(best <= other for other in matching) for best in matching)


def _shown(method: RuleMethod) -> str:
    return f"{method.name}{method.describe_parameters()}  {method.location}"
