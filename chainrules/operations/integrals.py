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
from typing import Any, NamedTuple

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
from chainrules.values.chosen_numbers import pull_of_numbers
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
    zero_tangent,
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
    still = (NO_TANGENT, (NO_TANGENT,) * len(args))

    def along(t: Any, t_dot: Any, held_dots: Any) -> tuple[Any, Any]:
        y, y_dot = frule_via_ad(config, (held_dots[0], t_dot, *held_dots[1]), f, t, *args)
        return y, y_dot

    def values_at(t: Any) -> Any:
        y, _ = along(t, NO_TANGENT, still)
        return in_reals(y, y, of_complex)

    def slopes_at(t: Any) -> Any:
        return in_reals(*along(t, 1.0, still), of_complex)

    def moved_at(t: Any) -> Any:
        return in_reals(*along(t, NO_TANGENT, dots), of_complex)

    total: Any = 0.0
    if not all(isinstance(dot, AbstractZero) for dot in (dots[0], *dots[1])):
        y_dot = pushed_at_once(config, dots, f, args, domain, divided) if at_once else None
        finer = with_ends(domain, divided)
        total = integrals(moved_at, *finer) if y_dot is None else in_reals(y_dot, y_dot, of_complex)
    slopes = Slopes(values_at, slopes_at, domain)
    for dot, slope, place in slopes.by_all(*domain_dots):
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

    zero = zero_tangent((f, args))
    held = places_in((f, args), zero), zero
    held_bars = pulled_at_once(config, f, args, held[0], y_bar, domain, divided) if at_once else None
    if held_bars is None:
        held_bars = pulled_into_integrand(config, f, args, held, y_bar, with_ends(domain, divided), at_once)
    return *held_bars, *Slopes(values_at, slopes_at, domain).cotangents()


def pulled_into_integrand(  # noqa: PLR0913, PLR0917 - those of `pulled`
    config: Any, f: Any, args: tuple[Any, ...], held: Any, y_bar: Any, domain: Domain, is_plain: bool
) -> Any:
    """The cotangents of `f` and of `args`, from the places and the zero of what they hold.

    The one at the middle is used again if nothing is traced, and what is not asked for is a constant then.
    """
    places, zero = held
    if not places:
        return no_cotangent(f), no_cotangent(args)

    def cotangents_at(t: Any) -> Any:
        _, pullback = rrule_via_ad(config, f, t, *args)
        f_bar, _, *arg_bars = pullback(y_bar)
        return tuple_tangent(tuple, (f_bar, tuple_tangent(tuple, arg_bars)))

    middle = point_within(domain.a, domain.b)
    sample = cotangents_at(middle)

    def integrated(chosen: list[Place]) -> Any:
        pull = pull_of_numbers(config, f, middle, args, chosen) if is_plain else None

        def numbers_at(t: Any) -> Any:
            if is_plain and t == middle:
                return as_vector(sample, chosen)
            return pull(t, y_bar) if pull else as_vector(cotangents_at(t), chosen)

        return integrals(numbers_at, *domain)

    places = [place for place in places if not isinstance(part_at(sample, place.path), NotImplementedTangent)]
    few = [place for place in places if place.size <= FEW]
    of_few = Thunk(integrated, few)
    parts: dict[Any, Any] = {
        place.path: Thunk(lambda place: from_vector(integrated([place]), place), place) for place in places
    }
    parts |= {place.path: Thunk(_one_of, of_few, few, place) for place in few}
    bar = cotangent_with((f, args), sample, parts, zero)
    return part_at(bar, (0,)), part_at(bar, (1,))


def _one_of(vector: Thunk, places: list[Place], place: Place) -> Any:
    before = sum(other.size for other in places[: places.index(place)])
    return from_vector(unthunk(vector)[before : before + place.size], place)


# --- By limits, parameters and points ----------------------------------------------------------------------


