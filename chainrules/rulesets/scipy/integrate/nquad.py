"""Rules for integrals over several variables, which are integrals one inside the other.

The integral has a derivative; the estimate of its error, and what `full_output` adds, are constants.
"""

from typing import Any

import scipy.integrate

from chainrules.operations.repeated_integrals import by_options, repeated_integral
from chainrules.values.held_numbers import check_of_changes
from chainrules.values.iterables import item_tangents, tuple_tangent
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

dblquad = primitive(scipy.integrate.dblquad)
tplquad = primitive(scipy.integrate.tplquad)
nquad = primitive(scipy.integrate.nquad)

TOLERANCE = 1.49e-8  # SciPy's


def tangent_of(result: Any, y_dot: Any) -> Any:
    """The tangent of a result, of which all but the integral is constant."""
    return tuple_tangent(tuple, (y_dot, *(NO_TANGENT for _ in result[1:])))


# --- dblquad -----------------------------------------------------------------------------------------------


@frule.dispatch
def dblquad_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    d: typeof_(scipy.integrate.dblquad),
    f: Any,
    a: Any,
    b: Any,
    gfun: Any,
    hfun: Any,
    args: Any = (),
    epsabs: Any = TOLERANCE,
    epsrel: Any = TOLERANCE,
):
    _, f_dot, a_dot, b_dot, g_dot, h_dot, *rest = tangents
    y_dot = push_repeated(
        config,
        (f_dot, [(g_dot, h_dot), (a_dot, b_dot)], rest[0] if rest else NO_TANGENT),
        (f, [(gfun, hfun), (a, b)], args),
        {"epsabs": epsabs, "epsrel": epsrel},
    )
    result = dblquad(f, a, b, gfun, hfun, args, epsabs, epsrel)
    return result, tangent_of(result, y_dot)


@rrule.dispatch
def dblquad_rrule(  # noqa: PLR0913, PLR0917 - those of SciPy's function
    config: RuleConfig[HasReverseMode],
    d: typeof_(scipy.integrate.dblquad),
    f: Any,
    a: Any,
    b: Any,
    gfun: Any,
    hfun: Any,
    *further: Any,
    **named: Any,
):
    args, options = further_arguments(further, named)
    pull = pull_repeated(config, (f, [(gfun, hfun), (a, b)], args), options)

    def dblquad_pullback(y_bar):
        f_bar, ((g_bar, h_bar), (a_bar, b_bar)), args_bar = pull(y_bar[0])
        bars = (args_bar, NO_TANGENT, NO_TANGENT)[: len(further)]
        return NO_TANGENT, f_bar, a_bar, b_bar, g_bar, h_bar, *bars

    return dblquad(f, a, b, gfun, hfun, *further, **named), dblquad_pullback


# --- tplquad -----------------------------------------------------------------------------------------------


@frule.dispatch
def tplquad_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    d: typeof_(scipy.integrate.tplquad),
    f: Any,
    a: Any,
    b: Any,
    gfun: Any,
    hfun: Any,
    qfun: Any,
    rfun: Any,
    args: Any = (),
    epsabs: Any = TOLERANCE,
    epsrel: Any = TOLERANCE,
):
    _, f_dot, a_dot, b_dot, g_dot, h_dot, q_dot, r_dot, *rest = tangents
    y_dot = push_repeated(
        config,
        (f_dot, [(q_dot, r_dot), (g_dot, h_dot), (a_dot, b_dot)], rest[0] if rest else NO_TANGENT),
        (f, [(qfun, rfun), (gfun, hfun), (a, b)], args),
        {"epsabs": epsabs, "epsrel": epsrel},
    )
    result = tplquad(f, a, b, gfun, hfun, qfun, rfun, args, epsabs, epsrel)
    return result, tangent_of(result, y_dot)


