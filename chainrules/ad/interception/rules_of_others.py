"""Rules that somebody else wrote for functions which are served here in a way of their own: they come first.

The operators and conversions of a program's class are entered, functions that hand on what they are given are
called as they are, and NumPy asks traced values alone. So rules are not asked for; but whoever writes one for
``abs`` of a class, say, wants it used in the place of the method ``__abs__``.
"""

from collections.abc import Callable
from typing import Any

from chainrules.ad.calling import apply
from chainrules.ad.config import CONFIG
from chainrules.ad.tracing import innermost_trace
from chainrules_core import NoTangent, frule, on_changed_rules, rrule

_PACKAGE = __name__.partition(".")[0]

# Functions that are made again and again, such as those of `np.frompyfunc`, shall not fill the memory.
_MOST = 2_000


class _RuledByOthers(dict[Any, bool]):
    def __missing__(self, f: Any) -> bool:
        if len(self) > _MOST:
            self.clear()
        methods = rrule.methods_of_others(f, _PACKAGE) or frule.methods_of_others(f, _PACKAGE)
        answer = self[f] = bool(methods)
        return answer


# By function: whether anybody but this package has a rule for it, or for its class. Found out when asked.
RULED_BY_OTHERS = _RuledByOthers()
on_changed_rules(RULED_BY_OTHERS.clear)


def call_by_rule_of_others(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], otherwise: Callable[..., Any]
) -> Any:
    """Call a function by the rule of somebody else, if one takes what is traced; else call `otherwise`."""
    trace = innermost_trace((*args, *kwargs.values()))
    if trace is not None:
        is_forwards = trace.mode == "forwards"
        rules, leading = (frule, ((NoTangent(),) * (1 + len(args)),)) if is_forwards else (rrule, ())
        method = rules.find(CONFIG, *leading, f, *args, **kwargs)
        if method is not None and not method.stands_in(_PACKAGE):
            return apply(f, args, kwargs, otherwise)
    return otherwise(*args, **kwargs)


def rules_of_others_first(f: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """What to call in the place of a function: a rule of somebody else; `otherwise` where none applies."""
    if not RULED_BY_OTHERS[f]:
        return otherwise

    def call(*args: Any, **kwargs: Any) -> Any:
        return call_by_rule_of_others(f, args, kwargs, otherwise)

    return call
