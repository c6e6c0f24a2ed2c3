"""Rules of functions of two operands, of which the first or the second or both are of some kind."""

from collections.abc import Callable
from typing import Any

from chainrules.makers.elementwise import named_for
from chainrules_core import define, rule_maker, typeof_


@rule_maker
def either_operand(  # noqa: PLR0913 - two kinds of operands, and two modes
    primal: Callable[..., Any],
    kind: Any,
    other: Any,
    push: Callable[..., Any],
    pull: Callable[..., Any],
    *,
    precedence: int = 1,
) -> None:
    """Define the rules of ``z = primal(x, y)`` where `x` or `y` is of some kind.

    Parameters
    ----------
    primal
        The function.
    kind
        The annotation of one operand.
    other
        That of the other operand, which may be of this kind too.
    push
        ``push(tangents, x, y)`` is what `frule` returns.
    pull
        ``pull(x, y)`` is what `rrule` returns.
    precedence
        That of the rules with `kind` in the second place. Those with it in the first place have one more, so
        that two operands of the kind are no ambiguity.
    """

    def first_frule(tangents: Any, f: typeof_(primal), x: kind, y: other) -> Any:
        return push(tangents, x, y)

    def first_rrule(f: typeof_(primal), x: kind, y: other) -> Any:
        return pull(x, y)

    def second_frule(tangents: Any, f: typeof_(primal), x: other, y: kind) -> Any:
        return push(tangents, x, y)

    def second_rrule(f: typeof_(primal), x: other, y: kind) -> Any:
        return pull(x, y)

    define(named_for(primal, first_frule), named_for(primal, first_rrule), precedence=precedence + 1)
    define(named_for(primal, second_frule), named_for(primal, second_rrule), precedence=precedence)
