"""The rules of elementwise functions of two operands, and of functions that only change a sign."""

import types
from collections.abc import Callable
from typing import Any

from chainrules.formulas.numbers.binary_functions import BinaryPullback, Partial, pullbacks, push_operands
from chainrules.values.operands import ArrayOperand, Operand
from chainrules_core import (
    NO_TANGENT,
    Thunk,
    define,
    rule_maker,
    scalar_rule,
    shortened_by,
    sum_tangents,
    typeof_,
    unbroadcast,
)
from chainrules_core.speed import negative_of_few, same_cotangent, sum_of_arrays


@rule_maker
def binary_rule(primal: Callable[..., Any], by_x: Partial, by_y: Partial, *, symmetric: bool = False) -> None:
    """Define the rules of a function of two numbers, of two arrays, or of one of each.

    Parameters
    ----------
    primal
        The function, ``z = primal(x, y)``.
    by_x, by_y
        Its partial derivatives.
    symmetric
        Whether the operands may be exchanged, so that both cotangents of ``f(x, x)`` are equal.
    """

    def partials(z: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
        return by_x(z, x, y), by_y(z, x, y)

    def array_frule(tangents: Any, f: Any, x: Any, y: Any) -> tuple[Any, Any]:
        z = primal(x, y)
        return z, push_operands(by_x, by_y, (z, x, y), tangents)

    scalar_rule(primal, partials)
    _define_for_arrays(primal, array_frule, pullbacks(by_x, by_y, symmetric=symmetric))


@rule_maker
def sum_rule(primal: Callable[..., Any], sign: int) -> None:
    """Define the rules of a sum or a difference, which pass a cotangent on as it is.

    Parameters
    ----------
    primal
        The function, ``primal(x, y)``, which is ``x + sign * y``.
    sign
        1 or -1.
    """

    def partials(z: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
        return 1, sign

    def array_frule(tangents: Any, f: Any, x: Any, y: Any) -> tuple[Any, Any]:
        _, x_dot, y_dot = tangents
        z = primal(x, y)
        return z, _push_sum(primal, z, x_dot, y_dot)

    pass_on = _passed_on if sign == 1 else _passed_on_negated

    def pullback_of(z: Any, x: Any, y: Any) -> BinaryPullback:
        def sum_pullback(z_bar: Any) -> Any:
            return NO_TANGENT, _passed_on(x, z_bar), pass_on(y, z_bar)

        return sum_pullback

    scalar_rule(primal, partials)
    _define_for_arrays(primal, array_frule, pullback_of)


@shortened_by(sum_of_arrays)
def _push_sum(primal: Callable[..., Any], z: Any, x_dot: Any, y_dot: Any) -> Any:
    return sum_tangents(z, [primal(x_dot, y_dot)])


@shortened_by(same_cotangent)
def _passed_on(x: Any, z_bar: Any) -> Any:
    return Thunk(_pull_term, x, z_bar)


@shortened_by(negative_of_few)
def _passed_on_negated(y: Any, z_bar: Any) -> Any:
    return Thunk(_pull_negated_term, y, z_bar)


def _pull_term(x: Any, z_bar: Any) -> Any:
    return unbroadcast(x, z_bar)


def _pull_negated_term(y: Any, z_bar: Any) -> Any:
    return unbroadcast(y, -z_bar)


@rule_maker
def sign_rule(primal: Callable[..., Any], sign: int) -> None:
    """Define the rules of a function that gives its argument another sign, or the same.

    Parameters
    ----------
    primal
        The function, ``primal(x)``, which is ``sign * x``.
    sign
        1 or -1.
    """

    def partials(y: Any, x: Operand) -> Any:
        return sign

    def array_frule(tangents: Any, f: typeof_(primal), x: ArrayOperand) -> Any:
        return primal(x), primal(tangents[1])

    def array_rrule(f: typeof_(primal), x: ArrayOperand) -> Any:
        def sign_pullback(y_bar: Any) -> Any:
            return NO_TANGENT, unbroadcast(x, primal(y_bar))

        return primal(x), sign_pullback

    scalar_rule(primal, partials)
    define(named_for(primal, array_frule), named_for(primal, array_rrule))


def _define_for_arrays(
    primal: Callable[..., Any],
    array_frule: Callable[..., tuple[Any, Any]],
    pullback_of: Callable[[Any, Any, Any], BinaryPullback],
) -> None:
    """Register the rules for two arrays, and for an array and a number."""

    def array_rrule(f: Any, x: Any, y: Any) -> Any:
        z = primal(x, y)
        return z, pullback_of(z, x, y)

    # The precedence is there so that two arrays are no ambiguity.
    for precedence, x, y in ((1, ArrayOperand, Operand), (0, Operand, ArrayOperand)):
        rules = (_annotated(rule, f=typeof_(primal), x=x, y=y) for rule in (array_frule, array_rrule))
        define(*(named_for(primal, rule) for rule in rules), precedence=precedence)


def _annotated(rule: Any, **annotations: Any) -> Callable[..., Any]:
    """The same rule for arguments of these types, without the time of calling one function from another."""
    copy = types.FunctionType(rule.__code__, rule.__globals__, rule.__name__, None, rule.__closure__)
    copy.__annotations__ = annotations
    return copy


def named_for(primal: Callable[..., Any], rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule made for `primal`, under the name that messages should give it."""
    rule.__name__ = rule.__qualname__ = f"{primal.__name__}_{rule.__name__.rpartition('_')[2]}"
    return rule
