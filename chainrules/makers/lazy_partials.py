"""The rules of functions of several numbers whose partial derivatives are expensive, each by itself.

`scalar_rule` computes all partial derivatives at once, although most calls want one: a quantile is
differentiated by its probability far more often than by its shape parameters, which takes an integral. Here
each is a function of its own, called forwards for the arguments that have a tangent, and in reverse when
its cotangent is asked for.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.precision import as_precise
from chainrules.makers.elementwise import named_for
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    define,
    evaluate_partials,
    primal_of,
    primitive,
    pull_partial,
    rule_maker,
    strong_product,
    sum_tangents,
    typeof_,
    unthunk,
    without_warnings,
)

# A partial derivative of y = f(x, ...), as a function of y, x, ...; `None` of an argument that is rounded to
# an integer, or otherwise constant between jumps.
Partial = Callable[..., Any] | None


@rule_maker
def lazy_rule(primal: Callable[..., Any], *partials: Partial, options: frozenset[str] = frozenset()) -> None:
    """Define both rules of a function of numbers and arrays that broadcast.

    Parameters
    ----------
    primal
        The function, ``y = primal(x, ...)``, elementwise.
    *partials
        For each argument the partial derivative, ``partial(y, x, ...)``, or `None` if it has no tangent.
    options
        The names of keyword arguments that the function may be given; the partial derivatives are given them
        too. Calls with any others have no rule.
    """
    # A ufunc hands carriers on by itself.
    call = primal if isinstance(primal, np.ufunc) else primitive(primal)

    def takes(xs: tuple[Any, ...], named: dict[str, Any]) -> bool:
        return len(xs) == len(partials) and options.issuperset(named)

    def lazy_frule(tangents: Any, f: typeof_(primal), *xs: Operand, **named: Any) -> Any:
        if not takes(xs, named):
            return None
        y = call(*xs, **named)
        return y, _push(partials, (y, *xs), named, tangents[1:])

    def lazy_rrule(f: typeof_(primal), *xs: Operand, **named: Any) -> Any:
        if not takes(xs, named):
            return None
        y = call(*xs, **named)

        def lazy_pullback(y_bar: Any) -> Any:
            return NO_TANGENT, *[
                NO_TANGENT if partial is None else Thunk(_pull, partial, (y, *xs), named, x, y_bar)
                for partial, x in zip(partials, xs, strict=True)
            ]

        return y, lazy_pullback

    define(named_for(primal, lazy_frule), named_for(primal, lazy_rrule))


@rule_maker
def inverse_rule(
    inverse: Callable[..., Any],
    place: int,
    partials: tuple[Callable[..., Any], ...],
    least: float | None = None,
) -> None:
    """Define both rules of a function that solves ``p = F(x, ...)`` for one of the arguments.

    Parameters
    ----------
    inverse
        The function, which is given ``p`` in the place of the argument that it solves for.
    place
        This place.
    partials
        The partial derivatives of ``F``, each as for `lazy_rule`; by implicit differentiation that of the
        inverse by ``p`` is one divided by that of this argument, and those by others negative quotients.
    least
        What the inverse returns where no number solves the equation, and is constant; if it does.
    """

    def partial_by(k: int) -> Partial:
        def partial(x: Any, *args: Any) -> Any:
            solved = args[place], *args[:place], x, *args[place + 1 :]
            slope = (1.0 if k == place else -partials[k](*solved)) / partials[place](*solved)
            return slope if least is None else np.where(primal_of(x) == least, 0.0, slope)

        return partial

    lazy_rule(inverse, *map(partial_by, range(len(partials))))


@without_warnings
def _push(partials: tuple[Partial, ...], values: Any, named: Any, tangents: Any) -> Any:
    """The tangent of the result, where `values` are the result and the arguments."""
    terms = [
        strong_product(_evaluated(partial, values, named), x_dot)
        for partial, x_dot in zip(partials, map(unthunk, tangents), strict=True)
        if partial is not None and not isinstance(x_dot, AbstractZero)
    ]
    return sum_tangents(values[0], terms or [NO_TANGENT])


@without_warnings
def _pull(partial: Callable[..., Any], values: Any, named: Any, x: Any, y_bar: Any) -> Any:
    """The cotangent of the argument `x`."""
    return pull_partial(x, _evaluated(partial, values, named), unthunk(y_bar))


def _evaluated(partial: Callable[..., Any], values: Any, named: Any) -> Any:
    y, *xs = values
    partial = partial if not named else functools.partial(partial, **named)
    return evaluate_partials(partial, y, *(_in_precision(x, y) for x in xs))


def _in_precision(x: Any, y: Any) -> Any:
    """An argument in the precision of the result; numbers of Python too, for those who choose among them."""
    if isinstance(primal_of(x), float | int):
        return x * np.float32(1) if getattr(primal_of(y), "dtype", None) == np.float32 else x
    return as_precise(x, y)
