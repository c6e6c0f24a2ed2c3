"""Rules for `itertools`: each gives the tuple of what the iterator would yield.

See `chainrules.rearrangements`, and what those functions share that call others: `chainrules.folds`.

The iterators that never end, ``count``, ``cycle`` and ``repeat`` without a number, have no rules.
"""

import itertools
import operator
from typing import Any

from chainrules.calling_back import function_cotangent, pull_calls
from chainrules.folds import fold, fold_back
from chainrules.iterables import held, item_tangents, iterable_cotangent, tuple_tangent
from chainrules.rearrangements import ALL, SECOND, rearrangement
from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    ProjectTo,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    rrule,
    rrule_via_ad,
    typeof_,
)

# --- Iterators that pick and arrange -----------------------------------------------------------------------


def by_items(choose: Any) -> Any:
    """Of an iterator that asks a function about each item, the one that asks it about the item of a place."""

    def route(predicate: Any, places: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(choose(lambda place: (predicate or bool)(place.item), places))

    return route


def all_of(arrange: Any) -> Any:
    """Of an iterator, the tuple of what it yields."""
    return lambda *args, **named: tuple(arrange(*args, **named))


rearrangement(itertools.chain, all_of(itertools.chain), ALL)
rearrangement(itertools.combinations, all_of(itertools.combinations))
rearrangement(itertools.combinations_with_replacement, all_of(itertools.combinations_with_replacement))
rearrangement(itertools.compress, all_of(itertools.compress))
rearrangement(itertools.dropwhile, by_items(itertools.dropwhile), SECOND)
rearrangement(itertools.filterfalse, by_items(itertools.filterfalse), SECOND)
rearrangement(itertools.islice, all_of(itertools.islice))
rearrangement(itertools.pairwise, all_of(itertools.pairwise))
rearrangement(itertools.permutations, all_of(itertools.permutations))
rearrangement(itertools.product, all_of(itertools.product), ALL)
rearrangement(itertools.takewhile, by_items(itertools.takewhile), SECOND)
rearrangement(itertools.zip_longest, all_of(itertools.zip_longest), ALL)

if hasattr(itertools, "batched"):  # since Python 3.12
    rearrangement(itertools.batched, all_of(itertools.batched))


@frule.dispatch
def repeat_frule(tangents: Any, f: typeof_(itertools.repeat), x: Any, times: int) -> Any:
    return (x,) * times, tuple_tangent(tuple, [tangents[1]] * max(times, 0))


@rrule.dispatch
def repeat_rrule(f: typeof_(itertools.repeat), x: Any, times: int) -> Any:
    project = ProjectTo(x)

    def repeat_pullback(y_bar: Any) -> Any:
        x_bar = sum(item_tangents(y_bar, max(times, 0)), start=ZeroTangent())
        return NoTangent(), project(x_bar), NoTangent()

    return (x,) * times, repeat_pullback


# --- accumulate --------------------------------------------------------------------------------------------


@frule.dispatch
def accumulate_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(itertools.accumulate),
    xs: Any,
    *g: Any,
    initial: Any = None,
) -> Any:
    start = () if initial is None else (initial,)
    items = tuple(xs)
    dots = [*(NoTangent() for _ in start), *item_tangents(tangents[1], len(items))]
    function, g_dot = (operator.add, NoTangent()) if not g or g[0] is None else (g[0], tangents[2])
    ys, y_dots = fold(config, function, g_dot, (*start, *items), dots)
    return tuple(ys), tuple_tangent(tuple, y_dots)


@rrule.dispatch
def accumulate_rrule(
    config: RuleConfig[HasReverseMode],
    f: typeof_(itertools.accumulate),
    xs: Any,
    *g: Any,
    initial: Any = None,
) -> Any:
    start = () if initial is None else (initial,)
    xs = held(xs)
    items = tuple(xs)
    function = operator.add if not g or g[0] is None else g[0]
    ys, pull = fold_back(config, function, (*start, *items))

    def accumulate_pullback(y_bar: Any) -> Any:
        g_bar, bars = pull(item_tangents(y_bar, len(ys)))
        return NoTangent(), iterable_cotangent(xs, items, bars[len(start) :]), *(g_bar for _ in g)

    return tuple(ys), accumulate_pullback


# --- starmap -----------------------------------------------------------------------------------------------


@frule.dispatch
def starmap_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_(itertools.starmap), g: Any, argss: Any
) -> Any:
    _, g_dot, argss_dot = tangents
    calls = [tuple(args) for args in argss]
    dots = [
        item_tangents(dot, len(call))
        for call, dot in zip(calls, item_tangents(argss_dot, len(calls)), strict=True)
    ]
    results = [frule_via_ad(config, (g_dot, *dot), g, *call) for call, dot in zip(calls, dots, strict=True)]
    return tuple(y for y, _ in results), tuple_tangent(tuple, [y_dot for _, y_dot in results])


@rrule.dispatch
def starmap_rrule(
    config: RuleConfig[HasReverseMode], f: typeof_(itertools.starmap), g: Any, argss: Any
) -> Any:
    argss = held(argss)
    rows = [held(args) for args in argss]
    calls = [tuple(args) for args in rows]
    results = [rrule_via_ad(config, g, *call) for call in calls]

    def starmap_pullback(y_bar: Any) -> Any:
        g_bar: Any = ZeroTangent()
        row_bars = []
        for (_, pullback), row, call, bar in zip(
            results, rows, calls, item_tangents(y_bar, len(rows)), strict=True
        ):
            own_bar, columns = pull_calls(g, [pullback], [bar], len(call))
            g_bar = g_bar + own_bar
            row_bars.append(iterable_cotangent(row, call, [column[0] for column in columns]))
        return NoTangent(), function_cotangent(g, g_bar), iterable_cotangent(argss, rows, row_bars)

    return tuple(y for y, _ in results), starmap_pullback
