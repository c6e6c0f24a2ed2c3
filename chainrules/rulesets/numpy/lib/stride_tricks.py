"""Rules for views of an array in which elements may appear many times: their cotangents are added."""

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from chainrules.formulas.arrays.places import returned
from chainrules.makers.linear_rules import selection_rule
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import NO_TANGENT, frule, primal_of, primitive, rrule, typeof_

selection_rule(sliding_window_view)


@frule.dispatch
def as_strided_frule(tangents: Any, f: typeof_(as_strided), x: ArrayOperand, *options: Any, **named: Any):
    places = _places_in_view(x, *options, **named)
    # The tangent may lie in memory in another way.
    return primitive(as_strided)(x, *options, **named), np.ravel(tangents[1])[places]


@rrule.dispatch
def as_strided_rrule(f: typeof_(as_strided), x: ArrayOperand, *options: Any, **named: Any):
    shape = shape_of(x)
    places = _places_in_view(x, *options, **named)

    def as_strided_pullback(y_bar):
        return NO_TANGENT, returned(y_bar, shape, places), *(NO_TANGENT,) * len(options)

    return primitive(as_strided)(x, *options, **named), as_strided_pullback


def _places_in_view(x: Any, shape: Any = None, strides: Any = None, *_: Any, **__: Any) -> Any:
    """For each element of the result its place among the elements of the array.

    Raises
    ------
    ValueError
        If the result would show memory that is none of the array's elements.
    """
    x = primal_of(x)
    shape, strides = x.shape if shape is None else shape, x.strides if strides is None else strides
    offsets = np.ravel(_offsets(x.shape, x.strides))
    order = np.argsort(offsets)
    wanted = _offsets(np.atleast_1d(shape), np.atleast_1d(strides))
    found = np.searchsorted(offsets[order], wanted)
    places = order[np.minimum(found, len(order) - 1)] if len(order) else found
    if np.any(offsets[places] != wanted):
        raise ValueError(
            "as_strided shows memory beside the elements of the array that it was given, which no derivative "
            "reaches. Give it the array that holds them all."
        )
    return places


def _offsets(shape: Any, strides: Any) -> Any:
    """Where in memory each element lies, from the first on."""
    steps = (np.arange(n) * stride for n, stride in zip(shape, strides, strict=True))
    return sum(np.ix_(*steps), start=np.zeros((), dtype=np.intp))
