"""Rules of functions that put the elements of their arrays in places of a result, among constant zeros.

Which element stands where depends on the shapes and the options alone. So the function is run on the places
of the elements, as numbers from one: where the result has a zero, nothing stands.
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import places_in_several, returned_to_several
from chainrules.makers.linear_rules import tangent_like
from chainrules.values.operands import OperandInLists
from chainrules.values.several_arrays import cotangent_in_lists, shapes_of, tangent_as_array
from chainrules_core import NO_TANGENT, AbstractZero, define, primitive, rule_maker, typeof_


@rule_maker
def placement_rule(
    primal: Callable[..., Any], count: int | None = None, adjust: Callable[..., Any] | None = None
) -> None:
    """Define the rules of a function that only places elements.

    Parameters
    ----------
    primal
        The function, ``y = primal(*arrays, *options, **named)``; it is linear in all arrays together.
    count
        How many of the positional arguments are arrays, numbers or nested lists; `None` for all. Any of them
        may be `None`.
    adjust
        ``adjust(y_bar, *arrays)`` is the cotangent without conjugates where the function conjugates elements.
    """
    apply = primitive(primal)
    names = () if count is None else tuple(inspect.signature(primal).parameters)[:count]

    def placement_frule(
        tangents: Any, f: typeof_(primal), x: OperandInLists, *others: Any, **named: Any
    ) -> tuple[Any, Any]:
        args, named = _all_arrays_by_position((x, *others), named, names)
        y = apply(*args, **named)
        arrays = [k for k, arg in enumerate(args[:count]) if arg is not None]
        dots = [tangents[1 + k] if 1 + k < len(tangents) else NO_TANGENT for k in arrays]
        if all(isinstance(dot, AbstractZero) for dot in dots):
            return y, dots[0]
        moved = list(args)
        for k, dot in zip(arrays, dots, strict=True):
            moved[k] = tangent_as_array(args[k], dot)
        return y, tangent_like(y, apply(*moved, **named))

    def placement_rrule(f: typeof_(primal), x: OperandInLists, *others: Any, **named: Any) -> tuple[Any, Any]:
        args, named = _all_arrays_by_position((x, *others), named, names)
        arrays = [k for k, arg in enumerate(args[:count]) if arg is not None]
        shapes = shapes_of(args[k] for k in arrays)

        def placement_pullback(y_bar: Any) -> Any:
            bars: list[Any] = [NO_TANGENT for _ in args]
            if isinstance(y_bar, AbstractZero):
                pulled = [y_bar for _ in arrays]
            else:
                y_bar = adjust(y_bar, *args[:count]) if adjust else y_bar
                pulled = _pulled(y_bar, shapes, _placed(primal, args, arrays, shapes, named))
            for k, bar in zip(arrays, pulled, strict=True):
                bars[k] = cotangent_in_lists(args[k], bar)
            return NO_TANGENT, *bars[: 1 + len(others)]

        return apply(*args, **named), placement_pullback

    define(placement_frule, placement_rrule)


def _all_arrays_by_position(args: Any, named: dict[str, Any], names: Any) -> tuple[Any, dict[str, Any]]:
    """The arguments of a call, with arrays that are given by name, and are constants, in their places."""
    given = [name for name in names[len(args) :] if name in named]
    if not given:
        return args, named
    rest = {name: value for name, value in named.items() if name not in given}
    return (*args, *(named[name] for name in given)), rest


def _placed(primal: Callable[..., Any], args: Any, arrays: Any, shapes: Any, named: Any) -> Any:
    """Which element of the arguments, counted from one, stands at each place of the result."""
    moved = list(args)
    for k, places in zip(arrays, places_in_several(shapes), strict=True):
        moved[k] = places + 1
    return np.asarray(primal(*moved, **named)).astype(int)


def _pulled(y_bar: Any, shapes: Any, placed: Any) -> list[Any]:
    """The cotangents of the arrays; an array of one element more takes those of the constants."""
    return returned_to_several(y_bar, [(1,), *shapes], placed)[1:]
