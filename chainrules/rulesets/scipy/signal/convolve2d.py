"""Rules for convolutions and correlations in a plane, which is extended beyond its borders.

The result is a part of the full convolution of the extended array, which has all that the mode reads, and
the rules are those of a valid convolution. A correlation is the convolution with the reversed conjugate.
"""

from typing import Any

import numpy as np
from scipy.signal import convolve, convolve2d, correlate2d

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.operations.extensions import extend, fold
from chainrules.values.operands import OperandInLists
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    frule,
    primitive,
    rrule,
    sum_tangents,
    typeof_,
    unbroadcast,
)

_convolve = primitive(convolve)
_EXTENSIONS = {"fill": "constant", "wrap": "wrap", "symm": "reflect"}

_FILL = 2  # the place of the number beyond the borders among the options


def _read(mode="full", boundary="fill", fillvalue=0) -> tuple[Any, Any, Any]:
    return mode, boundary, fillvalue


def _plane_rules(primal, correlates: bool) -> None:
    apply = primitive(primal)

    def by_number(x, v, mode, boundary):
        """The derivative by the number that stands beyond the borders."""
        return apply(np.zeros_like(array_of(x)), v, mode, boundary, 1.0)

    @frule.dispatch
    def plane_frule(
        tangents, f: typeof_(primal), x: OperandInLists, v: OperandInLists, *options: Any, **named: Any
    ):
        _, x_dot, v_dot, *option_dots = tangents
        mode, boundary, fillvalue = _read(*options, **named)
        y = apply(x, v, mode, boundary, fillvalue)
        terms = []
        if not isinstance(x_dot, AbstractZero):
            terms.append(apply(tangent_as_array(x, x_dot), v, mode, boundary))
        if not isinstance(v_dot, AbstractZero):
            terms.append(apply(x, tangent_as_array(v, v_dot), mode, boundary, fillvalue))
        if len(option_dots) > _FILL and not isinstance(option_dots[_FILL], AbstractZero):
            terms.append(by_number(x, v, mode, boundary) * option_dots[_FILL])
        return y, sum_tangents(y, terms or [x_dot])

    @rrule.dispatch
    def plane_rrule(f: typeof_(primal), x: OperandInLists, v: OperandInLists, *options: Any, **named: Any):
        mode, boundary, fillvalue = _read(*options, **named)
        y = apply(x, v, mode, boundary, fillvalue)

        def plane_pullback(y_bar):
            def pull(place: int):
                pulled = _pull(
                    place, y_bar, (array_of(x), array_of(v)), (mode, boundary, fillvalue), correlates
                )
                return cotangent_in_lists((x, v)[place], pulled)

            bars: list[Any] = [NO_TANGENT for _ in options]
            if len(options) > _FILL:
                bars[_FILL] = Thunk(
                    lambda: unbroadcast(fillvalue, np.sum(conjugate(by_number(x, v, mode, boundary)) * y_bar))
                )
            return NO_TANGENT, Thunk(pull, 0), Thunk(pull, 1), *bars

        return y, plane_pullback


def _pull(place: int, y_bar, arrays, how: tuple[Any, ...], correlates: bool):
    """The cotangent of the first or of the second array."""
    mode, boundary, fillvalue = how
    # Of the two the larger one is the plane, if only results without borders are wanted.
    is_swapped = mode == "valid" and any(n < m for n, m in zip(*map(shape_of, arrays), strict=True))
    if correlates:
        arrays = arrays[0], _reversed(arrays[1])
        y_bar = conjugate(y_bar) if is_swapped else y_bar  # SciPy conjugates the wrong one of the two then
    plane, kernel = arrays[::-1] if is_swapped else arrays
    full = _full(y_bar, shape_of(plane), shape_of(kernel), mode, correlates)
    extension = _EXTENSIONS[boundary]
    if place == is_swapped:
        bar = _convolve(full, _reversed(kernel))
        for axis, beyond in _beyond(kernel):
            bar = fold(bar, beyond, beyond, extension, axis)
    else:
        extended, inside = plane, np.ones(shape_of(plane))
        for axis, beyond in _beyond(kernel):
            extended = extend(extended, beyond, beyond, extension, axis)
            inside = extend(inside, beyond, beyond, extension, axis)
        bar = _convolve(_reversed(extended + fillvalue * (1.0 - inside)), full, "valid")
    return _reversed(bar) if correlates and place == 1 else bar


def _reversed(x):
    return conjugate(np.flip(x))


def _beyond(kernel):
    """The axes, and how far the convolution reads beyond the ends of each."""
    return [(axis, m - 1) for axis, m in enumerate(shape_of(kernel))]


def _full(y_bar, shape: tuple[int, ...], kernel: tuple[int, ...], mode: str, correlates: bool):
    """The cotangent of the full result, with zeros for the results that a mode leaves out."""
    for axis, (n, m) in enumerate(zip(shape, kernel, strict=True)):
        left_out = n + m - 1 - shape_of(y_bar)[axis]
        before = (left_out + (correlates and mode == "same")) // 2
        y_bar = zero_padded(y_bar, before, left_out - before, axis)
    return y_bar


_plane_rules(convolve2d, correlates=False)
_plane_rules(correlate2d, correlates=True)
