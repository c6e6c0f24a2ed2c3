"""Rules for `call`, and for the callables that `itemgetter`, `attrgetter` and `methodcaller` make.

``itemgetter(1)``, ``attrgetter("a.b")`` and ``methodcaller("sum", axis=0)`` are objects; what they were made
with are constants of them, whether or not there are numbers among it.
"""

import functools
import operator
from typing import Any

from chainrules.values.iterables import item_tangents, tuple_tangent
from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
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
def call_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(operator.call),
    g: Any,
    *args: Any,
    **named: Any,
) -> Any:
    return frule_via_ad(config, tuple(tangents[1:]), g, *args, **named)


@rrule.dispatch
def call_rrule(
    config: RuleConfig[HasReverseMode], f: typeof_(operator.call), g: Any, *args: Any, **named: Any
) -> Any:
    y, pullback = rrule_via_ad(config, g, *args, **named)

    def call_pullback(y_bar: Any) -> Any:
        return NoTangent(), *pullback(y_bar)

    return y, call_pullback


# --- itemgetter and attrgetter -----------------------------------------------------------------------------


def made_with(f: Any) -> tuple[Any, ...]:
    """The positional arguments that a getter or caller was made with, as pickling knows them."""
    made: tuple[Any, ...] = f.__reduce__()[1]
    return made


def steps_of(f: operator.itemgetter | operator.attrgetter) -> list[list[tuple[Any, Any]]]:
    """For each result of a getter, the functions that it calls, with their second arguments."""
    if isinstance(f, operator.itemgetter):
        return [[(operator.getitem, index)] for index in made_with(f)]
    return [[(getattr, name) for name in path.split(".")] for path in made_with(f)]


@frule.dispatch
def getter_frule(tangents: Any, f: operator.itemgetter | operator.attrgetter, x: Any) -> Any:
    found = [_fetched(steps, x, tangents[1]) for steps in steps_of(f)]
    if len(found) == 1:
        return found[0]
    ys, y_dots = zip(*found, strict=True)
    return ys, tuple_tangent(tuple, y_dots)


def _fetched(steps: list[tuple[Any, Any]], x: Any, x_dot: Any) -> tuple[Any, Any]:
    for get, what in steps:
        x, x_dot = frule.require((NoTangent(), x_dot, NoTangent()), get, x, what)
    return x, x_dot


@rrule.dispatch
def getter_rrule(f: operator.itemgetter | operator.attrgetter, x: Any) -> Any:
    ys, pullbacks = zip(*(_fetched_back(steps, x) for steps in steps_of(f)), strict=True)
    is_single = len(ys) == 1

    def getter_pullback(y_bar: Any) -> Any:
        y_bars = [y_bar] if is_single else item_tangents(y_bar, len(ys))
        x_bars = [pullback(part) for pullback, part in zip(pullbacks, y_bars, strict=True)]
        return NoTangent(), sum(x_bars, start=ZeroTangent())

    return ys[0] if is_single else ys, getter_pullback


def _fetched_back(steps: list[tuple[Any, Any]], x: Any) -> tuple[Any, Any]:
    pullbacks = []
    for get, what in steps:
        x, pullback = rrule.require(get, x, what)
        pullbacks.append(pullback)

    def fetched_pullback(y_bar: Any) -> Any:
        return functools.reduce(lambda bar, pullback: unthunk(pullback(bar)[1]), reversed(pullbacks), y_bar)

    return x, fetched_pullback


# --- methodcaller ------------------------------------------------------------------------------------------


@frule.dispatch
def methodcaller_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: operator.methodcaller, x: Any
) -> Any:
    return frule_via_ad(config, (NoTangent(), tangents[1]), plain_call(f), x)


@rrule.dispatch
def methodcaller_rrule(config: RuleConfig[HasReverseMode], f: operator.methodcaller, x: Any) -> Any:
    y, pullback = rrule_via_ad(config, plain_call(f), x)

    def methodcaller_pullback(y_bar: Any) -> Any:
        return NoTangent(), pullback(y_bar)[1]

    return y, methodcaller_pullback


def plain_call(f: operator.methodcaller) -> Any:
    """What `f` does, as a function that has no rule, so that an AD system looks into it."""

    def call_method(x: Any) -> Any:
        return f(x)

    return call_method
