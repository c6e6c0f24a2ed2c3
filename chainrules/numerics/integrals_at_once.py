"""Derivatives of an integral from the values of its integrand at many places, all in one call.

The intervals are those that QUADPACK divides the whole one into for the integrand itself, and so sees what is
narrow. On each the rule of Kronrod is taken and the one of Gauss, which is less exact. Where they differ by
more than the tolerance, halves of the intervals are taken, and shorter parts beside a singularity. An
infinite interval is mapped to one of length 1. Where the rules still differ, or where the integrand cannot be
called with many places at once, there is no answer, and `chainrules.operations.integrals` asks QUADPACK.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from chainrules.numerics.integrals_of_vectors import FEWER, GAUSSIAN_PLACES, MOST, TOLERANCES, ends_of_parts
from chainrules.numerics.kronrod import Rule, kronrod
from chainrules.numerics.many_points import Points, TooManyPointsError
from chainrules.values.held_numbers import Place, as_vector
from chainrules.values.iterables import tuple_tangent
from chainrules_core import NO_TANGENT, DerivativeNotImplementedError, primal_of, unthunk

# How often the intervals are halved, and by how much that makes the difference of the rules smaller, if the
# derivative has no singularity.
LEVELS, FALL = 3, 0.03
# The most intervals that are divided towards both ends, and the shares of each where they are divided.
SHORTEST = 4
_SHARES = 0.5 ** np.array([np.inf, 9.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
TOWARDS_ENDS = np.stack(
    [np.append(1.0 - _SHARES, _SHARES[-2::-1]), np.append(_SHARES, 1.0 - _SHARES[-2::-1])]
)


def rules_over(domain: Any, divided: Any) -> Iterator[Rule]:
    """The places in the intervals, and then in finer ones; none if the weight is not 1."""
    if domain.weight is not None:
        return
    a, b = (float(primal_of(x)) for x in (domain.a, domain.b))
    ends = divided
    if ends is None:
        nodes = np.sort(ends_of_parts(domain)) if np.isfinite(a) and np.isfinite(b) else np.array([0.0, 1.0])
        ends = np.stack([nodes[:-1], nodes[1:]], axis=1)
    yield rule_on(ends, a, b)
    for _ in range(0 if divided is None or len(divided) > MOST else LEVELS - 1):
        ends = finer(ends)
        yield rule_on(ends, a, b)


def finer(ends: Any) -> Any:
    """Halves of all intervals; of the shortest, beside which a singularity may be, ever shorter parts."""
    lengths = ends[:, 1] - ends[:, 0]
    is_short = lengths < 1.5 * np.min(lengths)
    is_short &= np.sum(is_short) <= SHORTEST
    parts = [ends[~is_short] @ np.array([[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]]), ends[is_short] @ TOWARDS_ENDS]
    return np.concatenate([np.stack([x[:, :-1], x[:, 1:]], axis=-1).reshape(-1, 2) for x in parts])


def rule_on(ends: Any, a: float, b: float) -> Rule:
    """The places on several intervals; those of an infinite interval are of `x` in ``t = a ± (1 - x)/x``."""
    low, high = min(a, b), max(a, b)
    has_low, has_high = np.isfinite(low), np.isfinite(high)
    rule = kronrod(GAUSSIAN_PLACES if has_low and has_high else FEWER).on(ends)
    places, factor = rule.places, np.sign(b - a)
    if not (has_low and has_high):
        t, factor = (1.0 - places) / places, factor / places**2
        places = low + t if has_low else high - t if has_high else np.concatenate([t, -t])
    weights = np.array([factor * rule.kronrod, factor * rule.gauss])
    return Rule(places, *np.tile(weights, len(places) // len(rule.places)))


def pulled_at_once(  # noqa: PLR0913, PLR0917 - an integral, its cotangent, and a configuration
    config: Any, f: Any, args: tuple[Any, ...], held: list[Place], y_bar: Any, domain: Any, divided: Any
) -> Any:
    """The cotangents of `f` and of `args`; `None` if there is no answer.

    Parameters
    ----------
    config
        The configuration of the AD system.
    f, args, domain
        The integrand is ``f(t, *args)``; it is integrated over a `Domain`, and nothing is traced.
    held
        The places of the numbers that both hold.
    y_bar
        The cotangent of the integral.
    divided
        The intervals of `as_divided`.
    """

    def by_both(rule: Rule) -> tuple[Any, Any, Any]:
        pull = Points(config, f, (rule.places,), args).pull(together=True, most=0)
        bars = []
        for weights in (rule.kronrod, rule.gauss):
            f_bar, _, arg_bars = pull((weights * y_bar)[None])
            bars.append(tuple_tangent(tuple, (unthunk(f_bar), tuple_tangent(tuple, arg_bars))))
        by_kronrod, by_gauss = (as_vector(bar, held) for bar in bars)
        return (bars[0][0], bars[0][1]), by_kronrod, by_gauss

    return first_in_agreement(by_both, rules_over(domain, divided), y_bar, domain) if held else None


def pushed_at_once(  # noqa: PLR0913, PLR0917 - those of `pulled_at_once`
    config: Any, dots: tuple[Any, Sequence[Any]], f: Any, args: Any, domain: Any, divided: Any
) -> Any:
    """The tangent of a real integral, from those of `f` and of `args`; `None` if there is no answer."""

    def by_both(rule: Rule) -> tuple[Any, Any, Any]:
        push = Points(config, f, (rule.places,), args).push(together=True, most=0)
        (y_dot,) = push(dots[0], (NO_TANGENT,), dots[1])
        by_kronrod = rule.kronrod @ y_dot
        return by_kronrod, by_kronrod, rule.gauss @ y_dot

    return first_in_agreement(by_both, rules_over(domain, divided), 1.0, domain)


def first_in_agreement(
    by_both: Callable[[Rule], tuple[Any, Any, Any]], rules: Iterator[Rule], scale: Any, domain: Any
) -> Any:
    """The first answer whose two integrals agree as far as the tolerance asks; `None` if there is none."""
    options, before = TOLERANCES | domain.options, np.inf
    try:
        for rule in rules:
            answer, by_kronrod, by_gauss = by_both(rule)
            allowed = np.maximum(
                options["epsabs"] * np.max(np.abs(scale)), options["epsrel"] * np.abs(by_kronrod)
            )
            apart = np.abs(by_kronrod - by_gauss)
            if np.all(apart <= allowed):
                return answer
            if not np.max(apart) <= FALL * before:
                break
            before = np.max(apart)
    except (TooManyPointsError, DerivativeNotImplementedError):
        pass
    return None
