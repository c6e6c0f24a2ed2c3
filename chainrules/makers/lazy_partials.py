"""Rules of functions of several numbers, with each partial derivative computed only where it is wanted.

`scalar_rule` is for partial derivatives that are computed together. That by the order of a Bessel function
takes far longer than the function, and that of a quantile by a shape parameter takes an integral;
most calls want neither. So here each is a function of its own: forwards it is called if its argument has a
tangent, and in reverse it is a thunk.

Where a function of a complex number is not holomorphic, as where it is scaled by ``exp(-|Im z|)``::

    y_dot = ∂y/∂z z_dot + ∂y/∂z̄ conj(z_dot)
    z_bar = conj(∂y/∂z) y_bar + ∂y/∂z̄ conj(y_bar)
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.numbers.precision import as_precise
from chainrules.makers.elementwise import named_for
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
    may_hold,
    primal_of,
    primitive,
    pull_partial,
    rule_maker,
    strong_product,
    sum_tangents,
    typeof_,
    without_warnings,
)

# A partial derivative of y = f(x, ...), as a function of y, x, ...; `None` by an argument without a tangent,
# which is an integer, or is rounded to one.
Partial = Callable[..., Any] | None


# How far beside a probability that of an inverse may be, which may be one of single precision.
_SOLVED = 1e-4


@dataclass(frozen=True)
class TwoPartials:
    """The partial derivatives of a function that is not holomorphic, by `z` and by its conjugate."""

    by_z: Any
    by_conjugate: Any


class _Call(NamedTuple):
    """A call: its result, the numbers that it may be differentiated by, and all other arguments."""

    y: Any
    xs: tuple[Any, ...]
    options: tuple[Any, ...]
    named: dict[str, Any]


@rule_maker
def lazy_scalar_rule(primal: Callable[..., Any], *partials: Partial, orders: Container[int] = ()) -> None:
    """Define both rules of a function of numbers and arrays that broadcast, with one or several results.

    Parameters
    ----------
    primal
        The function, ``y = primal(*xs, *options, **named)``, of as many numbers as there are `partials`. A
        call may leave the last ones to their defaults, or give `None`. Of a ufunc there are no options:
        where a result is written, or where there is none, is refused with a `TypeError`.
    *partials
        For each number a function ``partial(y, *xs, *options, **named)``, which returns the partial
        derivative by it, or `TwoPartials`; of several results, a tuple with one for each. A derivative may be
        ``not_implemented(why)``. `None` for a number that has no tangent.
    orders
        The places of arguments that are constants where integers are given for them.
    """
    # A ufunc hands carriers on by itself.
    function = primal if isinstance(primal, np.ufunc) else primitive(primal)
    n = len(partials)

    def called(args: tuple[Any, ...], named: dict[str, Any]) -> _Call:
        options = args[n:]
        if isinstance(primal, np.ufunc) and (options or named):
            _refuse_options(primal.__name__, options, named)
        return _Call(function(*args, **named), args[:n], options, named)

    def lazy_frule(tangents: Any, f: typeof_(primal), *args: Operand | None, **named: Any) -> Any:
        call = called(args, named)
        return call.y, _push(partials, call, tangents[1:])

    def lazy_rrule(f: typeof_(primal), *args: Operand | None, **named: Any) -> Any:
        call = called(args, named)

        def lazy_pullback(y_bar: Any) -> Any:
            return (
                NO_TANGENT,
                *[
                    NO_TANGENT
                    if partial is None or x is None or (place in orders and is_integer(x))
                    else Thunk(_pull, partial, call, x, y_bar)
                    for place, (partial, x) in enumerate(zip(partials, call.xs, strict=False))
                ],
                *[NO_TANGENT for _ in call.options],
            )

        return call.y, lazy_pullback

    define(named_for(primal, lazy_frule), named_for(primal, lazy_rrule))


@rule_maker
def inverse_rule(  # noqa: PLR0913, PLR0917 - options that some inverses have
    inverse: Callable[..., Any],
    place: int,
    partials: Sequence[Callable[..., Any]],
    least: float | None = None,
    solves: Callable[..., Any] | None = None,
    ends: tuple[float, ...] = (),
) -> None:
    """Define both rules of a function that solves ``p = F(x, ...)`` for one of the arguments.

    Parameters
    ----------
    inverse
        The function, which is given ``p`` in the place of the argument that it solves for.
    place
        This place.
    partials
        The partial derivatives of ``F``, each as for `lazy_scalar_rule`; by implicit differentiation that of
        the inverse by ``p`` is one divided by that of this argument, and those by others negative quotients.
    least
        What the inverse returns where no number solves the equation, and is constant; if it does.
    solves
        The function ``F``, of an inverse that returns an end of the interval in which it looks where no
        number solves the equation. There its derivatives are NaN.
    ends
        The values of ``p`` for which the solution is an end of the interval in which there are solutions,
        whatever the other arguments are.
    """

    def partial_by(k: int) -> Partial:
        def partial(x: Any, *args: Any) -> Any:
            solved = args[place], *args[:place], x, *args[place + 1 :]
            slope = (1.0 if k == place else -partials[k](*solved)) / partials[place](*solved)
            if ends and k != place:
                is_end = np.isin(primal_of(args[place]), ends)
                slope = np.where(is_end, 0.0, slope) if may_hold(is_end) else slope
            if solves is not None:
                p, *others = map(primal_of, solved)
                slope = np.where(np.abs(solves(*others) - p) <= _SOLVED * p, slope, np.nan)
            return slope if least is None else np.where(primal_of(x) == least, 0.0, slope)

        return partial

    lazy_scalar_rule(inverse, *map(partial_by, range(len(partials))))


def _refuse_options(name: str, options: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Refuse what ufuncs take beside numbers."""
    for out in (*options, named.get("out")):
        refuse_out(name, out)
    for keyword in named:
        raise TypeError(f"{name}(..., {keyword}=...) cannot be differentiated: leave `{keyword}` out.")


