"""Derivatives of an integral from the values of its integrand at a few places, all in one call.

Over the whole interval, or each part between the `points`, the rule of Kronrod is taken and the one of Gauss,
which is less exact. Where they differ by more than the tolerance, or where the integrand cannot be called
with many places at once, there is no answer, and `chainrules.operations.integrals` asks QUADPACK.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from chainrules.numerics.integrals_of_vectors import GAUSSIAN_PLACES, ends_of_parts
from chainrules.numerics.kronrod import Rule, kronrod
from chainrules.numerics.many_points import Points, TooManyPointsError
from chainrules.values.held_numbers import as_vector, places_in
from chainrules.values.iterables import tuple_tangent
from chainrules_core import NO_TANGENT, DerivativeNotImplementedError, primal_of, unthunk


def places_over(domain: Any) -> Rule | None:
    """The places in an interval, or in its parts; `None` if it is infinite, or the weight is not 1."""
    if domain.weight is not None or not all(np.isfinite(primal_of(x)) for x in (domain.a, domain.b)):
        return None
    ends = ends_of_parts(domain)
    return kronrod(GAUSSIAN_PLACES).on(np.stack([ends[:-1], ends[1:]], axis=1))


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
