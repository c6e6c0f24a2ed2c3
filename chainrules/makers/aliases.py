"""Rules of functions that do the same as another function: under another name, or as a method of arrays."""

from collections.abc import Callable
from typing import Any

from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, define, frule, rrule, rule_maker, typeof_

# From the positional arguments of a method, after the first, to the arguments of the function in their
# places.
Arrange = Callable[..., tuple[Any, ...]]


@rule_maker
def alias_rule(alias: Callable[..., Any], primal: Callable[..., Any], **fixed: Any) -> None:
    """Let `alias`, which takes the same arguments, have the rules of `primal`.

    Parameters
    ----------
    alias, primal
        The functions.
    **fixed
        Keyword arguments of `primal` for which `alias` has other values, which nobody can choose.
    """

    def alias_frule(tangents: Any, f: typeof_(alias), *args: Any, **named: Any) -> Any:
        return frule.unchecked(tangents, primal, *args, **fixed, **named)

    def alias_rrule(f: typeof_(alias), *args: Any, **named: Any) -> Any:
        return rrule.unchecked(primal, *args, **fixed, **named)

    define(alias_frule, alias_rrule)


@rule_maker
def method_rule(method: Any, primal: Callable[..., Any], arrange: Arrange) -> None:
    """Let a method of arrays have the rules of a function that takes its arguments in another way.

    Parameters
    ----------
    method
        The method, called with an array and options.
    primal
        The function, called with the array and the options that `arrange` returns.
    arrange
        From the positional options of the method to the options of the function; none has a derivative.
    """

    def method_frule(tangents: Any, f: typeof_(method), x: Operand, *options: Any, **named: Any) -> Any:
        arranged = arrange(*options)
        return frule.unchecked((*tangents[:2], *(NO_TANGENT,) * len(arranged)), primal, x, *arranged, **named)

    def method_rrule(f: typeof_(method), x: Operand, *options: Any, **named: Any) -> Any:
        answer = rrule.unchecked(primal, x, *arrange(*options), **named)
        if answer is None:
            return None
        y, pullback = answer

        def method_pullback(y_bar: Any) -> Any:
            return *pullback(y_bar)[:2], *(NO_TANGENT,) * len(options)

        return y, method_pullback

    define(method_frule, method_rrule)
