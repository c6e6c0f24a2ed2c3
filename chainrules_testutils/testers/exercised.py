"""Which rules the testers have been asked about in this process."""

from collections.abc import Iterator
from typing import Any

import plum

from chainrules_core import RuleMethod, frule, place_of_rule, rrule, unwrap_primitive

_exercised: dict[tuple[str, Any], None] = {}
_methods: dict[RuleMethod, None] = {}


def record_exercised(f: Any, method: RuleMethod) -> None:
    """Record that `method`, which serves a call of `f`, is tested."""
    _methods[method] = None
    f = unwrap_primitive(f)
    for member in method.members:
        if isinstance(f, member):
            _exercised[method.mode, plum.type_parameter(member)] = None


def exercised_rules() -> frozenset[tuple[str, Any]]:
    """The rules that were tested: pairs of a mode, ``"frule"`` or ``"rrule"``, and a callee.

    The callee is the function or class that the rule's annotation names: `foo` for ``typeof_(foo)``, the
    class `Foo` for ``type[Foo]`` and ``Foo``.
    """
    return frozenset(_exercised)


def rule_places() -> Iterator[tuple[RuleMethod, str, bool]]:
    """Every registered rule, the file that it stands in, and whether a tester was asked about it.

    Rules that opt out answer nothing, so there is nothing to ask them.
    """
    for rules in (rrule, frule):
        for method in rules.methods():
            place = place_of_rule(method.function)
            if place is not None and not method.opts_out:
                yield method, place[0], method in _methods
