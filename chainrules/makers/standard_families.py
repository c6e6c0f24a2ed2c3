"""What is known of a distribution, made of its equations in standard position."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.formulas.calls.partial_derivatives import partial_derivative
from chainrules.formulas.probabilities.integrals_of_scores import probability_slope
from chainrules.formulas.probabilities.standard_formulas import Standard
from chainrules.makers.distribution_methods import Family
from chainrules_core import primal_of

Function = Callable[..., Any]


def family_of(standard: Standard, count: int, support: tuple[float, float]) -> Family:
    """What the rules of a distribution need.

    Parameters
    ----------
    standard
        Its equations.
    count
        How many shapes it has.
    support
        The ends of its support, of a distribution whose probabilities are integrals.
    """
    places = range(1, count + 1)

    def by_each(formula: Function | None) -> tuple[Function, ...]:
        return tuple(partial_derivative(formula, place) for place in places) if formula else ()

    score, scores = partial_derivative(standard.log_density, 0), by_each(standard.log_density)
    below, above = by_each(standard.log_below), by_each(standard.log_above)
    if standard.slopes or not count:
        slopes: Iterable[Any] = standard.slopes
    elif standard.probability:
        slopes = by_each(standard.probability)
    elif below:
        slopes = (_scaled(standard.log_below, slope, 1.0) for slope in below)
    elif above:
        slopes = (_scaled(standard.log_above, slope, -1.0) for slope in above)
    else:
        is_low = _is_rising(score) if np.isinf(support).any() else _is_nearer(*support)
        slopes = (probability_slope(standard.log_density, by, support, is_low) for by in scores)
    return Family(
        score,
        scores,
        tuple(slopes),
        ends=tuple(_end_slope(standard.ends, place) for place in range(count)) if any(standard.ends) else (),
        within=standard.within,
        log_below=below,
        log_above=above,
    )


def _scaled(log_probability: Any, log_slope: Function, sign: float) -> Function:
    return lambda *args: sign * np.exp(log_probability(*args)) * log_slope(*args)


def _is_rising(score: Function) -> Function:
    return lambda *args: primal_of(score(*args)) > 0


def _is_nearer(low: float, high: float) -> Function:
    return lambda z, *shapes: z < 0.5 * (low + high)


def _end_slope(ends: tuple[Function | None, Function | None], place: int) -> Function:
    """By a shape, the derivative of the end at which a probability, 0 or 1, is reached."""
    lower, upper = (partial_derivative(end, place) if end else lambda *shapes: 0.0 for end in ends)
    return lambda p, end, *shapes: np.where(p == 0, lower(*shapes), upper(*shapes))
