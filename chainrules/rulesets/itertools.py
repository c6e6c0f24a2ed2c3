"""Rules for `itertools`: each gives the tuple of the items that the iterator would yield.

See `chainrules.makers.rearrangements`, and `chainrules.formulas.calls.chained_calls` for the functions that
call others.

The iterators that never end, ``count``, ``cycle`` and ``repeat`` without a number, have no rules.
``groupby`` gives the tuple of its groups, each a tuple of the key and of the tuple of the items.
"""

import itertools
import operator
from collections.abc import Sequence
from typing import Any

from chainrules.formulas.calls.calling_back import function_cotangent, pull_calls
from chainrules.formulas.calls.chained_calls import pull_chain, push_chain
from chainrules.makers.rearrangements import ALL, SECOND, rearrangement
from chainrules.makers.versions import present
from chainrules.values.iterables import held, item_tangents, iterable_cotangent, tuple_tangent
from chainrules_core import (
    NO_TANGENT,
    HasForwardsMode,
    HasReverseMode,
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
    """The route of an iterator that asks a function about each item: it asks about the items of places."""

    def route(predicate, places):
        return tuple(choose(lambda place: (predicate or bool)(place.item), places))

    return route


def all_of(arrange: Any) -> Any:
    """The tuple of the items that an iterator yields."""
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

for _batched in present(itertools, "batched"):  # since Python 3.12
    rearrangement(_batched, all_of(_batched))


@frule.dispatch
def repeat_frule(tangents: Any, f: typeof_(itertools.repeat), x: Any, times: int):
    return (x,) * times, tuple_tangent(tuple, [tangents[1]] * max(times, 0))


@rrule.dispatch
def repeat_rrule(f: typeof_(itertools.repeat), x: Any, times: int):
    project = ProjectTo(x)

    def repeat_pullback(y_bar):
        x_bar = sum(item_tangents(y_bar, max(times, 0)), start=ZeroTangent())
        return NO_TANGENT, project(x_bar), NO_TANGENT

    return (x,) * times, repeat_pullback


# --- accumulate --------------------------------------------------------------------------------------------


@frule.dispatch
def accumulate_frule(  # noqa: PLR0913 - the signature of `itertools.accumulate`
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(itertools.accumulate),
    xs: Any,
    *g: Any,
    func: Any = None,
    initial: Any = None,
):
    start = () if initial is None else (initial,)
    items = tuple(xs)
    dots = [*(NO_TANGENT,) * len(start), *item_tangents(tangents[1], len(items))]
    function, g_dot = (g[0], tangents[2]) if g else (func, NO_TANGENT)
    function = operator.add if function is None else function
    ys, y_dots = push_chain(config, function, g_dot, (*start, *items), dots)
    return tuple(ys), tuple_tangent(tuple, y_dots)


@rrule.dispatch
def accumulate_rrule(
    config: RuleConfig[HasReverseMode],
    f: typeof_(itertools.accumulate),
    xs: Any,
    *g: Any,
    func: Any = None,
    initial: Any = None,
):
    start = () if initial is None else (initial,)
    xs = held(xs)
    items = tuple(xs)
    function = g[0] if g else func
    function = operator.add if function is None else function
    ys, pull = pull_chain(config, function, (*start, *items))

    def accumulate_pullback(y_bar):
        g_bar, bars = pull(item_tangents(y_bar, len(ys)))
        return NO_TANGENT, iterable_cotangent(xs, items, bars[len(start) :]), *(g_bar for _ in g)

    return tuple(ys), accumulate_pullback


# --- groupby -----------------------------------------------------------------------------------------------


@frule.dispatch
def groupby_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_(itertools.groupby), xs: Any, *key: Any
):
    items, function = tuple(xs), key_function(*key)
    dots = item_tangents(tangents[1], len(items))
    key_dot = tangents[2] if key else NO_TANGENT
    answers = [frule_via_ad(config, (key_dot, dot), function, x) for x, dot in zip(items, dots, strict=True)]
    keys = [answer[0] for answer in answers]
    groups = groups_of(keys)
    pairs = [(answers[places[0]][1], tuple_tangent(tuple, [dots[i] for i in places])) for places in groups]
    y_dot = tuple_tangent(tuple, [tuple_tangent(tuple, pair) for pair in pairs])
    return grouped(keys, items, groups), y_dot


@rrule.dispatch
def groupby_rrule(config: RuleConfig[HasReverseMode], f: typeof_(itertools.groupby), xs: Any, *key: Any):
    xs = held(xs)
    items, function = tuple(xs), key_function(*key)
    answers = [rrule_via_ad(config, function, x) for x in items]
    keys = [answer[0] for answer in answers]
    groups = groups_of(keys)

    def groupby_pullback(y_bar):
        pairs = [item_tangents(pair, 2) for pair in item_tangents(y_bar, len(groups))]
        pullbacks = [answers[places[0]][1] for places in groups]
        key_bar, (first_bars,) = pull_calls(function, pullbacks, [k_bar for k_bar, _ in pairs], 1)
        bars: list[Any] = []
        for places, first_bar, (_, group_bar) in zip(groups, first_bars, pairs, strict=True):
            first, *others = item_tangents(group_bar, len(places))
            bars += [first + first_bar, *others]
        return NO_TANGENT, iterable_cotangent(xs, items, bars), *(key_bar for _ in key)

    return grouped(keys, items, groups), groupby_pullback


def key_function(key: Any = None) -> Any:
    """The function from an item to its key; without one, the item is its own key."""
    return itself if key is None else key


def itself(x: Any) -> Any:
    return x


def grouped(keys: Sequence[Any], items: Sequence[Any], groups: list[list[int]]) -> tuple[Any, ...]:
    """For each group its key and its items."""
    return tuple((keys[places[0]], tuple(items[i] for i in places)) for places in groups)


def groups_of(keys: list[Any]) -> list[list[int]]:
    """The places of neighbours with equal keys; the key of the first is the key of the group."""
    return [list(places) for _, places in itertools.groupby(range(len(keys)), keys.__getitem__)]


# --- starmap -----------------------------------------------------------------------------------------------


@frule.dispatch
def starmap_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_(itertools.starmap), g: Any, argss: Any
):
    _, g_dot, argss_dot = tangents
    calls = [tuple(args) for args in argss]
    dots = [
        item_tangents(dot, len(call))
        for call, dot in zip(calls, item_tangents(argss_dot, len(calls)), strict=True)
    ]
    results = [frule_via_ad(config, (g_dot, *dot), g, *call) for call, dot in zip(calls, dots, strict=True)]
    return tuple(y for y, _ in results), tuple_tangent(tuple, [y_dot for _, y_dot in results])


@rrule.dispatch
def starmap_rrule(config: RuleConfig[HasReverseMode], f: typeof_(itertools.starmap), g: Any, argss: Any):
    argss = held(argss)
    rows = [held(args) for args in argss]
    calls = [tuple(args) for args in rows]
    results = [rrule_via_ad(config, g, *call) for call in calls]

    def starmap_pullback(y_bar):
        g_bar: Any = ZeroTangent()
        row_bars = []
        for (_, pullback), row, call, bar in zip(
            results, rows, calls, item_tangents(y_bar, len(rows)), strict=True
        ):
            own_bar, columns = pull_calls(g, [pullback], [bar], len(call))
            g_bar = g_bar + own_bar
            row_bars.append(iterable_cotangent(row, call, [column[0] for column in columns]))
        return NO_TANGENT, function_cotangent(g, g_bar), iterable_cotangent(argss, rows, row_bars)

    return tuple(y for y, _ in results), starmap_pullback
