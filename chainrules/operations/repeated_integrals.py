"""Integrals over several variables, one inside the other, as a function that has rules.

Each is an integral over one variable, whose integrand is the integral over the variables before it, and
whose limits may depend on the variables after it: `chainrules.operations.integrals` has the equations.
"""

import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import scipy.integrate

from chainrules.numerics.integrals_of_vectors import Domain, as_divided
from chainrules.operations.integrals import is_real_and_plain, pulled, pushed
from chainrules.values.iterables import item_tangents, iterable_cotangent, no_cotangent, tuple_tangent
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    Tangent,
    ZeroTangent,
    frule,
    frule_via_ad,
    not_implemented,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
    unthunk,
)

quad = primitive(scipy.integrate.quad)


@primitive
def repeated_integral(f: Callable[..., Any], ranges: Any, args: Any, options: Any, *outer: Any) -> Any:
    """The integral of ``f(t0, t1, ..., *args)`` over its first variables.

    Parameters
    ----------
    f, args
        The integrand, and its arguments after the variables.
    ranges
        For each variable the limits, or a function that gives both: of the variables after it, and `args`.
        Each of two limits may be a function as well: of the variables after it, the last one first.
    options
        For each variable the keywords of `scipy.integrate.quad`, or a function that gives them.
    outer
        The last variables, which are not integrated over.
    """
    place = len(ranges) - len(outer) - 1
    if place < 0:
        return f(*outer, *args)
    limits = ranges[place]
    if callable(limits):
        limits = limits(*outer, *args)
    a, b = (limit(*reversed(outer)) if callable(limit) else limit for limit in limits)
    chosen = options_of(options[place], outer, args)
    return quad(integrand(f, ranges, args, options, outer), a, b, **chosen)[0]


def integrand(f: Any, ranges: Any, args: Any, options: Any, outer: Any) -> Callable[[Any], Any]:
    """The function that is integrated over the next variable."""
    return lambda t: repeated_integral(f, ranges, args, options, t, *outer)


def options_of(chosen: Any, outer: Any, args: Any) -> dict[str, Any]:
    """The keywords of `quad` for one variable."""
    if callable(chosen):
        chosen = chosen(*map(primal_of, outer), *map(primal_of, args))
    return {name: primal_of(x) for name, x in chosen.items()}


def by_options(options: Any) -> Any:
    """The cotangent of the options, and the tangent for one of theirs: tolerances are constants."""
    if any(callable(chosen) or not chosen.keys().isdisjoint(("wvar", "points")) for chosen in options):
        return not_implemented(
            "an integral over several variables by the points or the parameters of a weight"
        )
    return NO_TANGENT


def domain_of(limits: Any, chosen: dict[str, Any]) -> Domain:
    """Over what `quad` integrates."""
    options = {name: x for name, x in chosen.items() if name not in {"weight", "wvar", "points"}}
    a, b = limits
    return Domain(a, b, chosen.get("weight"), chosen.get("wvar"), options, chosen.get("points"))


def integrated(g: Any, limits: Any, chosen: dict[str, Any]) -> tuple[Any, Any]:
    """The integral over one variable, and the intervals of `as_divided`, in which its derivative is too."""
    if "weight" in chosen:
        return quad(g, *limits, **chosen)[0], None
    y, _, found, *problem = quad(g, *limits, **chosen | {"full_output": 1})
    if problem:
        warnings.warn(problem[0], scipy.integrate.IntegrationWarning, stacklevel=2)
    return y, as_divided(found)


def replaced(pair: Any, place: int, x: Any) -> Any:
    """The pair with another item at a place, in a container of its kind."""
    items = list(pair)
    items[place] = x
    return type(pair)(items)


