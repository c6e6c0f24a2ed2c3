"""Rules of convolutions and correlations of arrays with any number of axes, in each mode of SciPy.

For the full convolution ``y_k = Σ_n x_n v_(k-n)``:

    x_bar_n = Σ_k y_bar_k conj(v_(k-n))                v_bar_n = Σ_k y_bar_k conj(x_(k-n))

Each is a convolution with the reversed conjugate, of which the valid part is kept. A correlation is the
convolution with the reversed conjugate of `v`. The other modes leave out results near the ends, whose
cotangents are zero. Along axes that are not convolved the arrays are multiplied, and broadcast.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.values.operands import OperandInLists
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    define,
    primal_of,
    primitive,
    rule_maker,
    sum_tangents,
    typeof_,
    unbroadcast,
)


@rule_maker
def convolution_rules(
    primal: Callable[..., Any], convolution: Callable[..., Any], takes_axes: bool = False
) -> None:
    """Define the rules of a convolution, or of a correlation.

    Parameters
    ----------
    primal
        The function, ``y = primal(x, v, mode, option)``.
    convolution
        The same function, or that which convolves, if this one correlates.
    takes_axes
        Whether the option is the axes, and not the method.
    """
    apply, convolve = primitive(primal), primitive(convolution)
    correlates = convolution is not primal

    def convolution_frule(
        tangents: Any, f: typeof_(primal), x: OperandInLists, v: OperandInLists, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        x_dot, v_dot = tangents[1:3]
        y = apply(x, v, *options, **named)
        terms = []
        if not isinstance(x_dot, AbstractZero):
            terms.append(apply(tangent_as_array(x, x_dot), v, *options, **named))
        if not isinstance(v_dot, AbstractZero):
            terms.append(apply(x, tangent_as_array(v, v_dot), *options, **named))
        return y, sum_tangents(y, terms or [x_dot])

    def convolution_rrule(
        f: typeof_(primal), x: OperandInLists, v: OperandInLists, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        y = apply(x, v, *options, **named)
        mode, option = _read_axes(*options, **named) if takes_axes else _read_method(*options, **named)

        def pull(place: int, y_bar: Any) -> Any:
            arrays = array_of(x), array_of(v)
            own, other = arrays[place], arrays[1 - place]
            axes = _axes_of(own, option if takes_axes else None)
            if not np.size(primal_of(y)):
                return cotangent_in_lists((x, v)[place], np.zeros_like(primal_of(own)))
            full = full_cotangent(y_bar, *arrays, mode, axes)
            # A correlation reverses the second array once more.
            is_reversed = correlates and place == 0
            bar = convolve(full, other if is_reversed else _reversed(other, axes), "valid", option)
            if correlates and place == 1:
                bar = _reversed(bar, axes)
            return cotangent_in_lists((x, v)[place], unbroadcast(own, bar))

        def convolution_pullback(y_bar: Any) -> Any:
            bars = Thunk(pull, 0, y_bar), Thunk(pull, 1, y_bar)
            return NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

        return y, convolution_pullback

    define(convolution_frule, convolution_rrule)


def _read_method(mode: str = "full", method: str = "auto") -> tuple[str, str]:
    return mode, method


def _read_axes(mode: str = "full", axes: Any = None) -> tuple[str, Any]:
    return mode, axes


def _axes_of(x: Any, axes: Any) -> tuple[int, ...]:
    """The axes that are convolved, as numbers from zero."""
    ndim = len(shape_of(x))
    return tuple(range(ndim)) if axes is None else tuple(axis % ndim for axis in np.atleast_1d(axes).tolist())


def _reversed(x: Any, axes: tuple[int, ...]) -> Any:
    return conjugate(np.flip(x, axes))


def full_cotangent(y_bar: Any, x: Any, v: Any, mode: str, axes: tuple[int, ...]) -> Any:
    """The cotangent of the full result, with zeros for the results that a mode leaves out."""
    if mode == "full":
        return y_bar
    for axis, (n, m) in enumerate(zip(shape_of(x), shape_of(v), strict=True)):
        length = n + m - 1 if axis in axes else max(n, m)
        kept = shape_of(y_bar)[axis]
        before = (length - kept) // 2
        y_bar = zero_padded(y_bar, before, length - kept - before, axis) if kept < length else y_bar
    return y_bar
