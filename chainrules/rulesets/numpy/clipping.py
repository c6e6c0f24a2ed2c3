"""Rules for clipping, and for replacing what is not a finite number.

An element on a bound is inside, and gets the cotangent. Where the lower bound is above the upper one, `clip`
gives the upper one, which then gets it; and so does a bound that is NaN.
"""

from typing import Any

import numpy as np

from chainrules.operands import Operand, refuse_out
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    typeof_,
    unthunk,
)
from chainrules_core.scalar_products import fitted, total

# --- clip --------------------------------------------------------------------------------------------------


@frule.dispatch
def clip_frule(tangents: Any, f: typeof_(np.clip), x: Operand, *bounds: Any, **named: Any) -> tuple[Any, Any]:
    chosen = _chosen(x, *_read_bounds(*bounds, **named))
    y = np.clip(x, *bounds, **named)
    dots = [unthunk(x_dot) for x_dot in tangents[1:]]
    terms = [
        np.where(is_chosen, x_dot, 0)
        for is_chosen, x_dot in zip(chosen, dots, strict=False)
        if not isinstance(x_dot, AbstractZero)
    ]
    return y, ProjectTo(y)(total(y, terms)) if terms else dots[0]


@rrule.dispatch
def clip_rrule(f: typeof_(np.clip), x: Operand, *bounds: Any, **named: Any) -> tuple[Any, Any]:
    chosen = _chosen(x, *_read_bounds(*bounds, **named))

    def clip_pullback(y_bar: Any) -> tuple[Any, ...]:
        y_bar = unthunk(y_bar)
        return NoTangent(), *(
            NoTangent() if operand is None else fitted(operand, np.where(is_chosen, y_bar, 0))
            for operand, is_chosen in zip((x, *bounds), (*chosen, None), strict=False)
        )

    return np.clip(x, *bounds, **named), clip_pullback


def _read_bounds(
    a_min: Any = None,
    a_max: Any = None,
    out: Any = None,
    *,
    min: Any = None,  # noqa: A002 - NumPy's name
    max: Any = None,  # noqa: A002 - NumPy's name
    **keywords: Any,
) -> tuple[Any, Any]:
    refuse_out("np.clip", out)
    if keywords:
        raise TypeError(
            f"np.clip(..., {next(iter(keywords))}=...) cannot be differentiated: the rule is for the bounds "
            "alone. Choose elements with `np.where`, and convert with `x.astype(dtype)`."
        )
    return (min if a_min is None else a_min), (max if a_max is None else a_max)


def _chosen(x: Any, low: Any, high: Any) -> tuple[Any, Any, Any]:
    """Where the result is the element itself, the lower bound, the upper bound."""
    x, low, high = primal_of(x), primal_of(low), primal_of(high)
    is_high = np.False_ if high is None else np.greater(x, high) | np.isnan(high)
    if low is None:
        return ~is_high, np.False_, is_high
    if high is not None:
        is_high = is_high | np.greater(low, high)
    is_low = (np.less(x, low) | np.isnan(low)) & ~is_high
    return ~(is_low | is_high), is_low, is_high


# --- nan_to_num --------------------------------------------------------------------------------------------


@frule.dispatch
def nan_to_num_frule(
    tangents: Any, f: typeof_(np.nan_to_num), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    _refuse_in_place(*options, **named)
    _, x_dot, *option_dots = map(unthunk, tangents)
    y = np.nan_to_num(x, *options, **named)
    both = 1 + 1j if np.iscomplexobj(primal_of(x)) else 1
    terms = [_picked(np.isfinite, x, x_dot)] + [
        _picked(is_replaced, x, both * fill_dot)
        for is_replaced, fill_dot in zip(_REPLACED, option_dots[1:], strict=False)
        if not isinstance(fill_dot, AbstractZero)
    ]
    return y, ProjectTo(y)(total(y, terms))


@rrule.dispatch
def nan_to_num_rrule(f: typeof_(np.nan_to_num), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    _refuse_in_place(*options, **named)

    def nan_to_num_pullback(y_bar: Any) -> tuple[Any, ...]:
        y_bar = unthunk(y_bar)
        fill_bars = (
            NoTangent() if fill is None else _fill_bar(fill, _picked(is_replaced, x, y_bar))
            for is_replaced, fill in zip(_REPLACED, options[1:], strict=False)
        )
        copy_bar = (NoTangent(),) if options else ()
        return NoTangent(), fitted(x, _picked(np.isfinite, x, y_bar)), *copy_bar, *fill_bars

    return np.nan_to_num(x, *options, **named), nan_to_num_pullback


# What the options `nan`, `posinf` and `neginf` take the place of, in the order of NumPy's signature.
_REPLACED = (np.isnan, np.isposinf, np.isneginf)


def _picked(is_picked: Any, x: Any, x_dot: Any) -> Any:
    """The tangents of some elements, and 0 for the others; real and imaginary parts are elements."""
    x = primal_of(x)
    if np.iscomplexobj(x):
        real = np.where(is_picked(np.real(x)), np.real(x_dot), 0)
        return real + 1j * np.where(is_picked(np.imag(x)), np.imag(x_dot), 0)
    return np.where(is_picked(x), x_dot, 0)


def _fill_bar(fill: Any, y_bar: Any) -> Any:
    """The cotangent of what stands in all these places, in real and imaginary parts alike."""
    return fitted(fill, np.real(y_bar) + np.imag(y_bar))


def _refuse_in_place(copy: Any = True, *_: Any, **named: Any) -> None:
    if not copy or not named.get("copy", True):
        raise TypeError(
            "np.nan_to_num(..., copy=False) cannot be differentiated: writing into the array leaves no trace "
            "for the derivative. Write `y = np.nan_to_num(x)` instead."
        )
