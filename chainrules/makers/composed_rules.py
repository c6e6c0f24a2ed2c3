"""Rules of functions that are compositions: their derivatives are those of the composition's parts."""

import inspect
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.makers.linear_rules import tangent_like
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    ZeroTangent,
    contains_carrier,
    define,
    is_complex,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
    unthunk,
    without_warnings,
)

# Of these a zero is one for good; where it is traced, it has a derivative.
_PLAIN = {float, np.float32, np.float64, np.ndarray}

# The classes of numbers and arrays.
_OPERANDS: Any = Operand


class Computed(NamedTuple):
    """A composition, and the value of the function, which was computed to find it."""

    composition: Callable[..., Any]
    value: Any


@rule_maker
def composed_rule(
    primal: Callable[..., Any],
    read: Callable[..., Any],
    count: int | None = 1,
    *,
    skip: int = 0,
    owner: type | None = None,
) -> None:
    """Define both rules of a function of real numbers.

    Where the result is NaN, so are its derivatives; where it is minus infinity, as the logarithm of a
    density outside of the support, they are zero.

    Parameters
    ----------
    primal
        The function, which gives the value.
    read
        A function of the same arguments and options, which gets their values. It returns the composition, a
        function of the arguments with tangents alone, perhaps with the value, as a `Computed`; or `None` for
        a call that is left to others.
    count
        Up to which argument they have tangents, of which those may be left out that have defaults; `None` for
        all that are given by position.
    skip
        How many arguments before these have none.
    owner
        Of a method, the class; for instances of other classes the call is left to others.
    """
    traced_primal = primitive(primal)
    parameters = {name: x.default is x.empty for name, x in inspect.signature(read).parameters.items()}
    own, first = (0, _OPERANDS) if owner is None else (1, owner)
    before = [NO_TANGENT] * (1 + own + skip)

    def read_call(args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if owner is not None and type(args[0]) is not owner:
            return None
        return _read_call(read, parameters, (skip, count), args[own:], named)

    def composed_frule(tangents: Any, f: typeof_(primal), x: first, *rest: Any, **named: Any) -> Any:
        call = read_call((x, *rest), named)
        if call is None:
            return None
        (composition, given), y = call, _value(traced_primal, call[0], (x, *rest), named)
        dots = (*tangents[len(before) :], *[NO_TANGENT] * len(given))[: len(given)]
        if all(isinstance(dot, AbstractZero) for dot in dots):
            return y, NO_TANGENT
        return y, _pushed(composition, given, dots, y)

    def composed_rrule(f: typeof_(primal), x: first, *rest: Any, **named: Any) -> Any:
        call = read_call((x, *rest), named)
        if call is None:
            return None
        (composition, given), y = call, _value(traced_primal, call[0], (x, *rest), named)
        args = (x, *rest)[own + skip :]

        def composed_pullback(y_bar: Any) -> Any:
            once = Thunk(_all_pulled, composition, given, y, y_bar)
            bars = [Thunk(_pulled, once, place, x) for place, x in enumerate(args[: len(given)])]
            return *before, *bars, *[NO_TANGENT] * (len(args) - len(bars))

        return y, composed_pullback

    for rule, mode in ((composed_frule, "frule"), (composed_rrule, "rrule")):
        rule.__name__ = rule.__qualname__ = f"{primal.__name__}_{mode}"
    define(composed_frule, composed_rrule)


def _read_call(
    read: Any, parameters: dict[str, bool], places: tuple[int, int | None], args: tuple[Any, ...], named: Any
) -> Any:
    """The composition that a call is, and the arguments of it; `None` if it is none.

    `parameters` says of each whether it has to be given.
    """
    options = {name: x for name, x in named.items() if name != "nan_policy"}
    policy = dict(zip(parameters, args, strict=False)).get("nan_policy", named.get("nan_policy"))
    if not options.keys() <= set(parameters):
        return None
    skip, count = places
    count = len(args) if count is None else count
    following = list(parameters)[max(len(args), skip) : count]
    by_name = list(itertools.takewhile(lambda name: options.get(name) is not None, following))
    given = *args[skip:count], *(options[name] for name in by_name)
    constants = *args[:skip], *args[count:], *(x for name, x in options.items() if name not in by_name)
    if any(parameters[name] for name in following[len(by_name) :]) or any(
        primal_of(x) is not x or _is_empty_tuple(x) for x in constants
    ):
        return None  # SciPy takes no axes at all for all axes; NumPy does not
    if not all(isinstance(primal_of(x), _OPERANDS) and not is_complex(x) for x in given):
        return None
    if policy not in {None, "propagate"} and any(np.any(np.isnan(primal_of(x))) for x in given):
        return None
    composition = read(*map(primal_of, args), **{name: primal_of(x) for name, x in options.items()})
    return composition and (composition, given)


def _is_empty_tuple(x: Any) -> bool:
    return isinstance(x, tuple) and not x


def _where_defined(y: Any, part: Any, used: Any) -> Any:
    """A tangent or a cotangent of the result `y`: NaN where that is, if used, and zero where it is -inf."""
    y = primal_of(y)
    if isinstance(part, AbstractZero) or np.all(y > -np.inf):
        return part
    return np.where(y == -np.inf, 0.0, np.where(np.isnan(y) & (primal_of(used) != 0), np.nan, part))


def _value(primal: Any, composition: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    is_known = isinstance(composition, Computed) and not contains_carrier((args, named))
    return composition.value if is_known else primal(*args, **named)


def _alone(composition: Any) -> Any:
    return composition.composition if isinstance(composition, Computed) else composition


@without_warnings
def _pushed(composition: Any, args: Any, dots: Any, y: Any) -> Any:
    y_dot = push_composition(_alone(composition), args, dots)
    if isinstance(y_dot, tuple):
        return tangent_of_results(y, *map(_where_defined, y, y_dot, y))
    y_dot = _where_defined(y, y_dot, y)
    return y_dot if isinstance(y_dot, AbstractZero) else tangent_like(y, y_dot)


@without_warnings
def _all_pulled(composition: Any, args: Any, y: Any, y_bar: Any) -> Any:
    if not isinstance(y, tuple):
        y_bar = unthunk(y_bar)
        return pull_composition(_alone(composition), args, _where_defined(y, y_bar, y_bar))
    # A zero of an array is no factor: what the result depends on may have no finite derivative.
    bars = tuple(
        ZeroTangent() if type(bar) in _PLAIN and not np.any(bar) else bar
        for bar in map(unthunk, cotangents_of_results(y, y_bar))
    )
    return pull_composition(_alone(composition), args, tuple(map(_where_defined, y, bars, bars)))


def _pulled(once: Thunk, place: int, x: Any) -> Any:
    bar = unthunk(once)[place]
    return bar if isinstance(bar, AbstractZero) else ProjectTo(x)(bar)
