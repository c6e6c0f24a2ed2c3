"""Rules of the user's, called with values that are traced still, or recorded: their calls are intercepted."""

import functools
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import BLOCKS, watcher_of_rules
from chainrules.ad.syntax.origins import Origin, origin_of
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.config import CONFIG
from chainrules_core import RuleMethod, with_own_rule


def nested(rule: Any) -> Any:
    """A rule that was found for carried values, `None` if none was: entered, if it is the user's."""
    if rule.__class__ is not types.FunctionType:
        return rule
    origin = _origins.get(rule.__module__)
    if origin is Origin.ENGINE or (origin is Origin.LIBRARY and not BLOCKS):
        return rule
    watch = watcher_of_rules() if BLOCKS else None
    if watch is None:
        return with_own_rule(rule, _entered)
    made = watch.made.get(rule)
    if made is None:
        made = watch.made[rule] = with_own_rule(rule, _entered, lasts=False)
    return made


def _entered(rule: Any) -> Any:
    if rule.__class__ is not types.FunctionType:
        return rule
    origin = _origins.get(rule.__module__)
    if origin is None:
        origin = _origins[rule.__module__] = origin_of(rule)
    if origin is Origin.ENGINE:
        return rule
    # A twin asks itself whether calls are intercepted. Who watches says if a library's rule has one.
    chosen = choose(rule, False) if origin is Origin.USER else rule
    watch = watcher_of_rules() if BLOCKS else None
    return chosen if watch is None else watch(rule, chosen)


# Never forgotten, since there are no more than modules with rules. Whose the functions of a module are, by
# its name: to find out at each operation would take a twentieth of a nested differentiation.
_origins: dict[str, Origin] = {}


def nested_rule(
    rules: Any,
    f: Any,
    values: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    leading: tuple[Any, ...] = (),
) -> Callable[..., Any] | None:
    """The rule for a call that is not remembered, entered; `None` if it is no rule of the user's.

    Parameters
    ----------
    rules
        `rrule` or `frule`.
    f, values, kwargs
        The function and its arguments.
    leading
        What stands before the function in a call of `rules`.
    """
    watch = watcher_of_rules() if BLOCKS else None
    if watch is not None:  # whatever the values are, or hold
        watch.look_up(rules, f)
    elif not any(x.__class__ in TRACED for x in values):
        return None
    method = rules.find(CONFIG, *leading, f, *values)
    if method is not None:
        rule = nested(method.looked_at)
        if rule is method.looked_at:
            return None
        if not kwargs:
            return rule if method.config is None else functools.partial(rule, CONFIG)
    elif not kwargs:
        return None
    # The rule may take by position what the call gives by keyword.
    return functools.partial(rules.answer_by, nested_method, CONFIG)


def nested_method(method: RuleMethod) -> Any:
    """The function of a rule, entered if it is the user's."""
    return nested(method.looked_at)
