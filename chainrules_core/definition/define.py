"""Defining rules for others: `define` registers both rules of a function, `rule_maker` marks its callers."""

import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar

from chainrules_core.dispatch.redefinitions import warned_of_once
from chainrules_core.dispatch.rule_location import made_at, place_in
from chainrules_core.dispatch.rules import frule, rrule

Maker = TypeVar("Maker", bound=Callable[..., Any])

_code_of_makers: set[types.CodeType] = set()


def rule_maker(maker: Maker) -> Maker:
    """Mark a function as one that defines rules for whoever calls it.

    Messages, `explain` and `methods` then say that these rules stand where the function was called, not
    where its own text stands.

    Parameters
    ----------
    maker
        A function that calls `define`, `scalar_rule`, `non_differentiable` or another maker.

    Returns
    -------
    function
        The same function.

    Examples
    --------
    >>> @rule_maker
    ... def linear_rule(f, adjoint):
    ...     def linear_frule(tangents, f: typeof_(f), x):
    ...         return f(x), f(tangents[1])
    ...
    ...     def linear_rrule(f: typeof_(f), x):
    ...         def linear_pullback(y_bar):
    ...             return NoTangent(), adjoint(y_bar)
    ...
    ...         return f(x), linear_pullback
    ...
    ...     define(linear_frule, linear_rrule)
    >>> def double(x):
    ...     return 2.0 * x
    >>> linear_rule(double, adjoint=double)
    >>> frule((NoTangent(), 1.0), double, 3.0)
    (6.0, 2.0)
    """
    _code_of_makers.add(maker.__code__)
    return maker


def define(
    forward_rule: Callable[..., Any] | None = None,
    reverse_rule: Callable[..., Any] | None = None,
    /,
    *,
    precedence: int = 0,
) -> None:
    """Register rules of a function; messages place them where their maker was called: see `rule_maker`.

    Parameters
    ----------
    forward_rule
        The rule for `frule`, if there is one.
    reverse_rule
        The rule for `rrule`, if there is one.
    precedence
        plum's precedence: of several rules that match equally well the highest wins.

    Raises
    ------
    RuleDefinitionError
        If the signature of a rule does not say which function it is for.
    """
    place = place_in(definition_frame())
    scope = sys._getframe(1).f_locals  # noqa: SLF001 - where annotations that are strings find local names
    with warned_of_once:
        for rules, rule in ((frule, forward_rule), (rrule, reverse_rule)):
            if rule is not None:
                made_at(rule, place)
                rules.add_read(rule, scope, precedence=precedence)


def definition_frame() -> types.FrameType:
    """The frame in which a rule is asked for: of the helper's caller, or of the outermost maker's."""
    asking: Any = sys._getframe(2)  # noqa: SLF001 - the caller of the helper that calls this function
    frame = asking
    while frame is not None and frame.f_code.co_name != "<module>":
        if frame.f_code in _code_of_makers:
            asking = frame.f_back
        frame = frame.f_back
    return asking  # type: ignore[no-any-return]  # a maker has been called by something
