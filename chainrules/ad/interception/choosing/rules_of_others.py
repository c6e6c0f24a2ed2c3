"""Rules that somebody else wrote for functions which are served here in a way of their own: they come first.

The operators and conversions of a program's class are entered, functions that hand on what they are given are
called as they are, and NumPy asks traced values alone. So rules are not asked for; but whoever writes one for
``abs`` of a class, say, wants it used in the place of the method ``__abs__``.
"""

from collections.abc import Callable
from typing import Any

from chainrules.ad.calls.calling import apply
from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS, is_ruled_by_others
from chainrules.ad.traced.tracing import innermost_trace


def call_by_rule_of_others(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], otherwise: Callable[..., Any]
) -> Any:
    """Call a function by the rule of somebody else, if one takes what is traced; else call `otherwise`."""
    trace = innermost_trace((*args, *kwargs.values()))
    if trace is not None and is_ruled_by_others(trace.mode, f, args, kwargs):
        return apply(f, args, kwargs, otherwise)
    return otherwise(*args, **kwargs)


def rules_of_others_first(f: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """What to call in the place of a function: a rule of somebody else; `otherwise` where none applies."""
    if not RULED_BY_OTHERS[f]:
        return otherwise

    def call(*args: Any, **kwargs: Any) -> Any:
        return call_by_rule_of_others(f, args, kwargs, otherwise)

    return call
