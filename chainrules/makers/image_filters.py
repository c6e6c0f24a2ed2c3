"""Rules of functions of images, of which any argument may have a derivative, by position or by name."""

import inspect
from collections.abc import Callable, Container
from typing import Any

import numpy as np

from chainrules.makers.linear_rules import tangent_like
from chainrules.values.image_calls import ImageCall
from chainrules.values.operands import OperandInLists
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    ZeroTangent,
    define,
    primal_of,
    primitive,
    rule_maker,
    sum_tangents,
    typeof_,
)


@rule_maker
def image_rules(
    primal: Callable[..., Any],
    push: Callable[..., Any],
    pull: Callable[..., Any],
    differentiable: Container[str],
) -> None:
    """Define the rules of a function of an image.

    Parameters
    ----------
    primal
        The function, ``y = primal(image, *options, **named)``.
    push
        ``push(call, y, argument, dot)`` is the tangent of `y` by the argument of this name alone.
    pull
        ``pull(call, y, argument, y_bar)`` is the cotangent of the argument of this name, as an array.
    differentiable
        The names of the arguments that have derivatives.
    """
    signature, apply = inspect.signature(primal), primitive(primal)
    names, name = tuple(signature.parameters), primal.__name__

    def image_frule(
        tangents: Any, f: typeof_(primal), x: OperandInLists, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        call = ImageCall(signature, name, (x, *options), named)
        y, terms = apply(x, *options, **named), []
        for argument, given, dot in zip(names, (x, *options), tangents[1:], strict=False):
            if not isinstance(dot, AbstractZero) and argument in differentiable:
                terms.append(push(call, y, argument, tangent_as_array(given, dot)))
        return y, tangent_like(y, sum_tangents(y, terms)) if terms else ZeroTangent()

    def image_rrule(f: typeof_(primal), x: OperandInLists, *options: Any, **named: Any) -> tuple[Any, Any]:
        call = ImageCall(signature, name, (x, *options), named)
        y = apply(x, *options, **named)

        def pulled(argument: str, given: Any, y_bar: Any) -> Any:
            bar = pull(call, y, argument, y_bar)
            if not isinstance(bar, AbstractZero):
                return cotangent_in_lists(given, bar)
            return bar if np.result_type(primal_of(array_of(given))).kind in "fc" else NO_TANGENT

        def image_pullback(y_bar: Any) -> Any:
            if isinstance(y_bar, AbstractZero):
                return NO_TANGENT, *(y_bar for _ in (x, *options))
            return NO_TANGENT, *(
                Thunk(pulled, argument, given, y_bar)
                if argument in differentiable and given is not None
                else NO_TANGENT
                for argument, given in zip(names, (x, *options), strict=False)
            )

        return y, image_pullback

    define(image_frule, image_rrule)
