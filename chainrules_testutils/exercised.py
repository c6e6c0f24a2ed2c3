"""Which rules the testers have been asked about in this process."""

from typing import Any

import plum

from chainrules_core import RuleMethod

_exercised: dict[tuple[str, Any], None] = {}


def record_exercised(f: Any, method: RuleMethod) -> None:
    """Record that `method`, which serves a call of `f`, is tested."""
    for member in method.members:
        if isinstance(f, member):
            _exercised[method.mode, plum.type_parameter(member)] = None


def exercised_rules() -> frozenset[tuple[str, Any]]:
    """The rules that were tested: pairs of a mode, ``"frule"`` or ``"rrule"``, and a callee.

    The callee is the function or class that the rule's annotation names: `foo` for ``typeof_(foo)``, the
    class `Foo` for ``type[Foo]`` and ``Foo``.
    """
    return frozenset(_exercised)
