"""Derivatives of an integral from the values of its integrand at a few places, all in one call.

Over the whole interval, or each part between the `points`, the rule of Kronrod is taken and the one of Gauss,
which is less exact. Where they differ by more than the tolerance, or where the integrand cannot be called
with many places at once, there is no answer, and `chainrules.operations.integrals` asks QUADPACK.

An integrand of vectors is called at each of the places that QUADPACK begins with, bit for bit, and the error
of each component is estimated as there. R. Piessens, E. de Doncker-Kapenga, C. W. Überhuber, D. K. Kahaner,
"QUADPACK", Springer 1983, section 2.2.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.integrate

from chainrules.numerics.kronrod import Rule, kronrod
from chainrules.numerics.many_points import Points, TooManyPointsError
from chainrules.values.held_numbers import as_vector, places_in
from chainrules.values.iterables import tuple_tangent
from chainrules_core import NO_TANGENT, DerivativeNotImplementedError, primal_of, unthunk

# As in the rule that QUADPACK takes: 21 places; it has 15 on an infinite interval, which do for a smooth
# integrand on a finite one too.
GAUSSIAN_PLACES, FEWER = 10, 7
TOLERANCES = {"epsabs": 1.49e-8, "epsrel": 1.49e-8}  # SciPy's


def places_over(domain: Any) -> Rule | None:
    """The places in an interval, or in its parts; `None` if it is infinite, or the weight is not 1."""
    if domain.weight is not None or not all(np.isfinite(primal_of(x)) for x in (domain.a, domain.b)):
        return None
    ends = ends_of_parts(domain)
    return kronrod(GAUSSIAN_PLACES).on(np.stack([ends[:-1], ends[1:]], axis=1))


def ends_of_parts(domain: Any) -> list[float]:
    """The ends of a finite interval, and the points in it, in their order."""
    a, b = (float(primal_of(x)) for x in (domain.a, domain.b))
    points = [] if domain.points is None else [float(primal_of(x)) for x in domain.points]
    within = [x for x in np.unique(points) if min(a, b) < x < max(a, b)]
    return [a, *(within if a < b else within[::-1]), b]


def agree(x: Any, y: Any, scale: Any, options: dict[str, Any]) -> bool:
    """Whether two rules agree as far as the tolerance asks."""
    allowed = np.maximum(options["epsabs"] * np.max(np.abs(scale)), options["epsrel"] * np.abs(x))
    return bool(np.all(np.abs(x - y) <= allowed))


def pulled_at_once(config: Any, f: Any, args: tuple[Any, ...], y_bar: Any, domain: Any) -> Any:
    """The cotangents of `f` and of `args`; `None` if there is no answer.

    Parameters
    ----------
    config
        The configuration of the AD system.
    f, args, domain
        The integrand is ``f(t, *args)``; it is integrated over a `Domain`, and nothing is traced.
    y_bar
        The cotangent of the integral.
    """
    rule, held = places_over(domain), places_in((f, args))
    if rule is None or not held:
        return None
    try:
        pull = Points(config, f, (rule.places,), args).pull(together=True, most=0)
        bars = []
        for weights in (rule.kronrod, rule.gauss):
            f_bar, _, arg_bars = pull((weights * y_bar)[None])
            bars.append(tuple_tangent(tuple, (unthunk(f_bar), tuple_tangent(tuple, arg_bars))))
        by_kronrod, by_gauss = (as_vector(bar, held) for bar in bars)
    except (TooManyPointsError, DerivativeNotImplementedError):
        return None
    return (bars[0][0], bars[0][1]) if agree(by_kronrod, by_gauss, y_bar, domain.options) else None


def pushed_at_once(config: Any, dots: tuple[Any, Sequence[Any]], f: Any, args: Any, domain: Any) -> Any:
    """The tangent of a real integral, from those of `f` and of `args`; `None` if there is no answer."""
    rule = places_over(domain)
    if rule is None:
        return None
    try:
        push = Points(config, f, (rule.places,), args).push(together=True, most=0)
    except TooManyPointsError:
        return None
    (y_dot,) = push(dots[0], (NO_TANGENT,), dots[1])
    by_kronrod, by_gauss = rule.kronrod @ y_dot, rule.gauss @ y_dot
    return by_kronrod if agree(by_kronrod, by_gauss, 1.0, domain.options) else None


# --- Of an integrand of vectors ----------------------------------------------------------------------------


def first_estimates(f: Callable[[float], Any], n: int, domain: Any) -> tuple[Any, list[int]]:
    """The integrals of `n` components by the places that QUADPACK begins with, and which need more of them.

    Parameters
    ----------
    f
        The integrand.
    n
        How many components it has. One alone needs no rule that serves several, unless a smaller one does.
    domain
        The `Domain`.
    """
    places = first_places(domain) if n > 1 or (n and domain.is_smooth) else None
    if places is None:
        return np.zeros(n), list(range(n))
    t, factors, half = places
    values = np.stack([f(x) for x in t.ravel().tolist()])
    values = np.sum(np.reshape(values, (*t.shape, n)) * factors[..., None], axis=0)
    rule, half = kronrod(t.shape[-1] // 2), half[:, None]
    y = half * (rule.kronrod @ values)
    spread = np.abs(half) * (rule.kronrod @ np.abs(values - (0.5 * y / half)[:, None]))
    error = np.abs(y - half * (rule.gauss @ values))
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.where(spread > 0.0, spread * np.minimum(1.0, (200.0 * error / spread) ** 1.5), error)
    y, options = np.sum(y, axis=0), TOLERANCES | domain.options
    allowed = np.maximum(options["epsabs"], options["epsrel"] * np.abs(y))
    return y, np.flatnonzero(~(np.sum(error, axis=0) <= allowed)).tolist()


def first_places(domain: Any) -> tuple[Any, Any, Any] | None:
    """The places, with shape ``(sides, parts, places)``, factors of the values there, and half of each part.

    On an infinite interval, one part of the variable `x` is meant, ``t = a + (1 - x) / x``, and both sides of
    0 are added. There are none for another weight than 1.
    """
    a, b = sorted(float(primal_of(x)) for x in (domain.a, domain.b))
    if domain.weight is not None or not a < b:
        return None
    if np.isfinite(a) and np.isfinite(b):
        ends = np.array(ends_of_parts(domain))
        half, middle = 0.5 * np.diff(ends), 0.5 * (ends[1:] + ends[:-1])
        places = kronrod(FEWER if domain.is_smooth else GAUSSIAN_PLACES).places
        t = (middle[:, None] + half[:, None] * places)[None]
        return t if domain.is_smooth else as_in_quadpack(t, domain), np.ones_like(t), half
    x = 0.5 + 0.5 * kronrod(FEWER).places
    s = np.stack([1.0 - x, x - 1.0])[:, None] / x
    t = a + s[:1] if np.isfinite(a) else b + s[1:] if np.isfinite(b) else s
    half = np.array([0.5 if primal_of(domain.a) < primal_of(domain.b) else -0.5])
    return as_in_quadpack(t, domain), np.ones_like(t) / x**2, half


def as_in_quadpack(t: Any, domain: Any) -> Any:
    """The same places as QUADPACK rounds them, so that it finds there what is known."""
    places: list[float] = []

    def none_at(t: float) -> float:
        places.append(t)
        return 0.0

    a, b = (float(primal_of(x)) for x in (domain.a, domain.b))
    scipy.integrate.quad(none_at, a, b, points=primal_of(domain.points), **domain.options)
    exact = np.empty(t.size)
    exact[np.argsort(t, axis=None)] = np.sort(places)
    return np.reshape(exact, t.shape)
