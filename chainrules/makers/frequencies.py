"""Rules of the frequencies of discrete Fourier transforms, and of shifts of their order.

Frequencies are ``y = k / (n d)`` for integers `k`, so that ``y_dot = -y d_dot / d``. Shifting an array around
is orthogonal: the adjoint is the inverse.
"""

from collections.abc import Callable
from typing import Any

from chainrules.makers.linear_rules import linear_rule
from chainrules_core import NO_TANGENT, define, primitive, rule_maker, typeof_, unbroadcast


@rule_maker
def frequency_rules(primal: Callable[..., Any]) -> None:
    """Define the rules of frequencies, ``primal(n, d)``."""
    apply = primitive(primal)

    def frequencies_frule(
        tangents: Any, f: typeof_(primal), n: Any, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        y = apply(n, *options, **named)
        return y, tangents[2] * (-y / options[0]) if options else NO_TANGENT

    def frequencies_rrule(f: typeof_(primal), n: Any, *options: Any, **named: Any) -> tuple[Any, Any]:
        y = apply(n, *options, **named)

        def frequencies_pullback(y_bar: Any) -> Any:
            if not options:
                return NO_TANGENT, NO_TANGENT
            d, *rest = options
            d_bar = unbroadcast(d, y_bar * (-y / d))
            return NO_TANGENT, NO_TANGENT, d_bar, *(NO_TANGENT,) * len(rest)

        return y, frequencies_pullback

    define(frequencies_frule, frequencies_rrule)


@rule_maker
def shift_rules(primal: Callable[..., Any], inverse: Callable[..., Any]) -> None:
    """Define the rules of a shift around, whose adjoint is its inverse."""
    back = primitive(inverse)
    linear_rule(primal, lambda y_bar, shape, *options, **named: back(y_bar, *options, **named))
