"""Rules of functions of whole sequences of numbers, such as `math.fsum` and the functions of `statistics`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from chainrules.values.iterables import held, item_tangents, iterable_cotangent, no_cotangent, tuple_tangent
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    define,
    primal_of,
    primitive,
    rule_maker,
    strong_product,
    typeof_,
)


@rule_maker
def sequence_rule(primal: Callable[..., Any], gradient: Callable[..., Any]) -> None:
    """Define the rules of a function of sequences of numbers, and of numbers beside them.

    Parameters
    ----------
    primal
        The function. Its sequences are any iterables; its result is a number, or a tuple or list of numbers.
    gradient
        ``gradient(y, *args, **named)`` returns a tuple with the partial derivatives by each of the positional
        parameters: for a sequence, which it is given as a tuple, the list of the derivatives by each item;
        for a number one; `NoTangent()` for anything else. Of several results, each has its own tuple. It
        computes with Python's operators, so that the items may be traced.
    """
    call = primitive(primal)

    def sequence_frule(tangents: Any, f: typeof_(primal), *args: Any, **named: Any) -> tuple[Any, Any]:
        args, named = readable(args, named)
        y = call(*args, **named)
        rows = _partials_by_result(y, gradient(y, *map(items_of, args), **named))
        y_dots = [_push_row(row[: len(args)], tangents[1:]) for row in rows]
        return y, tuple_tangent(type(y), y_dots) if _is_several(y) else y_dots[0]

    def sequence_rrule(f: typeof_(primal), *args: Any, **named: Any) -> tuple[Any, Any]:
        args, named = readable(args, named)
        y = call(*args, **named)

        def sequence_pullback(y_bar: Any) -> Any:
            rows = _partials_by_result(y, gradient(y, *map(items_of, args), **named))
            y_bars = item_tangents(y_bar, len(rows)) if _is_several(y) else [y_bar]
            columns = list(zip(*rows, strict=True))[: len(args)]
            return NO_TANGENT, *(
                _pull_argument(x, column, y_bars) for x, column in zip(args, columns, strict=True)
            )

        return y, sequence_pullback

    define(sequence_frule, sequence_rrule)


def readable(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call, so that each can be read several times."""
    return tuple(map(held, args)), {name: held(value) for name, value in named.items()}


def items_of(x: Any) -> Any:
    """The items of a sequence; anything else as it is."""
    return tuple(x) if isinstance(primal_of(x), Iterable) else x


def _is_several(y: Any) -> bool:
    return isinstance(y, tuple | list)


def _partials_by_result(y: Any, partials: Any) -> Any:
    """For each result the partial derivatives by all parameters."""
    return partials if _is_several(y) else (partials,)


def _push_row(row: Sequence[Any], x_dots: Sequence[Any]) -> Any:
    """The tangent of one result."""
    terms = [
        term for partials, x_dot in zip(row, x_dots, strict=True) for term in _tangent_terms(partials, x_dot)
    ]
    return sum(terms[1:], start=terms[0]) if terms else ZeroTangent()


def _tangent_terms(partials: Any, x_dot: Any) -> list[Any]:
    """The contributions of an argument with the tangent `x_dot` to it."""
    if isinstance(partials, AbstractZero):
        return []
    if not isinstance(partials, Sequence):
        return [partials * x_dot]
    pairs = zip(partials, item_tangents(x_dot, len(partials)), strict=True)
    return [partial * dot for partial, dot in pairs if not isinstance(dot, AbstractZero)]


def _product(partial: Any, y_bar: Any) -> Any:
    """The cotangent by one partial derivative; a plain zero is strong."""
    is_zero = type(y_bar) in (float, complex, np.float64, np.complex128) and not y_bar
    return strong_product(conjugate(partial), y_bar) if is_zero else conjugate(partial) * y_bar


def _pull_argument(x: Any, column: Sequence[Any], y_bars: Sequence[Any]) -> Any:
    """The cotangent of an argument, from its partial derivatives in each row."""
    pairs = [
        (partials, y_bar)
        for partials, y_bar in zip(column, y_bars, strict=True)
        if not (isinstance(partials, AbstractZero) or isinstance(y_bar, AbstractZero))
    ]
    if not isinstance(column[0], Sequence):
        x_bar = sum(_product(partial, y_bar) for partial, y_bar in pairs)
        return ProjectTo(x)(x_bar) if pairs else no_cotangent(x)
    items = items_of(x)
    if not pairs:
        return iterable_cotangent(x, items, [ZeroTangent() for _ in items])
    first, *others = [[_product(partial, y_bar) for partial in partials] for partials, y_bar in pairs]
    item_bars = list(map(sum, zip(first, *others, strict=True))) if others else first
    return iterable_cotangent(x, items, item_bars)
