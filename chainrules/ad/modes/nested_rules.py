"""Rules of the user's, called with values that are traced still, or recorded: their calls are intercepted."""

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
from chainrules_core import with_own_rule
from chainrules_core.speed import value_for_dispatch


def nested(rule: Any) -> Any:
    """A rule that was found for carried values, `None` if none was: entered, if it is the user's."""
    if rule.__class__ is not types.FunctionType:
        return rule
    is_of_user = _are_of_user.get(rule.__module__)
    return rule if is_of_user is False else with_own_rule(rule, _entered, lasts=not BLOCKS)


def _entered(rule: Any) -> Any:
    if rule.__class__ is not types.FunctionType:
        return rule
    is_of_user = _are_of_user.get(rule.__module__)
    if is_of_user is None:
        is_of_user = _are_of_user[rule.__module__] = origin_of(rule) is Origin.USER
    if not is_of_user:
        return rule
    chosen = choose(rule, False)  # a twin asks itself whether calls are intercepted
    watch = watcher_of_rules() if BLOCKS else None
    return chosen if watch is None else watch(rule, chosen)


# Never forgotten, since there are no more than modules with rules. Whether the functions of a module are the
# user's, by its name: to find out at each operation would take a twentieth of a nested differentiation.
_are_of_user: dict[str, bool] = {}


def nested_rule(
    rules: Any, f: Any, values: tuple[Any, ...], leading: tuple[Any, ...] = ()
) -> Callable[..., Any] | None:
    """The rule for a call, entered; `None` if it is no rule of the user's.

    Parameters
    ----------
    rules
        `rrule` or `frule`.
    f, values
        The function and its arguments.
    leading
        What stands before the function in a call of `rules`.
    """
    if not any(x.__class__ in TRACED or value_for_dispatch(x) is not x for x in values):
        return None
    known = remembered_rule(rules, f, values)
    if known is not None:
        rule = nested(known)
        return None if rule is known else rule
    method = rules.find(CONFIG, *leading, f, *values)
    if method is None:
        return None
    rule = nested(method.looked_at)
    if rule is method.looked_at:
        return None
    return rule if method.config is None else functools.partial(rule, CONFIG)
