"""Shorter ways for means of plain arrays."""

from typing import Any

from chainrules.shortcuts.plain_reductions import OF_ALL, add_up, plain_reduction, repeated, repeated_along
from chainrules.values.reductions import Reduction, number_reduced
from chainrules_core import NO_TANGENT


def mean_of_plain(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """The mean of a plain array."""
    reduction = plain_reduction(x, options, named)
    if reduction is OF_ALL:
        size = x.size
        return add_up(x, None) / size, lambda y_bar: (NO_TANGENT, repeated(y_bar / size, x))
    return _mean_over_axes(x, reduction, len(options)) if reduction else None


def _mean_over_axes(x: Any, reduction: Reduction, number_of_options: int) -> Any:
    number = number_reduced(x, reduction)

    def mean_pullback(y_bar: Any) -> Any:
        x_bar = repeated_along(y_bar / number, x, reduction)
        return (NO_TANGENT, x_bar, NO_TANGENT) if number_of_options else (NO_TANGENT, x_bar)

    return add_up(x, reduction.axis, None, None, reduction.keepdims) / number, mean_pullback
