"""Rules of functions of several numbers, with each partial derivative computed only where it is wanted.

`scalar_rule` computes all partial derivatives at once. That by the order of a Bessel function takes twenty
times as long as the function, and hardly anybody wants it. So here each is a function of its own: forwards it
is called if its argument has a tangent, and in reverse it is a thunk.

Where a function of a complex number is not holomorphic, as where it is scaled by ``exp(-|Im z|)``::

    y_dot = ∂y/∂z z_dot + ∂y/∂z̄ conj(z_dot)
    z_bar = conj(∂y/∂z) y_bar + ∂y/∂z̄ conj(y_bar)
"""

from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from chainrules.formulas.precision import as_precise
from chainrules.values.iterables import item_tangents, tuple_tangent
from chainrules.values.operands import Operand, refuse_out
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    ZeroTangent,
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


@dataclass(frozen=True)
class TwoPartials:
    """The partial derivatives of a function that is not holomorphic, by `z` and by its conjugate."""

    by_z: Any
    by_conjugate: Any


@rule_maker
def separate_partials_rule(
    primal: Callable[..., Any], *partials: Callable[..., Any], orders: Container[int] = ()
) -> None:
    """Define the rules of a function of numbers that broadcast, with one or several results.

    Parameters
    ----------
    primal
        The function, ``y = primal(*xs, *options, **named)``, of as many numbers as there are `partials`. A
        call may leave the last ones to their defaults, or give `None`.
    *partials
        For each number a function ``partial(y, *xs, *options, **named)``, which returns the partial
        derivative by it, or `TwoPartials`; of several results, a tuple with one for each. A derivative may be
        ``not_implemented(why)``, or ``NO_TANGENT`` by an argument that only takes integers.
    orders
        The places of arguments that are constants where integers are given for them.
    """
    call = primitive(primal)
    n = len(partials)

    def split(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, tuple[Any, ...], list[Any]]:
        """The result, the numbers, and the partial derivatives by them as functions of both."""
        xs, options = args[:n], args[n:]
        if isinstance(primal, np.ufunc):
            refuse_out(primal.__name__, *options or (None,))
            _refuse_keywords(primal.__name__, named)
        slopes = [partial(_slopes, derivative, options=options, named=named) for derivative in partials]
        return call(*args, **named), xs, slopes

    def frule_(tangents: Any, f: typeof_(primal), *args: Operand | None, **named: Any) -> tuple[Any, Any]:
        y, xs, slopes = split(args, named)
        rows = [
            _push(slope, y, xs, x_dot)
            for slope, x_dot in zip(slopes, map(unthunk, tangents[1:]), strict=False)
            if not isinstance(x_dot, AbstractZero)
        ]
        if not rows:
            return y, ZeroTangent()
        y_dots = [
            ProjectTo(part)(sum_tangents(part, terms))
            for part, *terms in zip(_results(y), *rows, strict=True)
        ]
        return y, tuple_tangent(type(y), y_dots) if isinstance(y, tuple) else y_dots[0]

    def rrule_(f: typeof_(primal), *args: Operand | None, **named: Any) -> tuple[Any, Any]:
        y, xs, slopes = split(args, named)

        def pullback(y_bar: Any) -> Any:
            x_bars = (
                NO_TANGENT if place in orders and _is_integer(x) else Thunk(_pull, slope, y, xs, x, y_bar)
                for place, (slope, x) in enumerate(zip(slopes, xs, strict=False))
            )
            return NO_TANGENT, *x_bars, *(NO_TANGENT for _ in args[n:])

        return y, pullback

    for rule, mode in ((frule_, "frule"), (rrule_, "rrule")):
        rule.__name__ = rule.__qualname__ = f"{primal.__name__}_{mode}"
    define(frule_, rrule_)


def _refuse_keywords(name: str, named: dict[str, Any]) -> None:
    for keyword in named:
        raise TypeError(f"{name}(..., {keyword}=...) cannot be differentiated: leave `{keyword}` out.")


def _results(y: Any) -> tuple[Any, ...]:
    return y if isinstance(y, tuple) else (y,)


def _is_integer(x: Any) -> bool:
    x = primal_of(x)
    dtype = getattr(x, "dtype", None)
    return isinstance(x, int) if dtype is None else dtype.kind in "iub"


def _slopes(
    derivative: Callable[..., Any], y: Any, xs: tuple[Any, ...], options: Any, named: Any
) -> tuple[Any, ...]:
    """The partial derivative of each result."""
    first = _results(y)[0]
    precise = (as_precise(x, first) for x in xs)
    slopes = evaluate_partials(partial(derivative, **named), y, *precise, *options)
    return slopes if isinstance(slopes, tuple) else (slopes,)


@without_warnings
def _push(slopes: Callable[..., Any], y: Any, xs: tuple[Any, ...], x_dot: Any) -> list[Any]:
    """What one argument contributes to the tangent of each result."""
    return [
        strong_product(slope.by_z, x_dot) + strong_product(slope.by_conjugate, np.conj(x_dot))
        if isinstance(slope, TwoPartials)
        else strong_product(slope, x_dot)
        for slope in slopes(y, xs)
    ]


@without_warnings
def _pull(slopes: Callable[..., Any], y: Any, xs: tuple[Any, ...], x: Any, y_bar: Any) -> Any:
    """The cotangent of one argument."""
    y_bars = item_tangents(y_bar, len(y)) if isinstance(y, tuple) else [unthunk(y_bar)]
    terms = [
        _pull_slope(x, slope, bar)
        for slope, bar in zip(slopes(y, xs), map(unthunk, y_bars), strict=True)
        if not isinstance(bar, AbstractZero)
    ]
    return sum(terms[1:], start=terms[0]) if terms else ZeroTangent()


def _pull_slope(x: Any, slope: Any, y_bar: Any) -> Any:
    if isinstance(slope, TwoPartials):
        by_conjugate = pull_partial(x, np.conj(slope.by_conjugate), np.conj(y_bar))
        return pull_partial(x, slope.by_z, y_bar) + by_conjugate
    return slope if isinstance(slope, AbstractZero) else pull_partial(x, slope, y_bar)
