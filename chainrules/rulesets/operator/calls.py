"""Rules for `call`, and for the callables that `itemgetter`, `attrgetter` and `methodcaller` make.

``itemgetter(1)``, ``attrgetter("a.b")`` and ``methodcaller("sum", axis=0)`` are objects; the arguments that
they were made with are constants, even if they are numbers.
"""

import functools
import operator
from typing import Any

from chainrules.values.iterables import item_tangents, tuple_tangent
from chainrules_core import (
    NO_TANGENT,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    rrule,
    rrule_via_ad,
    typeof_,
    unthunk,
)

# --- call --------------------------------------------------------------------------------------------------


@frule.dispatch
def call_frule(config: RuleConfig[HasForwardsMode], tangents, f: typeof_(operator.call), g, *args, **named):
    return frule_via_ad(config, tuple(tangents[1:]), g, *args, **named)


@rrule.dispatch
def call_rrule(config: RuleConfig[HasReverseMode], f: typeof_(operator.call), g, *args, **named):
    y, pullback = rrule_via_ad(config, g, *args, **named)

    def call_pullback(y_bar):
        return NO_TANGENT, *pullback(y_bar)

    return y, call_pullback


# --- itemgetter and attrgetter -----------------------------------------------------------------------------


def made_with(f):
    """The positional arguments that a getter or caller was made with, as pickling knows them."""
    made: tuple[Any, ...] = f.__reduce__()[1]
    return made


def steps_of(f: operator.itemgetter | operator.attrgetter):
    """For each result of a getter, the functions that it calls, with their second arguments."""
    if isinstance(f, operator.itemgetter):
        return [[(operator.getitem, index)] for index in made_with(f)]
    return [[(getattr, name) for name in path.split(".")] for path in made_with(f)]


@frule.dispatch
def getter_frule(tangents, f: operator.itemgetter | operator.attrgetter, x):
    found = [_fetched(steps, x, tangents[1]) for steps in steps_of(f)]
    if len(found) == 1:
        return found[0]
    ys, y_dots = zip(*found, strict=True)
    return ys, tuple_tangent(tuple, y_dots)


def _fetched(steps: list[tuple[Any, Any]], x, x_dot):
    for get, what in steps:
        x, x_dot = frule.require((NO_TANGENT, x_dot, NO_TANGENT), get, x, what)
    return x, x_dot


@rrule.dispatch
def getter_rrule(f: operator.itemgetter | operator.attrgetter, x):
    ys, pullbacks = zip(*(_fetched_back(steps, x) for steps in steps_of(f)), strict=True)
    is_single = len(ys) == 1

    def getter_pullback(y_bar):
        y_bars = [y_bar] if is_single else item_tangents(y_bar, len(ys))
        x_bars = [pullback(part) for pullback, part in zip(pullbacks, y_bars, strict=True)]
        return NO_TANGENT, sum(x_bars, start=ZeroTangent())

    return ys[0] if is_single else ys, getter_pullback


def _fetched_back(steps: list[tuple[Any, Any]], x):
    pullbacks = []
    for get, what in steps:
        x, pullback = rrule.require(get, x, what)
        pullbacks.append(pullback)

    def fetched_pullback(y_bar):
        return functools.reduce(lambda bar, pullback: unthunk(pullback(bar)[1]), reversed(pullbacks), y_bar)

    return x, fetched_pullback


# --- methodcaller ------------------------------------------------------------------------------------------


@frule.dispatch
def methodcaller_frule(config: RuleConfig[HasForwardsMode], tangents, f: operator.methodcaller, x):
    return frule_via_ad(config, (NO_TANGENT, tangents[1]), plain_call(f), x)


@rrule.dispatch
def methodcaller_rrule(config: RuleConfig[HasReverseMode], f: operator.methodcaller, x):
    y, pullback = rrule_via_ad(config, plain_call(f), x)

    def methodcaller_pullback(y_bar):
        return NO_TANGENT, pullback(y_bar)[1]

    return y, methodcaller_pullback


def plain_call(f: operator.methodcaller):
    """The call that `f` makes as a function without a rule, so that an AD system looks into it."""

    def call_method(x):
        return f(x)

    return call_method
