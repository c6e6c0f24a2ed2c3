"""Rules for integrals over several variables, which are integrals one inside the other.

The integral has a derivative; the estimate of its error, and what `full_output` adds, are constants.
"""

from typing import Any

import scipy.integrate

from chainrules.operations.repeated_integrals import by_options, repeated_integral
from chainrules.values.callee_unions import typeof_any
from chainrules.values.held_numbers import noted_call
from chainrules.values.iterables import item_tangents, iterable_cotangent, tuple_tangent
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    frule,
    frule_via_ad,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
)

nquad = primitive(scipy.integrate.nquad)


def tangent_of(result: Any, y_dot: Any) -> Any:
    """The tangent of a result, of which all but the integral is constant."""
    return tuple_tangent(tuple, (y_dot, *(NO_TANGENT for _ in result[1:])))


# --- dblquad and tplquad -----------------------------------------------------------------------------------

# The functions that limit the inner variables, in their order.
LIMITS = {
    scipy.integrate.dblquad: ("gfun", "hfun"),
    scipy.integrate.tplquad: ("gfun", "hfun", "qfun", "rfun"),
}
OPTIONS: dict[str, Any] = {"args": (), "epsabs": 1.49e-8, "epsrel": 1.49e-8}  # SciPy's


@frule.dispatch
def repeated_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's functions, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    q: typeof_any(tuple(LIMITS)),
    f: Any,
    a: Any,
    b: Any,
    *further: Any,
    **named: Any,
):
    _, f_dot, *limit_dots = tangents[:4]
    ranges, args, options = integral_of(q, (a, b), further, named)
    number = len(LIMITS[q])
    *inner_dots, args_dot = (*tangents[4:], *(NO_TANGENT,) * (number + 1))[: number + 1]
    range_dots = ranges_of(limit_dots, inner_dots)
    ranges_dot = tuple_tangent(list, [tuple_tangent(tuple, pair) for pair in range_dots])
    all_dots = (NO_TANGENT, f_dot, ranges_dot, as_tuple_tangent(args_dot, args), NO_TANGENT)
    result, _ = noted_call(
        (f, ranges, args), f"scipy.integrate.{q.__name__}", primitive(q), f, a, b, *further, **named
    )
    _, y_dot = frule_via_ad(config, all_dots, repeated_integral, f, ranges, args, options)
    return result, tangent_of(result, y_dot)


@rrule.dispatch
def repeated_rrule(
    config: RuleConfig[HasReverseMode],
    q: typeof_any(tuple(LIMITS)),
    f: Any,
    a: Any,
    b: Any,
    *further: Any,
    **named: Any,
):
    ranges, args, options = integral_of(q, (a, b), further, named)
    result, check = noted_call(
        (f, ranges, args), f"scipy.integrate.{q.__name__}", primitive(q), f, a, b, *further, **named
    )
    _, pull = rrule_via_ad(config, repeated_integral, f, ranges, args, options)

    def repeated_pullback(y_bar):
        check()
        _, f_bar, ranges_bar, args_bar, _ = pull(y_bar[0])
        *inner, outer = (item_tangents(pair, 2) for pair in item_tangents(ranges_bar, len(ranges)))
        bars = [bar for pair in reversed(inner) for bar in pair]
        args_bars = [pulled_to(given, args, args_bar) for given in further[len(bars) :][:1]]
        further_bars = (*bars, *args_bars, NO_TANGENT, NO_TANGENT)[: len(further)]
        return NO_TANGENT, f_bar, *outer, *further_bars

    return result, repeated_pullback


def integral_of(q: Any, outer: Any, further: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The limits of all variables, the innermost first; what the integrand takes after them; and options."""
    given = OPTIONS | dict(zip((*LIMITS[q], *OPTIONS), further, strict=False)) | named
    ranges = ranges_of(outer, [given[name] for name in LIMITS[q]])
    options = {name: given[name] for name in ("epsabs", "epsrel")}
    return ranges, as_tuple(given["args"]), [options] * len(ranges)


def ranges_of(outer: Any, inner: list[Any]) -> list[Any]:
    """Pairs of what belongs to limits, the innermost first."""
    pairs = [tuple(outer), *zip(inner[::2], inner[1::2], strict=True)]
    return pairs[::-1]


# --- nquad -------------------------------------------------------------------------------------------------


@frule.dispatch
def nquad_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    d: typeof_(scipy.integrate.nquad),
    f: Any,
    ranges: Any,
    args: Any = None,
    opts: Any = None,
    full_output: Any = False,
):
    call = (nquad, f, ranges, args, opts, full_output)
    result, _ = noted_call((f, ranges, args), "scipy.integrate.nquad", *call)
    _, f_dot, ranges_dot, *rest = tangents
    args_dot, options_dot = [*rest, NO_TANGENT, NO_TANGENT][:2]
    if isinstance(opts, dict) and not isinstance(options_dot, AbstractZero):
        options_dot = tuple_tangent(list, [options_dot] * len(ranges))
    items = as_tuple(args)
    integral = (f, ranges, items, options_of(opts, len(ranges)))
    dots = (NO_TANGENT, f_dot, ranges_dot, as_tuple_tangent(args_dot, items), options_dot)
    _, y_dot = frule_via_ad(config, dots, repeated_integral, *integral)
    return result, tangent_of(result, y_dot)


@rrule.dispatch
def nquad_rrule(
    config: RuleConfig[HasReverseMode],
    d: typeof_(scipy.integrate.nquad),
    f: Any,
    ranges: Any,
    *further: Any,
    **named: Any,
):
    given = dict(zip(("args", "opts"), further, strict=False)) | named
    args, options = as_tuple(given.get("args")), options_of(given.get("opts"), len(ranges))
    held = (f, ranges, args)
    result, check = noted_call(held, "scipy.integrate.nquad", nquad, f, ranges, *further, **named)
    _, pull = rrule_via_ad(config, repeated_integral, f, ranges, args, options)

    def nquad_pullback(y_bar):
        check()
        _, f_bar, ranges_bar, args_bar, _ = pull(y_bar[0])
        further_bars = [NO_TANGENT for _ in further]
        if len(further) > 1:
            further_bars[1] = by_options(options)
        if further and further[0] is not None:
            further_bars[0] = pulled_to(further[0], args, args_bar)
        return NO_TANGENT, f_bar, ranges_bar, *further_bars

    return result, nquad_pullback


def options_of(opts: Any, depth: int) -> list[Any]:
    """The keywords of `quad` for each variable."""
    if opts is None:
        return [{}] * depth
    return [opts] * depth if isinstance(opts, dict) or callable(opts) else list(opts)


def as_tuple(args: Any) -> tuple[Any, ...]:
    """The arguments of the integrand after its variables."""
    return () if args is None else tuple(args)


def as_tuple_tangent(args_dot: Any, args: tuple[Any, ...]) -> Any:
    """The tangent of a tuple, from the one of any sequence with its items."""
    return tuple_tangent(tuple, item_tangents(args_dot, len(args)))


def pulled_to(given: Any, args: tuple[Any, ...], args_bar: Any) -> Any:
    """The cotangent of the sequence that was given, from the one of the tuple of its items."""
    return iterable_cotangent(given, args, item_tangents(args_bar, len(args)))
