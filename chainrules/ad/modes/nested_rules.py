"""Rules of others, called with values that are traced still, or recorded: their calls are intercepted."""

import functools
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.calls.rule_calls import remembered_rule
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import BLOCKS, watcher_of_rules
from chainrules.ad.syntax.origins import Origin, origin_of
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.config import CONFIG
from chainrules_core import RuleMethod, with_own_rule


def nested(rule: Any) -> Any:
    """A rule that was found for carried values, `None` if none was: entered, if it is not ours."""
    if rule.__class__ is not types.FunctionType:
        return rule
    if _are_ours.get(rule.__module__):
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
    is_ours = _are_ours.get(rule.__module__)
    if is_ours is None:
        is_ours = _are_ours[rule.__module__] = origin_of(rule) is Origin.ENGINE
    if is_ours:
        return rule
    chosen = choose(rule, False)  # a twin asks itself whether calls are intercepted
    watch = watcher_of_rules() if BLOCKS else None
    return chosen if watch is None else watch(rule, chosen)


# Never forgotten, since there are no more than modules with rules. Whether the functions of a module are
# ours, by its name: to find out at each operation would take a twentieth of a nested differentiation.
_are_ours: dict[str, bool] = {}


def nested_rule(
    rules: Any,
    f: Any,
    values: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    leading: tuple[Any, ...] = (),
) -> Callable[..., Any] | None:
    """The rule for a call, entered; `None` if it is ours.

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
    known = remembered_rule(rules, f, values)
    if known is not None:
        rule = nested(known)
        if rule is known:
            return None
        if not kwargs:
            return rule  # type: ignore[no-any-return]  # a function
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
    """The function of a rule, entered if it is not ours."""
    return nested(method.looked_at)
