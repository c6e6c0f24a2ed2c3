"""`test_method_tables`: what must hold of all rules together."""

import inspect
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import plum

from chainrules_core import RuleMethod, frule, rrule
from chainrules_core.descriptions import describe_callee, describe_hint
from chainrules_testutils.report import Check, Report, failed, passed

# Classes whose instances are called, and of which a rule means one instance, never all.
_TOO_GENERAL = (object, type)


def test_method_tables() -> Report:
    """Check all registered rules against each other.

    No rule is for all classes or all objects; no two rules of a callee are the same once their default
    arguments are counted in; and no two can both match a call without one of them, or a third, being the
    more specific.

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
        methods = [method for method in rules.methods() if not method.opts_out]
        for callee, own in _by_callee(methods).items():
            where = f"{rules.mode.name} of {describe_callee(callee)}"
            report.checks.extend(list(_checks(callee, own, where)) or [passed(where)])
    report.raise_failures()
    return report


test_method_tables.__test__ = False  # type: ignore[attr-defined]  # for pytest


def _by_callee(methods: list[RuleMethod]) -> dict[Any, list[RuleMethod]]:
    found: dict[Any, list[RuleMethod]] = {}
    for method in methods:
        for member in method.members:
            found.setdefault(plum.type_parameter(member), []).append(method)
    return found


def _checks(callee: Any, methods: list[RuleMethod], where: str) -> Iterator[Check]:
    if callee in _TOO_GENERAL:
        yield failed(
            where, "matches every callee; write `typeof_(foo)` or `type[Foo]`.", *map(_shown, methods)
        )
    for config_or_not in (True, False):
        alike = [method for method in methods if (method.config is not None) is config_or_not]
        yield from _conflicts(alike, where)


def _conflicts(methods: list[RuleMethod], where: str) -> Iterator[Check]:
    expanded = [(method, signature) for method in methods for signature in _signatures(method)]
    for (method, signature), (other, other_signature) in combinations(expanded, 2):
        if method is other:
            continue
        if signature == other_signature:
            yield failed(where, "two rules have the same signature", _shown(method), _shown(other))
            continue
        meet = _meet(signature, other_signature)
        if meet is not None and not _settled(meet, [known for _, known in expanded]):
            yield failed(
                where,
                f"ambiguous for ({', '.join(describe_hint(t) for t in meet)}): write a rule for that",
                _shown(method),
                _shown(other),
            )


def _signatures(method: RuleMethod) -> list[plum.Signature]:
    """The signature of a rule, and those that leave out arguments with default values."""
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
    """Types that both signatures match, where neither is below the other; `None` if there are none.

    Of two unrelated classes it is taken for granted that nobody derives from both.
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
    """Whether one of the signatures that match `meet` is below all others that do."""
    target = plum.Signature(*meet)
    matching = [signature for signature in signatures if target <= signature]
    return any(all(best <= other for other in matching) for best in matching)


def _shown(method: RuleMethod) -> str:
    return f"{method.name}{method.describe_parameters()}  {method.location}"