class Slopes(NamedTuple):
    """The derivatives of the integral of a vector by all but its integrand.

    Attributes
    ----------
    values_at, slopes_at
        The integrand, and its derivative by its variable.
    domain
        Over what it is integrated.
    """

    values_at: Function
    slopes_at: Function
    domain: Domain

    def by_all(self, a_dot: Any, b_dot: Any, wvar_dot: Any, points_dot: Any) -> list[Any]:
        """Each tangent, with the function that gives the derivative by its own, and with its place."""
        a, b, _, wvar, _, points, *_ = self.domain
        limits = (("a", a, a_dot), ("b", b, b_dot))
        return [
            *((dot, self.by_limit, name) for name, x, dot in limits if np.isfinite(primal_of(x))),
            *((dot, self.by_parameter, k) for k, dot in enumerate(parameter_tangents(wvar, wvar_dot))),
            *((dot, self.by_point, k) for k, dot in enumerate(parameter_tangents(points, points_dot))),
        ]

    def cotangents(self) -> tuple[Any, ...]:
        """Those of the limits, of the parameters of the weight and of the points, computed when wanted."""
        _, _, (a, b, _, wvar, _, points, *_) = self
        limit_bars = [
            no_cotangent(limit)
            if isinstance(limit, int) or np.isinf(primal_of(limit))
            else Thunk(lambda x, limit=limit: ProjectTo(limit)(self.by_limit(x)[0]), name)
            for name, limit in (("a", a), ("b", b))
        ]
        return *limit_bars, self.of_weight(wvar), self.of_points(points)

    def of_weight(self, wvar: Any) -> Any:
        """The cotangent of the parameters of the weight."""
        if isinstance(wvar, tuple | list):
            return tuple_tangent(type(wvar), [Thunk(lambda k: self.by_parameter(k)[0], k) for k in (0, 1)])
        wvar_bar = no_cotangent(wvar)
        return wvar_bar if isinstance(wvar_bar, NoTangent) else Thunk(lambda: self.by_parameter(0)[0])

    def of_points(self, points: Any) -> Any:
        """The cotangent of the points."""
        if points is None or isinstance(no_cotangent(points), NoTangent):
            return NO_TANGENT
        bars: list[Any] = [Thunk(lambda k: self.by_point(k)[0], k) for k in range(len(points))]
        if not isinstance(points, tuple | list):
            return Thunk(lambda: ProjectTo(points)(np.stack(list(map(unthunk, bars)))))
        bars = [no_cotangent(x) if isinstance(x, int) else bars[k] for k, x in enumerate(points)]
        return tuple_tangent(type(points), bars)

    def by_point(self, place: int) -> Any:
        """The derivative by a point, with which the jump there moves."""
        return jump_at(self.values_at, self.domain.a, self.domain.b, self.domain.points, place)

    def by_limit(self, name: str) -> Any:
        """The derivative by the limit with the name `a` or `b`."""
        values_at, slopes_at, domain = self
        a, b, weight, wvar, *_ = domain
        limit, other, sign = (a, b, -1.0) if name == "a" else (b, a, 1.0)
        if weight is None or not weight.startswith("alg"):
            return sign * weight_at(weight, wvar, limit) * values_at(limit)
        stretched = (wvar[0] + wvar[1] + 1.0) * integrals(values_at, *domain)
        logarithms = logarithms_in(weight)
        for x in logarithms:
            without = domain.with_weight(WEIGHTS[logarithms.replace(x, "")])
            stretched = stretched + integrals(values_at, *without)
        moved = integrals(lambda t: slopes_at(t) * (t - other), *domain)
        return sign * (stretched + moved) / (b - a)

    def by_parameter(self, place: int) -> Any:
        """The derivative by a parameter of the weight, the first or second one."""
        values_at, slopes_at, domain = self
        a, b, weight, c, *_ = domain
        if weight in {"cos", "sin"}:
            other, sign = ("sin", -1.0) if weight == "cos" else ("cos", 1.0)
            return sign * integrals(lambda t: values_at(t) * t, *domain.with_weight(other))
        if weight == "cauchy":
            return integrals(slopes_at, *domain) - values_at(b) / (b - c) + values_at(a) / (a - c)
        logarithms, own = logarithms_in(weight), "ab"[place]
        if own in logarithms:
            return not_implemented(
                f"the weight {weight!r} of `quad` by its exponent {place}: a squared logarithm"
            )
        return integrals(values_at, *domain.with_weight(WEIGHTS["".join(sorted(logarithms + own))]))


# The weights that are powers, by the limits the logarithm of whose distance they have as a factor.
WEIGHTS = {"": "alg", "a": "alg-loga", "b": "alg-logb", "ab": "alg-log"}


def logarithms_in(weight: str | None) -> str:
    """The limits the logarithm of whose distance a weight has as a factor, where it is one of powers."""
    return next(limits for limits, name in WEIGHTS.items() if name == weight)


def weight_at(weight: str | None, wvar: Any, t: Any) -> Any:
    """The weight at a place, where it has no singularity."""
    if weight is None:
        return 1.0
    return 1.0 / (t - wvar) if weight == "cauchy" else (np.cos if weight == "cos" else np.sin)(wvar * t)


def is_real_and_plain(x: Any) -> bool:
    """Whether a number is real, and neither traced nor a zero without a size."""
    return primal_of(x) is x and not isinstance(x, AbstractZero) and not is_complex(x)