@frule.dispatch
def repeated_integral_frule(  # noqa: PLR0913, PLR0917 - those of the function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    r: typeof_(repeated_integral),
    f: Any,
    ranges: Any,
    args: Any,
    options: Any,
    *outer: Any,
) -> Any:
    """Move the limits of the integral over the last variable that is left, and its integrand."""
    _, f_dot, ranges_dot, args_dot, options_dot, *outer_dots = tangents
    place = len(ranges) - len(outer) - 1
    arg_dots = item_tangents(args_dot, len(args))
    if place < 0:
        return frule_via_ad(config, (f_dot, *outer_dots, *arg_dots), f, *outer, *args)
    limits, range_dot = ranges[place], item_tangents(ranges_dot, len(ranges))[place]
    if callable(limits):
        limits, range_dot = frule_via_ad(config, (range_dot, *outer_dots, *arg_dots), limits, *outer, *args)
    dots = item_tangents(range_dot, 2)
    for i, limit in enumerate(limits):
        if callable(limit):
            moved = frule_via_ad(config, (dots[i], *reversed(outer_dots)), limit, *reversed(outer))
            limits, dots = replaced(limits, i, moved[0]), replaced(dots, i, moved[1])
    g, chosen = integrand(f, ranges, args, options, outer), options_of(options[place], outer, args)
    y, divided = integrated(g, limits, chosen)
    missing = by_options(options)
    if not isinstance(missing, AbstractZero) and not isinstance(options_dot, AbstractZero):
        return y, missing
    g_dot = Tangent[FunctionType](
        f=f_dot, ranges=ranges_dot, args=args_dot, options=options_dot, outer=tuple_tangent(tuple, outer_dots)
    )
    domain, domain_dots = domain_of(limits, chosen), (*dots, NO_TANGENT, NO_TANGENT)
    at_once = place == 0 and is_real_and_plain(y)
    y_dot = pushed(config, (g_dot, ()), g, (), domain, domain_dots, at_once, divided=divided) + np.zeros(1)
    return y, y_dot[0]


@rrule.dispatch
def repeated_integral_rrule(  # noqa: PLR0913, PLR0917 - those of the function
    config: RuleConfig[HasReverseMode],
    r: typeof_(repeated_integral),
    f: Any,
    ranges: Any,
    args: Any,
    options: Any,
    *outer: Any,
) -> Any:
    """Pull back to the limits of the integral over the last variable that is left, and to its integrand."""
    place = len(ranges) - len(outer) - 1
    if place < 0:
        return pull_integrand(config, f, ranges, args, outer)
    limits, pull_limits = pull_range(config, ranges[place], outer, args)
    chosen = options_of(options[place], outer, args)
    g, domain = integrand(f, ranges, args, options, outer), domain_of(limits, chosen)
    y, divided = integrated(g, limits, chosen)

    def repeated_integral_pullback(y_bar: Any) -> Any:
        at_once = place == 0 and is_real_and_plain(y) and is_real_and_plain(y_bar)
        g_bar, _, *limit_bars, _, _ = pulled(config, g, (), y_bar, domain, at_once, divided)
        if isinstance(g_bar, AbstractZero):
            g_bar = Tangent[FunctionType]()
        range_bar, bars = pull_limits(limit_bars)
        outer_bar = g_bar.outer + tuple_tangent(tuple, bars[: len(outer)])
        args_bar = g_bar.args + tuple_tangent(tuple, bars[len(outer) :])
        own_bars = [range_bar if i == place else no_cotangent(x) for i, x in enumerate(ranges)]
        ranges_bar = g_bar.ranges + iterable_cotangent(ranges, ranges, own_bars)
        outer_bars = item_tangents(outer_bar, len(outer))
        return NO_TANGENT, g_bar.f, ranges_bar, args_bar, by_options(options), *outer_bars

    return y, repeated_integral_pullback


def pull_integrand(config: Any, f: Any, ranges: Any, args: Any, outer: Any) -> Any:
    """The integrand, where all variables are given, and its pullback."""
    y, pull = rrule_via_ad(config, f, *outer, *args)

    def integrand_pullback(y_bar: Any) -> Any:
        f_bar, *bars = pull(y_bar)
        args_bar = tuple_tangent(tuple, bars[len(outer) :])
        return NO_TANGENT, f_bar, no_cotangent(ranges), args_bar, NO_TANGENT, *bars[: len(outer)]

    return y, integrand_pullback


def pull_range(config: Any, limits: Any, outer: Any, args: Any) -> Any:
    """The two limits, and the pullback to what gives them, and to each of `outer` and of `args`."""
    if callable(limits):
        found, pull = rrule_via_ad(config, limits, *outer, *args)

        def range_pullback(limit_bars: list[Any]) -> Any:
            range_bar, *bars = pull(iterable_cotangent(found, found, [unthunk(bar) for bar in limit_bars]))
            return range_bar, bars

        return found, range_pullback

    results = [rrule_via_ad(config, x, *reversed(outer)) if callable(x) else (x, None) for x in limits]

    def limits_pullback(limit_bars: list[Any]) -> Any:
        own_bars, bars = list(limit_bars), [ZeroTangent()] * (len(outer) + len(args))
        for i, (_, pull) in enumerate(results):
            if pull is not None:
                own_bars[i], *pulled_back = pull(unthunk(limit_bars[i]))
                for j, bar in enumerate(reversed(pulled_back)):
                    bars[j] = bars[j] + bar
        return iterable_cotangent(limits, limits, own_bars), bars

    return [y for y, _ in results], limits_pullback
