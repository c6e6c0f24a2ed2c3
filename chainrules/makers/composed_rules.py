"""Rules of functions that are compositions: their derivatives are those of the composition's parts."""

import inspect
import itertools
from collections.abc import Callable
from typing import Any

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.makers.linear_rules import tangent_like
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    define,
    is_complex,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
    unthunk,
    without_warnings,
)

# The classes of numbers and arrays.
_OPERANDS: Any = Operand


@rule_maker
def composed_rule(primal: Callable[..., Any], read: Callable[..., Any], count: int | None = 1) -> None:
    """Define both rules of a function of real numbers.

    Parameters
    ----------
    primal
        The function, which gives the value.
    read
        A function of the same arguments and options, which gets the values of the first ones. It returns the
        composition, a function of these arguments alone, or `None` for a call that is left to others.
    count
        How many of the first arguments have tangents, of which those may be left out that have defaults;
        `None` for all that are given by position.
    """
    value = primitive(primal)
    signature = inspect.signature(read).parameters
    parameters, optional = (
        list(signature),
        {name for name, x in signature.items() if x.default is not x.empty},
    )

    def composed_frule(tangents: Any, f: typeof_(primal), x: Operand, *rest: Any, **named: Any) -> Any:
        args = x, *rest
        call = _read_call(read, parameters, optional, count, args, named)
        if call is None:
            return None
        composition, given = call
        y = value(*args, **named)
        dots = (*tangents[1 : len(args) + 1], *[NO_TANGENT] * len(given))[: len(given)]
        if all(isinstance(dot, AbstractZero) for dot in dots):
            return y, NO_TANGENT
        y_dot = _pushed(composition, given, dots)
        if isinstance(y_dot, tuple):
            return y, tangent_of_results(y, *y_dot)
        return y, y_dot if isinstance(y_dot, AbstractZero) else tangent_like(y, y_dot)

    def composed_rrule(f: typeof_(primal), x: Operand, *rest: Any, **named: Any) -> Any:
        args = x, *rest
        call = _read_call(read, parameters, optional, count, args, named)
        if call is None:
            return None
        composition, given = call
        y = value(*args, **named)

        def composed_pullback(y_bar: Any) -> Any:
            y_bars = tuple(map(unthunk, cotangents_of_results(y, y_bar))) if isinstance(y, tuple) else y_bar
            once = Thunk(_all_pulled, composition, given, y_bars)
            bars = [Thunk(_pulled, once, place, x) for place, x in enumerate(args[: len(given)])]
            return NO_TANGENT, *bars, *(NO_TANGENT for _ in args[len(bars) :])

        return y, composed_pullback

    for rule, mode in ((composed_frule, "frule"), (composed_rrule, "rrule")):
        rule.__name__ = rule.__qualname__ = f"{primal.__name__}_{mode}"
    define(composed_frule, composed_rrule)


def _read_call(  # noqa: PLR0913, PLR0917 - what a call is, and what is known of its function
    read: Any,
    parameters: list[str],
    optional: set[str],
    count: int | None,
    args: tuple[Any, ...],
    named: Any,
) -> Any:
    """The composition that a call is, and the arguments of it; `None` if it is none."""
    options = {name: x for name, x in named.items() if name != "nan_policy"}
    if named.get("nan_policy", "propagate") != "propagate" or not options.keys() <= set(parameters):
        return None
    count = len(args) if count is None else count
    following = parameters[len(args) : count]
    by_name = list(itertools.takewhile(lambda name: options.get(name) is not None, following))
    given = *args[:count], *(options.pop(name) for name in by_name)
    constants = *args[count:], *options.values()
    if not optional.issuperset(following[len(by_name) :]) or any(primal_of(x) is not x for x in constants):
        return None
    if not all(isinstance(primal_of(x), _OPERANDS) and not is_complex(x) for x in given):
        return None
    composition = read(*map(primal_of, given), *args[count:], **options)
    return composition and (composition, given)


@without_warnings
def _pushed(composition: Any, args: Any, dots: Any) -> Any:
    return push_composition(composition, args, dots)


@without_warnings
def _all_pulled(composition: Any, args: Any, y_bars: Any) -> Any:
    return pull_composition(composition, args, y_bars)


def _pulled(once: Thunk, place: int, x: Any) -> Any:
    bar = unthunk(once)[place]
    return bar if isinstance(bar, AbstractZero) else ProjectTo(x)(bar)
