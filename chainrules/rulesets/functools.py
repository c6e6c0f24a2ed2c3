"""Rules for ``reduce``, and for partials: made and called.

Rules give no tangents for keywords. So a number or an array that a partial holds by keyword is moved to its
place among the positional arguments of the function. If it has no such place there is no rule, and an AD
system looks into the function.
"""

import functools
import inspect
from typing import Any

from chainrules.formulas.calls.chained_calls import pull_chain, push_chain
from chainrules.values.iterables import (
    dict_tangent,
    held,
    item_tangents,
    iterable_cotangent,
    no_cotangent,
    tuple_tangent,
)
from chainrules_core import (
    NO_TANGENT,
    AbstractArray,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    ProjectTo,
    RuleConfig,
    RuleNotFoundError,
    Tangent,
    ZeroTangent,
    backing,
    bind_keywords,
    field_names,
    frule,
    frule_via_ad,
    non_differentiable,
    primal_of,
    rrule,
    rrule_via_ad,
    typeof_,
)

non_differentiable(functools.cmp_to_key)  # keys are for sorting

# --- reduce ------------------------------------------------------------------------------------------------


@frule.dispatch
def reduce_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(functools.reduce),
    g: Any,
    xs: Any,
    *initial: Any,
):
    _, g_dot, xs_dot, *initial_dot = tangents
    items = tuple(xs)
    dots = item_tangents(xs_dot, len(items))
    check_not_empty(g, (*initial, *items))
    ys, y_dots = push_chain(config, g, g_dot, (*initial, *items), (*initial_dot, *dots))
    return ys[-1], y_dots[-1]


@rrule.dispatch
def reduce_rrule(
    config: RuleConfig[HasReverseMode], f: typeof_(functools.reduce), g: Any, xs: Any, *initial: Any
):
    xs = held(xs)
    items = tuple(xs)
    check_not_empty(g, (*initial, *items))
    ys, pull = pull_chain(config, g, (*initial, *items))

    def reduce_pullback(y_bar):
        g_bar, bars = pull([*(ZeroTangent() for _ in ys[1:]), y_bar])
        own, rest = bars[: len(initial)], bars[len(initial) :]
        return NO_TANGENT, g_bar, iterable_cotangent(xs, items, rest), *own

    return ys[-1], reduce_pullback


def check_not_empty(g: Any, items: tuple[Any, ...]) -> None:
    if not items:
        functools.reduce(g, items)  # Python's own error


# --- partial, made -----------------------------------------------------------------------------------------


@frule.dispatch
def partial_frule(tangents: Any, f: typeof_(functools.partial), g: Any, *args: Any, **named: Any):
    if isinstance(g, functools.partial):  # whose arguments would be joined with these
        return None
    _, g_dot, *arg_dots = tangents
    held_dots = tuple_tangent(tuple, arg_dots)
    return functools.partial(g, *args, **named), Tangent[functools.partial](func=g_dot, args=held_dots)


@rrule.dispatch
def partial_rrule(f: typeof_(functools.partial), g: Any, *args: Any, **named: Any):
    if isinstance(g, functools.partial):
        return None
    project_g, project_args = ProjectTo(g), ProjectTo(args)

    def partial_pullback(y_bar):
        return NO_TANGENT, project_g(y_bar.func), *item_tangents(project_args(y_bar.args), len(args))

    return functools.partial(g, *args, **named), partial_pullback


# --- partial, called ---------------------------------------------------------------------------------------


@frule.dispatch
def call_of_partial_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: functools.partial, *args: Any, **named: Any
):
    f_dot, *arg_dots = tangents
    call = bound_call(f, args, named)
    if call is None:
        return None
    bound, rest, places = call
    dots = [*item_tangents(f_dot.args, len(f.args)), *arg_dots]
    dots += [no_cotangent(x) for x in bound[len(dots) :]]
    for name, place in places.items():
        dots[place] = f_dot.keywords[name]
    return frule_via_ad(config, (f_dot.func, *dots), f.func, *bound, **rest)


@rrule.dispatch
def call_of_partial_rrule(config: RuleConfig[HasReverseMode], f: functools.partial, *args: Any, **named: Any):
    call = bound_call(f, args, named)
    if call is None:
        return None
    bound, rest, places = call
    y, pullback = rrule_via_ad(config, f.func, *bound, **rest)

    def partial_pullback(y_bar):
        func_bar, *bars = pullback(y_bar)
        args_bar = iterable_cotangent(f.args, f.args, bars[: len(f.args)])
        f_bar = held_cotangent(func_bar, args_bar, {name: bars[place] for name, place in places.items()})
        return f_bar, *bars[len(f.args) : len(f.args) + len(args)]

    return y, partial_pullback


def held_cotangent(func_bar: Any, args_bar: Any, keyword_bars: dict[str, Any]) -> Any:
    """The cotangent of a partial; `NoTangent` if nothing that it holds has one."""
    bars = {"func": func_bar, "args": args_bar}
    if keyword_bars:
        bars["keywords"] = dict_tangent(dict, keyword_bars)
    fields = {name: bar for name, bar in bars.items() if not isinstance(bar, AbstractZero)}
    if fields:
        return Tangent[functools.partial](**fields)
    return NO_TANGENT if all(isinstance(bar, NoTangent) for bar in bars.values()) else ZeroTangent()


def bound_call(
    f: functools.partial, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], dict[str, int]] | None:
    """The call that a partial makes, and the places to which its keywords were moved.

    `None` if a keyword has no place.
    """
    varying = [x for name, x in f.keywords.items() if name not in named and may_vary(x)]
    keywords = {**f.keywords, **named}
    try:
        bound, rest = bind_keywords(
            f.func, (*f.args, *args), keywords, lambda x: any(x is held for held in varying)
        )
    except RuleNotFoundError:
        return None
    moved = [name for name in f.keywords if name not in rest and name not in named]
    order = list(inspect.signature(f.func).parameters) if moved else []
    return bound, rest, {name: order.index(name) for name in moved}


def may_vary(x: Any) -> bool:
    """Whether a value is, or holds, a real or complex number or array."""
    primal = primal_of(x)
    if isinstance(primal, AbstractArray):
        return primal.dtype.kind in "fc"
    if isinstance(primal, int):
        return False
    return isinstance(primal, float | complex) or any(map(may_vary, _held_parts(primal)))


def _held_parts(x: Any) -> list[Any]:
    names = field_names(x)
    fields = backing(x) if names else {}
    return [fields[name] for name in names if fields[name] is not x]
