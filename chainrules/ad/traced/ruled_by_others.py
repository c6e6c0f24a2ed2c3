"""Whether somebody else than this package wrote a rule for a function, or for a call."""

from collections.abc import Mapping, Sequence
from typing import Any

from chainrules.ad.values.config import CONFIG
from chainrules.ad.values.memory import remember
from chainrules_core import NoTangent, frule, on_changed_rules, rrule

_PACKAGE = __name__.partition(".")[0]


class _RuledByOthers(dict[Any, bool]):
    def __missing__(self, f: Any) -> bool:
        answer = _have_others_rules(f)
        remember(self, f, answer)
        return answer

    def of(self, f: Any) -> bool:
        """The answer for a callable that may have no hash, such as an interpolant that is compared by its parts."""
        return self[f] if type(f).__hash__ is not None else _have_others_rules(f)


def _have_others_rules(f: Any) -> bool:
    return bool(rrule.methods_of_others(f, _PACKAGE) or frule.methods_of_others(f, _PACKAGE))


# By function: whether anybody but this package has a rule for it, or for its class. Found out when asked.
RULED_BY_OTHERS = _RuledByOthers()
on_changed_rules(RULED_BY_OTHERS.clear)


def is_ruled_by_others(mode: str, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether the rule of somebody else serves a call, in the mode ``"forward"`` or ``"reverse"``."""
    try:
        if not RULED_BY_OTHERS[f]:
            return False
    except TypeError:  # `f` is not hashable
        pass
    is_forward = mode == "forward"
    rules, leading = (frule, ((NoTangent(),) * (1 + len(args)),)) if is_forward else (rrule, ())
    method = rules.find(CONFIG, *leading, f, *args, **kwargs)
    return method is not None and not method.stands_in(_PACKAGE)
