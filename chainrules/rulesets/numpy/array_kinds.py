"""Rules for changing the kind of an array, which leaves its elements the same, and for copies.

The precision may change; the cotangent is given back the precision of the argument. Numbers that
are converted to integers have no derivative any more.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.makers.linear_rules import tangent_like
from chainrules.operations.casting import astype
from chainrules.values.lazy_arrays import refuse_lazy_items
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_as_array
from chainrules_core import NO_TANGENT, ProjectTo, contains_carrier, frule, primitive, rrule, typeof_


def _conversion_rules(primal: Callable[..., Any]) -> None:
    """Define the rules of a function that makes an array of a number, an array, or nested lists."""
    call, name = primitive(primal), f"np.{primal.__name__}"
    keeps_order = primal in {np.array, np.asarray, np.asanyarray}

    def apply(x: Any, stacked: Any, options: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The result; an array that was made of a list here needs no copy."""
        return (
            stacked
            if keeps_order and stacked is not x and not options and not named
            else call(stacked, *options, **named)
        )

    @frule.dispatch
    def convert_frule(
        tangents: Any, f: typeof_(primal), x: list | tuple | Operand, *options: Any, **named: Any
    ):
        refuse_lazy_items(name, x)
        y = apply(x, _without_traced_items(x), options, named)
        x_dot = np.reshape(tangent_as_array(x, tangents[1]), shape_of(y))
        return y, tangent_like(y, x_dot)

    @rrule.dispatch
    def convert_rrule(f: typeof_(primal), x: list | tuple | Operand, *options: Any, **named: Any):
        refuse_lazy_items(name, x)
        project = ProjectTo(x)
        stacked = _without_traced_items(x)
        shape = shape_of(stacked)

        def convert_pullback(y_bar):
            x_bar = project(np.reshape(y_bar, shape))
            return NO_TANGENT, x_bar, *(NO_TANGENT,) * len(options)

        return apply(x, stacked, options, named), convert_pullback


def _without_traced_items(x: Any) -> Any:
    """`x`, or a carrier of an array if it is a list that holds carriers: NumPy does not look into them."""
    if not isinstance(x, list | tuple) or not contains_carrier(x):
        return x
    return np.stack([_without_traced_items(item) for item in x])


_conversion_rules(np.array)
_conversion_rules(np.asarray)
_conversion_rules(np.asanyarray)
_conversion_rules(np.asarray_chkfinite)
_conversion_rules(np.ascontiguousarray)
_conversion_rules(np.asfortranarray)
_conversion_rules(np.require)
_conversion_rules(np.copy)


@frule.dispatch
def astype_frule(tangents: Any, f: typeof_(np.astype), x: Operand, dtype: Any, **named: Any):
    return frule.unchecked(tangents, astype, x, dtype, **_for_method(**named))


@rrule.dispatch
def astype_rrule(f: typeof_(np.astype), x: Operand, dtype: Any, **named: Any):
    return rrule.unchecked(astype, x, dtype, **_for_method(**named))


def _for_method(*, copy: bool = True, device: None = None) -> dict[str, Any]:
    return {"copy": copy}