@rrule.dispatch
def tplquad_rrule(  # noqa: PLR0913, PLR0917 - those of SciPy's function
    config: RuleConfig[HasReverseMode],
    d: typeof_(scipy.integrate.tplquad),
    f: Any,
    a: Any,
    b: Any,
    gfun: Any,
    hfun: Any,
    qfun: Any,
    rfun: Any,
    *further: Any,
    **named: Any,
):
    args, options = further_arguments(further, named)
    pull = pull_repeated(config, (f, [(qfun, rfun), (gfun, hfun), (a, b)], args), options)

    def tplquad_pullback(y_bar):
        f_bar, ((q_bar, r_bar), (g_bar, h_bar), (a_bar, b_bar)), args_bar = pull(y_bar[0])
        bars = (args_bar, NO_TANGENT, NO_TANGENT)[: len(further)]
        return NO_TANGENT, f_bar, a_bar, b_bar, g_bar, h_bar, q_bar, r_bar, *bars

    return tplquad(f, a, b, gfun, hfun, qfun, rfun, *further, **named), tplquad_pullback


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
    result = nquad(f, ranges, args, opts, full_output)
    _, f_dot, ranges_dot, *rest = tangents
    args_dot, options_dot = [*rest, NO_TANGENT, NO_TANGENT][:2]
    if not isinstance(args, tuple) and not isinstance(args_dot, AbstractZero):
        args_dot = tuple_tangent(tuple, (args_dot,))
    if isinstance(opts, dict) and not isinstance(options_dot, AbstractZero):
        options_dot = tuple_tangent(list, [options_dot] * len(ranges))
    integral = (f, ranges, as_tuple(args), options_of(opts, len(ranges)))
    dots = (NO_TANGENT, f_dot, ranges_dot, args_dot, options_dot)
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
    result = nquad(f, ranges, *further, **named)
    _, pull = rrule_via_ad(config, repeated_integral, f, ranges, args, options)
    check = check_of_changes((f, ranges, args), "scipy.integrate.nquad")

    def nquad_pullback(y_bar):
        check()
        _, f_bar, ranges_bar, args_bar, _ = pull(y_bar[0])
        further_bars = [NO_TANGENT for _ in further]
        if len(further) > 1:
            further_bars[1] = by_options(options)
        if further and further[0] is not None:
            further_bars[0] = args_bar if isinstance(further[0], tuple) else item_tangents(args_bar, 1)[0]
        return NO_TANGENT, f_bar, ranges_bar, *further_bars

    return result, nquad_pullback


def options_of(opts: Any, depth: int) -> list[Any]:
    """The keywords of `quad` for each variable."""
    if opts is None:
        return [{}] * depth
    return [opts] * depth if isinstance(opts, dict) or callable(opts) else list(opts)


def as_tuple(args: Any) -> tuple[Any, ...]:
    """The arguments of the integrand after its variables."""
    if args is None:
        return ()
    return args if isinstance(args, tuple) else (args,)


# --- Limits that are numbers or functions ------------------------------------------------------------------


def further_arguments(further: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The arguments of the integrand after its variables, and the keywords of `quad` for each variable."""
    names = ("args", "epsabs", "epsrel")
    given = (
        {"args": (), "epsabs": TOLERANCE, "epsrel": TOLERANCE}
        | dict(zip(names, further, strict=False))
        | named
    )
    return given.pop("args"), given


def push_repeated(config: Any, dots: Any, integral: Any, options: dict[str, Any]) -> Any:
    """The tangent of a repeated integral, with pairs for the tangents of its limits."""
    f, ranges, args = integral
    f_dot, range_dots, args_dot = dots
    ranges_dot = tuple_tangent(list, [tuple_tangent(tuple, pair) for pair in range_dots])
    all_dots = (NO_TANGENT, f_dot, ranges_dot, args_dot, NO_TANGENT)
    return frule_via_ad(config, all_dots, repeated_integral, f, ranges, args, [options] * len(ranges))[1]


def pull_repeated(config: Any, integral: Any, options: dict[str, Any]) -> Any:
    """The pullback of a repeated integral, which returns pairs for the cotangents of its limits."""
    f, ranges, args = integral
    _, pull = rrule_via_ad(config, repeated_integral, f, ranges, args, [options] * len(ranges))
    check = check_of_changes((f, ranges, args), "an integral over several variables")

    def pull_integral(y_bar: Any) -> Any:
        check()
        _, f_bar, ranges_bar, args_bar, _ = pull(y_bar)
        pairs = [item_tangents(pair_bar, 2) for pair_bar in item_tangents(ranges_bar, len(ranges))]
        return f_bar, pairs, args_bar

    return pull_integral
