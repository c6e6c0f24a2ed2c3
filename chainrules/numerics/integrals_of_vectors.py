"""Integrals of all components of a function from a number to a vector, over a domain.

The function is called at each of the places that QUADPACK begins with, bit for bit, and the error of each
component is estimated as there; QUADPACK itself is asked for those that need more places. R. Piessens, E. de
Doncker-Kapenga, C. W. Überhuber, D. K. Kahaner, "QUADPACK", Springer 1983, section 2.2.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.integrate

from chainrules.numerics.kronrod import kronrod
from chainrules_core import NoDerivativeError, primal_of

# As in the rule that QUADPACK takes: 21 places; it has 15 on an infinite interval, which do for a smooth
# integrand on a finite one too.
GAUSSIAN_PLACES, FEWER = 10, 7
TOLERANCES = {"epsabs": 1.49e-8, "epsrel": 1.49e-8}  # SciPy's
# More intervals than QUADPACK needs for an integrand without a singularity.
MOST = 24
# An error estimated above this part of the result makes it useless as a derivative.
ACCEPTED = 1e-5


class Domain(NamedTuple):
    """Over which an integral goes, and with which weight: the arguments of `integrals` after the function.

    Attributes
    ----------
    a, b
        The limits, which may be infinite.
    weight, wvar
        The weight of `scipy.integrate.quad`, and its parameters; `None` for the weight 1.
    options
        Those of `quad` that say how to integrate.
    points
        Where the integrand jumps, or `None`.
    is_smooth
        Whether the integral was found exact by far, so that a smaller rule may do for its derivatives.
    divided
        The ends of the intervals of an infinite one, of the variable from 0 to 1 that it is mapped to.
    """

    a: Any
    b: Any
    weight: str | None
    wvar: Any
    options: dict[str, Any]
    points: Any = None
    is_smooth: bool = False
    divided: Any = None

    def with_weight(self, weight: str) -> "Domain":
        """The same with another weight."""
        return self._replace(weight=weight)


def as_divided(found: Any) -> Any:
    """The intervals that QUADPACK ended with for the integrand, in which its derivative is integrated too.

    What is narrow may not be seen from the places that QUADPACK begins with.

    Parameters
    ----------
    found
        What `quad` says with `full_output`, without a weight; of a complex integrand, of both parts.

    Returns
    -------
    NDArray or None
        The two ends in each row, of a variable from 0 to 1 if the whole interval is infinite; `None` if one
        interval is enough.
    """
    parts = [part[0] for part in found.values() if isinstance(part, tuple)] if "real" in found else [found]
    found_ends = [part[key][: part["last"]] for part in parts for key in ("alist", "blist")]
    ends = np.unique(np.concatenate(found_ends or [()]))
    return np.stack([ends[:-1], ends[1:]], axis=1) if len(ends) > 2 else None


def with_ends(domain: Domain, divided: Any) -> Domain:
    """The same, with the ends of intervals of `as_divided`: as points, if it is finite."""
    if divided is None:
        return domain
    ends, options = np.unique(divided), TOLERANCES | domain.options
    domain = domain._replace(options=options | {"limit": options.get("limit", 50) + len(ends)})
    is_finite = all(np.isfinite(primal_of(x)) for x in (domain.a, domain.b))
    if not is_finite:
        return domain._replace(divided=ends)
    given = [] if domain.points is None else list(domain.points)  # which may be traced
    return domain._replace(points=[*given, *np.setdiff1d(ends[1:-1], [primal_of(x) for x in given])])


def on_finite_interval(f: Callable[[float], Any], domain: Domain) -> tuple[Callable[[float], Any], Domain]:
    """An integral over an infinite interval with known parts, as QUADPACK maps it to one from 0 to 1."""
    if domain.divided is None:
        return f, domain
    a, b = (float(primal_of(x)) for x in (domain.a, domain.b))
    low, high, sign = min(a, b), max(a, b), np.sign(b - a)

    def mapped(x: float) -> Any:
        t = (1.0 - x) / x
        y = f(low + t) if np.isfinite(low) else f(high - t) if np.isfinite(high) else f(t) + f(-t)
        return sign * y / x**2

    return mapped, domain._replace(a=0.0, b=1.0, points=domain.divided[1:-1], divided=None)


def ends_of_parts(domain: Any) -> list[float]:
    """The ends of a finite interval, and the points in it, in their order."""
    a, b = (float(primal_of(x)) for x in (domain.a, domain.b))
    points = [] if domain.points is None else [float(primal_of(x)) for x in domain.points]
    within = [x for x in np.unique(points) if min(a, b) < x < max(a, b)]
    return [a, *(within if a < b else within[::-1]), b]


def point_within(a: Any, b: Any) -> float:
    """A point between two limits, which may be infinite."""
    a, b = float(primal_of(a)), float(primal_of(b))
    if np.isfinite(a) and np.isfinite(b):
        return float(0.5 * (a + b))
    finite: float = next((limit for limit in (a, b) if np.isfinite(limit)), 0.0)
    return float(finite + 1.0 if np.inf in {a, b} else finite - 1.0)


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


def by_quadpack(f: Callable[[float], float], domain: Domain) -> float:
    """The integral of a function with real numbers."""
    a, b, weight, wvar, options, points, *_ = domain
    y, error, _, *problem = scipy.integrate.quad(
        f, a, b, full_output=1, weight=weight, wvar=wvar, points=points, **options
    )
    if problem and not error <= ACCEPTED * max(abs(y), 1.0):
        reason = " ".join(problem[0].split())
        raise NoDerivativeError(
            f"scipy.integrate.quad: the integral of the integrand's derivative, from {a} to {b}, did not "
            f"converge: its value is {y}, with an estimated error of {error}. {reason} Give `quad` the "
            "`points` where the derivative jumps or is infinite, or a larger `limit`; if the integral "
            "diverges, there is no derivative."
        )
    return float(y)