def is_integer(x: Any) -> bool:
    """Whether a number or array is one of integers, or a carrier of one."""
    x = primal_of(x)
    dtype = getattr(x, "dtype", None)
    return isinstance(x, int) if dtype is None else dtype.kind in "iub"


def _slope(partial: Callable[..., Any], call: _Call) -> Any:
    """The partial derivative; of several results a tuple of them."""
    y, xs, options, named = call
    differentiate = _with_options(partial, options, named) if options or named else partial
    first = y[0] if isinstance(y, tuple) else y
    return evaluate_partials(differentiate, y, *[as_precise(x, first) for x in xs])


def _with_options(
    partial: Callable[..., Any], options: tuple[Any, ...], named: dict[str, Any]
) -> Callable[..., Any]:
    """The partial derivative as a function of the result and the numbers alone."""
    return lambda y, *xs: partial(y, *xs, *options, **named)


@without_warnings
def _push(partials: tuple[Partial, ...], call: _Call, tangents: Any) -> Any:
    """The tangent of the result."""
    y, slopes, x_dots = call.y, [], []
    for partial, x_dot in zip(partials, tangents, strict=False):
        if partial is not None and not isinstance(x_dot, AbstractZero):
            slopes.append(_slope(partial, call))
            x_dots.append(x_dot)
    if not slopes:
        return ZeroTangent()
    if not isinstance(y, tuple):
        return _push_slopes(y, slopes, x_dots)
    of_each = zip(*slopes, strict=True)
    y_dots = [_push_slopes(part, row, x_dots) for part, row in zip(y, of_each, strict=True)]
    return tuple_tangent(type(y), y_dots)


def _push_slopes(y: Any, slopes: Sequence[Any], x_dots: list[Any]) -> Any:
    """The tangent of one result."""
    terms = [
        strong_product(slope.by_z, x_dot) + strong_product(slope.by_conjugate, np.conj(x_dot))
        if isinstance(slope, TwoPartials)
        else strong_product(slope, x_dot)
        for slope, x_dot in zip(slopes, x_dots, strict=True)
    ]
    return ProjectTo(y)(sum_tangents(y, terms))


@without_warnings
def _pull(partial: Callable[..., Any], call: _Call, x: Any, y_bar: Any) -> Any:
    """The cotangent of the argument `x`."""
    if not isinstance(call.y, tuple):
        return _pull_slope(x, _slope(partial, call), y_bar)
    y_bars = item_tangents(y_bar, len(call.y))
    if all(isinstance(part, AbstractZero) for part in y_bars):
        return ZeroTangent()
    terms = [
        _pull_slope(x, slope, part)
        for slope, part in zip(_slope(partial, call), y_bars, strict=True)
        if not isinstance(part, AbstractZero)
    ]
    return sum(terms[1:], start=terms[0])


def _pull_slope(x: Any, slope: Any, y_bar: Any) -> Any:
    """What one result contributes to the cotangent of the argument `x`."""
    if isinstance(slope, TwoPartials):
        by_conjugate = pull_partial(x, np.conj(slope.by_conjugate), np.conj(y_bar))
        return pull_partial(x, slope.by_z, y_bar) + by_conjugate
    return pull_partial(x, slope, y_bar)
