"""Rules of functions of several numbers whose partial derivatives are computed one by one, where wanted.

`scalar_rule` computes all partial derivatives together. Here those by a parameter, such as the order of a
function, may take a hundred times as long as that by its variable, and mostly nobody wants them::

    y_dot = Σ ∂y/∂xᵢ xᵢ_dot,  xᵢ_bar = conj(∂y/∂xᵢ) y_bar
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NotImplementedTangent,
    ProjectTo,
    Tangent,
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

# A function of the result and the arguments, by the names that the primal has for them. It returns the partial derivative, or of several results a tuple.
Partial = Callable[..., Any]


@rule_maker
def separate_partials_rule(primal: Callable[..., Any], *partials: Partial | NotImplementedTangent) -> None:
    """Define the rules of a function of numbers, or of arrays elementwise, by its partial derivatives.

    Parameters
    ----------
    primal
        A ufunc, or another function that broadcasts as they do. Its result is an array or a number, or a
        tuple of them.
    *partials
        For each argument, a function ``partial(y, *xs)`` of the result and all arguments, which returns the
        partial derivative by this argument; of several results, a tuple of theirs. Or
        ``not_implemented(...)``.

    Notes
    -----
    An argument that is an integer, or `None`, has no tangent, and its partial derivative is not asked for.
    Arguments at the end that a call leaves to their defaults have none either.
    """
    call = primal if isinstance(primal, np.ufunc) else primitive(primal)

    def partials_frule(tangents: Any, f: typeof_(primal), *xs: Operand | None, **named: Any) -> Any:
        _check_keywords(primal, named)
        y = call(*xs, **named)
        return y, _push(partials, Call(y, xs, named), tangents[1:])

    def partials_rrule(f: typeof_(primal), *xs: Operand | None, **named: Any) -> Any:
        _check_keywords(primal, named)
        y = call(*xs, **named)

        def partials_pullback(y_bar: Any) -> Any:
            given = Call(y, xs, named)
            return NO_TANGENT, *(_pulled(p, given, x, y_bar) for p, x in zip(partials, xs, strict=False))

        return y, partials_pullback

    for rule in (partials_frule, partials_rrule):
        rule.__name__ = rule.__qualname__ = f"{primal.__name__}_{rule.__name__.rpartition('_')[2]}"
    define(partials_frule, partials_rrule)


class Call(NamedTuple):
    """The result of a call, and its arguments."""

    y: Any
    xs: tuple[Any, ...]
    named: dict[str, Any]

    def slopes(self, partial: Partial) -> Any:
        """A partial derivative, or a tuple of one for each result."""
        return evaluate_partials(lambda y, *xs: partial(y, *xs, **self.named), self.y, *self.xs)


def _check_keywords(primal: Callable[..., Any], named: dict[str, Any]) -> None:
    """Refuse those of ufuncs, such as `out`; those of other functions are their parameters."""
    if named and isinstance(primal, np.ufunc):
        raise TypeError(f"{primal.__name__}(..., {next(iter(named))}=...) cannot be differentiated")


def _pulled(partial: Partial | NotImplementedTangent, call: Call, x: Any, y_bar: Any) -> Any:
    if _is_without_tangent(x):
        return NO_TANGENT
    return partial if isinstance(partial, NotImplementedTangent) else Thunk(_pull, partial, call, x, y_bar)


@without_warnings
def _pull(partial: Partial, call: Call, x: Any, y_bar: Any) -> Any:
    """The cotangent of the argument `x`."""
    y_bar = unthunk(y_bar)
    if isinstance(y_bar, AbstractZero):
        return ZeroTangent()
    slopes = call.slopes(partial)
    if not isinstance(call.y, tuple):
        return pull_partial(x, slopes, y_bar)
    x_bar: Any = ZeroTangent()
    for i, slope in enumerate(slopes):
        part = unthunk(y_bar[i])
        if not isinstance(part, AbstractZero):
            x_bar = x_bar + pull_partial(x, slope, part)
    return x_bar


@without_warnings
def _push(partials: tuple[Partial | NotImplementedTangent, ...], call: Call, x_dots: tuple[Any, ...]) -> Any:
    """The tangent of the result, from those of the arguments that have one."""
    moving = [
        (partial, x_dot)
        for partial, x, x_dot in zip(partials, call.xs, map(unthunk, x_dots), strict=False)
        if not isinstance(x_dot, AbstractZero) and not _is_without_tangent(x)
    ]
    y = call.y
    missing = [partial for partial, _ in moving if isinstance(partial, NotImplementedTangent)]
    if missing:
        return Tangent[type(y)](*(missing[0] for _ in y)) if isinstance(y, tuple) else missing[0]
    slopes = [(call.slopes(partial), x_dot) for partial, x_dot in moving]
    if not isinstance(y, tuple):
        return _sum(y, [strong_product(slope, x_dot) for slope, x_dot in slopes])
    parts = enumerate(y)
    return Tangent[type(y)](
        *(_sum(part, [strong_product(slope[i], x_dot) for slope, x_dot in slopes]) for i, part in parts)
    )


def _sum(y: Any, terms: list[Any]) -> Any:
    """The sum in the shape and precision of the result."""
    return ProjectTo(y)(sum_tangents(y, terms)) if terms else ZeroTangent()


def _is_without_tangent(x: Any) -> bool:
    x = primal_of(x)
    return x is None or isinstance(x, int) or getattr(getattr(x, "dtype", None), "kind", "") in {"i", "u", "b"}
