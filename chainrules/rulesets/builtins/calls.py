"""Rules for ``map``, which call back into AD for each item.

The result is a tuple of the items that the iterator would yield, see `chainrules.makers.rearrangements`.
"""

from typing import Any

from chainrules.formulas.calls.calling_back import pull_calls
from chainrules.values.iterables import held, item_tangents, iterable_cotangent, tuple_tangent
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
)


@frule.dispatch
def map_frule(config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_(map), g: Any, *iterables: Any):
    _, g_dot, *xs_dots = tangents
    columns = [tuple(xs) for xs in iterables]
    dots = [item_tangents(dot, len(column)) for dot, column in zip(xs_dots, columns, strict=True)]
    calls = zip(zip(*columns, strict=False), zip(*dots, strict=False), strict=True)
    results = [frule_via_ad(config, (g_dot, *x_dots), g, *xs) for xs, x_dots in calls]
    return tuple(y for y, _ in results), tuple_tangent(tuple, [y_dot for _, y_dot in results])


@rrule.dispatch
def map_rrule(config: RuleConfig[HasReverseMode], f: typeof_(map), g: Any, *iterables: Any):
    iterables = tuple(map(held, iterables))
    columns = [tuple(xs) for xs in iterables]
    results = [rrule_via_ad(config, g, *xs) for xs in zip(*columns, strict=False)]
    pullbacks = [pullback for _, pullback in results]

    def map_pullback(y_bar):
        g_bar, x_bars = pull_calls(g, pullbacks, item_tangents(y_bar, len(results)), len(columns))
        # The shortest iterable ends them all.
        unused = [[ZeroTangent()] * (len(column) - len(results)) for column in columns]
        bars = [used + rest for used, rest in zip(x_bars, unused, strict=True)]
        return NO_TANGENT, g_bar, *map(iterable_cotangent, iterables, columns, bars)

    return tuple(y for y, _ in results), map_pullback
