"""Integrals of several functions at once over the same interval, as a function that has rules.

With ``I = ∫ g(t) dt`` from `a` to `b`: ``I_dot = ∫ g_dot(t) dt + g(b) b_dot - g(a) a_dot``, where ``g_dot``
is the tangent of the integrand at a fixed `t`; H. Flanders, "Differentiation under the integral sign",
American Mathematical Monthly 80, 1973. Of `points` where the integrand jumps, each that moves adds
``(g(p-) - g(p+)) p_dot``, as a limit of two integrals does: the jump is taken to move with its point.

The weights of QUADPACK are differentiated as they are: those with a singularity at a limit move with it,
``t = a + (b - a) s``; and of the principal value ``∫ g(t) / (t - c) dt`` the derivative by `c` is the one of
``∫ g(s + c) / s ds`` with limits that move, ``∫ g'(t) / (t - c) dt - g(b) / (b - c) + g(a) / (a - c)``.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from chainrules.numerics.integrals_at_once import pulled_at_once, pushed_at_once
from chainrules.numerics.integrals_of_vectors import (
    Domain,
    by_quadpack,
    first_estimates,
    on_finite_interval,
    point_within,
    with_ends,
)
from chainrules.numerics.jumps import jump_at
from chainrules.values.held_numbers import (
    Place,
    as_vector,
    cotangent_with,
    from_vector,
    noted_call,
    part_at,
    places_in,
)
from chainrules.values.iterables import item_tangents, no_cotangent, tuple_tangent, zeros_if_zero
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    NotImplementedTangent,
    ProjectTo,
    RuleConfig,
    Thunk,
    frule,
    frule_via_ad,
    is_complex,
    not_implemented,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
    unthunk,
)

# A function of one number.
Function = Callable[[Any], Any]

# The integrals by places with fewer numbers are computed together: a call of the integrand gives all of them.
FEW = 64


@primitive
def integrals(g: Function, *domain: Any) -> Any:
    """The integral of each component of a function from a number to a vector of real numbers.

    The places that QUADPACK begins with serve all components; it is asked for those that need more.

    Parameters
    ----------
    g
        The function; it is called once at each point that one of the components needs.
    *domain
        The fields of `Domain`.

    Raises
    ------
    NoDerivativeError
        If an integral does not converge.
    """
    known: dict[float, Any] = {}
    g, over = on_finite_interval(g, Domain(*domain))

    def values_at(t: float) -> Any:
        if t not in known:
            known[t] = g(t)
        return known[t]

    y, missing = first_estimates(values_at, len(values_at(point_within(over.a, over.b))), over)
    for i in missing:

        def component(t: float, i: int = i) -> Any:
            return values_at(t).item(i)

        y[i] = by_quadpack(component, over)
    return y


@frule.dispatch
def integrals_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_(integrals), g: Any, *domain: Any
) -> Any:
    """Move the integrand, the limits and the parameters of the weight."""
    _, g_dot, a_dot, b_dot, _, wvar_dot, _, points_dot = (*tangents, NO_TANGENT)[:8]
    y, _ = noted_call(g, "an integral", integrals, g, *domain)
    domain_dots = (a_dot, b_dot, wvar_dot, points_dot)
    return y, np.zeros_like(y) + pushed(config, (g_dot, ()), g, (), Domain(*domain), domain_dots)


@rrule.dispatch
def integrals_rrule(config: RuleConfig[HasReverseMode], f: typeof_(integrals), g: Any, *domain: Any) -> Any:
    """Pull a vector back to the integrand, the limits and the parameters of the weight."""
    y, check = noted_call(g, "an integral", integrals, g, *domain)

    def integrals_pullback(y_bar: Any) -> Any:
        check()
        g_bar, _, a_bar, b_bar, wvar_bar, points_bar = pulled(config, g, (), y_bar, Domain(*domain))
        bars = (g_bar, a_bar, b_bar, NO_TANGENT, wvar_bar, NO_TANGENT, points_bar, NO_TANGENT, NO_TANGENT)
        return NO_TANGENT, *bars[: 1 + len(domain)]

    return y, integrals_pullback


# --- Forwards ----------------------------------------------------------------------------------------------


def pushed(  # noqa: PLR0913, PLR0917 - an integral, its tangents, and a configuration
    config: Any,
    dots: tuple[Any, Any],
    f: Any,
    args: tuple[Any, ...],
    domain: Domain,
    domain_dots: Any,
    at_once: bool = False,
    of_complex: bool = False,
    divided: Any = None,
) -> Any:
    """The tangent of the integral of ``f(t, *args)``, as a vector; 0 where nothing moves.

    Parameters
    ----------
    config
        The configuration of the AD system.
    dots
        The tangents of `f` and of each of `args`.
    f, args, domain
        The integrand, and over what it is integrated.
    domain_dots
        The tangents of the limits, of the parameters of the weight, and of the points.
    at_once
        Whether to call the integrand with several places at once, if it can be; nothing must be traced.
    of_complex
        Whether the integral is complex, which an integrand may be at some places only.
    divided
        The intervals of `as_divided`, of an integral of this integrand.
    """
    still = (NO_TANGENT,) * len(args)

    def moved_at(t: Any) -> Any:
        y, y_dot = frule_via_ad(config, (dots[0], NO_TANGENT, *dots[1]), f, t, *args)
        return in_reals(y, y_dot, of_complex)

    def values_at(t: Any) -> Any:
        y, _ = frule_via_ad(config, (NO_TANGENT, NO_TANGENT, *still), f, t, *args)
        return in_reals(y, y, of_complex)

    def slopes_at(t: Any) -> Any:
        y, slope = frule_via_ad(config, (NO_TANGENT, 1.0, *still), f, t, *args)
        return in_reals(y, slope, of_complex)

    total: Any = 0.0
    if not all(isinstance(dot, AbstractZero) for dot in (dots[0], *dots[1])):
        y_dot = pushed_at_once(config, dots, f, args, domain, divided) if at_once else None
        finer = with_ends(domain, divided)
        total = integrals(moved_at, *finer) if y_dot is None else in_reals(y_dot, y_dot, of_complex)
    a_dot, b_dot, wvar_dot, points_dot = domain_dots
    ends = [x for x in (("a", a_dot), ("b", b_dot)) if np.isfinite(primal_of(getattr(domain, x[0])))]
    by_limit = partial(slope_by_limit, values_at, slopes_at, domain)
    by_parameter = partial(slope_by_parameter, values_at, slopes_at, domain)
    by_point = partial(jump_at, values_at, domain.a, domain.b, domain.points)
    slopes: list[tuple[Any, Callable[..., Any], Any]] = [(dot, by_limit, name) for name, dot in ends]
    slopes += [(dot, by_parameter, k) for k, dot in enumerate(parameter_tangents(domain.wvar, wvar_dot))]
    slopes += [(dot, by_point, k) for k, dot in enumerate(parameter_tangents(domain.points, points_dot))]
    for dot, slope, place in slopes:
        if not isinstance(dot, AbstractZero):
            total = total + dot * slope(place)
    return total


def in_reals(y: Any, y_dot: Any, of_complex: bool) -> Any:
    """The vector of the real numbers in a value or tangent of the integrand, whose value is `y`."""
    flat = np.reshape(zeros_if_zero(y, y_dot), -1)
    return np.concatenate([np.real(flat), np.imag(flat)]) if of_complex else flat


def parameter_tangents(wvar: Any, wvar_dot: Any) -> list[Any]:
    """The tangents of the parameters of a weight, or of points; of a number or nothing, its own."""
    return item_tangents(wvar_dot, len(wvar)) if hasattr(primal_of(wvar), "__len__") else [wvar_dot]


# --- Backwards ---------------------------------------------------------------------------------------------


def pulled(  # noqa: PLR0913, PLR0917 - an integral, its cotangent, and a configuration
    config: Any,
    f: Any,
    args: tuple[Any, ...],
    y_bar: Any,
    domain: Domain,
    at_once: bool = False,
    divided: Any = None,
) -> tuple[Any, ...]:
    """The cotangents of `f`, of `args`, of the limits, of the parameters of the weight, and of the points.

    Parameters
    ----------
    config
        The configuration of the AD system.
    f, args, domain
        The integrand is ``f(t, *args)``.
    y_bar
        The cotangent of the integral. Each part of the result is computed when it is wanted.
    at_once, divided
        Those of `pushed`.
    """

    def values_at(t: Any) -> Any:
        y, _ = rrule_via_ad(config, f, t, *args)
        return np.reshape(np.sum(np.real(np.conj(y) * y_bar)), 1)

    def slopes_at(t: Any) -> Any:
        _, pullback = rrule_via_ad(config, f, t, *args)
        return np.reshape(zeros_if_zero(t, pullback(y_bar)[1]), 1)

    def by_limit(name: str) -> Any:
        limit = getattr(domain, name)
        return ProjectTo(limit)(slope_by_limit(values_at, slopes_at, domain, name)[0])

    def by_parameter(place: int) -> Any:
        return slope_by_parameter(values_at, slopes_at, domain, place)[0]

    def by_point(place: int) -> Any:
        return jump_at(values_at, domain.a, domain.b, domain.points, place)[0]

    limit_bars = [
        no_cotangent(limit) if isinstance(limit, int) or np.isinf(primal_of(limit)) else Thunk(by_limit, name)
        for name, limit in (("a", domain.a), ("b", domain.b))
    ]
    wvar_bar: Any = no_cotangent(domain.wvar)
    if isinstance(domain.wvar, tuple | list):
        wvar_bar = tuple_tangent(type(domain.wvar), [Thunk(by_parameter, place) for place in (0, 1)])
    elif not isinstance(wvar_bar, NoTangent):
        wvar_bar = Thunk(by_parameter, 0)
    held_bars = pulled_at_once(config, f, args, y_bar, domain, divided) if at_once else None
    if held_bars is None:
        held_bars = pulled_into_integrand(config, f, args, y_bar, with_ends(domain, divided), at_once)
    return *held_bars, *limit_bars, wvar_bar, points_cotangent(domain.points, by_point)


def pulled_into_integrand(  # noqa: PLR0913, PLR0917 - those of `pulled`
    config: Any, f: Any, args: tuple[Any, ...], y_bar: Any, domain: Domain, is_plain: bool
) -> Any:
    """The cotangents of `f` and of `args`; one at the middle is used again if nothing is traced."""
    held = (f, args)
    places = places_in(held)
    if not places:
        return no_cotangent(f), no_cotangent(args)

    def cotangents_at(t: Any) -> Any:
        _, pullback = rrule_via_ad(config, f, t, *args)
        f_bar, _, *arg_bars = pullback(y_bar)
        return tuple_tangent(tuple, (f_bar, tuple_tangent(tuple, arg_bars)))

    middle = point_within(domain.a, domain.b)
    sample = cotangents_at(middle)

    def integrated(chosen: list[Place]) -> Any:
        def numbers_at(t: Any) -> Any:
            return as_vector(sample if is_plain and t == middle else cotangents_at(t), chosen)

        return integrals(numbers_at, *domain)

    places = [place for place in places if not isinstance(part_at(sample, place.path), NotImplementedTangent)]
    few = [place for place in places if place.size <= FEW]
    of_few = Thunk(integrated, few)
    parts: dict[Any, Any] = {
        place.path: Thunk(_one_of, of_few, few, place) if place in few else Thunk(_of_many, integrated, place)
        for place in places
    }
    bar = cotangent_with(held, sample, parts)
    return part_at(bar, (0,)), part_at(bar, (1,))


def _one_of(vector: Thunk, places: list[Place], place: Place) -> Any:
    before = sum(other.size for other in places[: places.index(place)])
    return from_vector(unthunk(vector)[before : before + place.size], place)


def _of_many(integrated: Callable[[list[Place]], Any], place: Place) -> Any:
    return from_vector(integrated([place]), place)


# --- By limits and parameters ------------------------------------------------------------------------------


def slope_by_limit(values_at: Function, slopes_at: Function, domain: Domain, name: str) -> Any:
    """The derivative of the integral of a vector by the limit with the name `a` or `b`.

    Parameters
    ----------
    values_at, slopes_at
        The integrand, and its derivative by its variable.
    domain, name
        Over what it is integrated, and the limit.
    """
    a, b, weight, wvar, *_ = domain
    limit, sign = (a, -1.0) if name == "a" else (b, 1.0)
    if weight is None or not weight.startswith("alg"):
        return sign * _weight_at(weight, wvar, limit) * values_at(limit)
    length, other = b - a, b if name == "a" else a
    log_terms = {"alg": (), "alg-loga": ("alg",), "alg-logb": ("alg",), "alg-log": ("alg-loga", "alg-logb")}
    stretched = (wvar[0] + wvar[1] + 1.0) * integrals(values_at, *domain)
    for lower in log_terms[weight]:
        stretched = stretched + integrals(values_at, *domain.with_weight(lower))
    moved = integrals(lambda t: slopes_at(t) * (t - other), *domain)
    return sign * (stretched + moved) / length


def _weight_at(weight: str | None, wvar: Any, t: Any) -> Any:
    if weight is None:
        return 1.0
    return 1.0 / (t - wvar) if weight == "cauchy" else (np.cos if weight == "cos" else np.sin)(wvar * t)


def slope_by_parameter(values_at: Function, slopes_at: Function, domain: Domain, place: int) -> Any:
    """The derivative of the integral of a vector by a parameter of the weight, the first or second one."""
    a, b, weight, c, *_ = domain
    if weight in {"cos", "sin"}:
        other, sign = ("sin", -1.0) if weight == "cos" else ("cos", 1.0)
        return sign * integrals(lambda t: values_at(t) * t, *domain.with_weight(other))
    if weight == "cauchy":
        return integrals(slopes_at, *domain) - values_at(b) / (b - c) + values_at(a) / (a - c)
    further = {
        ("alg", 0): "alg-loga",
        ("alg", 1): "alg-logb",
        ("alg-loga", 1): "alg-log",
        ("alg-logb", 0): "alg-log",
    }.get((str(weight), place))
    if further is None:
        return not_implemented(
            f"the weight {weight!r} of `quad` by its exponent {place}: a squared logarithm"
        )
    return integrals(values_at, *domain.with_weight(further))


def points_cotangent(points: Any, by_point: Callable[[int], Any]) -> Any:
    """The cotangent of the points, each computed when it is wanted."""
    if points is None or isinstance(no_cotangent(points), NoTangent):
        return NO_TANGENT
    if not isinstance(points, tuple | list):
        return Thunk(lambda: ProjectTo(points)(np.stack([by_point(place) for place in range(len(points))])))
    bars = [no_cotangent(x) if isinstance(x, int) else Thunk(by_point, k) for k, x in enumerate(points)]
    return tuple_tangent(type(points), bars)


def is_real_and_plain(x: Any) -> bool:
    """Whether a number is real, and neither traced nor a zero without a size."""
    return primal_of(x) is x and not isinstance(x, AbstractZero) and not is_complex(x)
