"""Rules for clipping, and for replacing elements that are not finite numbers.

An element on a bound is inside, and gets the cotangent. Where the lower bound is above the upper one, `clip`
gives the upper one, which then gets the cotangent. A bound that is NaN gets it too.
"""

import numpy as np

from chainrules.formulas.numbers.portions import portion
from chainrules.shortcuts.numpy.clipping import cotangent_within_numbers
from chainrules.values.operands import Operand, refuse_out
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    frule,
    primal_of,
    rrule,
    shortened_by,
    sum_tangents,
    typeof_,
    unbroadcast,
)

# --- clip --------------------------------------------------------------------------------------------------


@frule.dispatch
def clip_frule(tangents, f: typeof_(np.clip), x: Operand, *bounds, **named):
    _, *dots = tangents
    low, high = _read_bounds(*bounds, **named)
    y = np.clip(x, *bounds, **named)
    terms = [
        portion(x_dot, is_chosen(y, x, low, high))
        for x_dot, is_chosen in zip(dots, _IS_CHOSEN, strict=False)
        if not isinstance(x_dot, AbstractZero)
    ]
    return y, ProjectTo(y)(sum_tangents(y, terms)) if terms else dots[0]


@rrule.dispatch
def clip_rrule(f: typeof_(np.clip), x: Operand, *bounds, **named):
    low, high = _read_bounds(*bounds, **named)
    y = np.clip(x, *bounds, **named)
    values = y, x, low, high

    def clip_pullback(y_bar):
        bound_bars = [
            NO_TANGENT if bound is None else Thunk(_cotangent_of, bound, y_bar, values, is_chosen)
            for bound, is_chosen in zip(bounds, (_is_low, _is_high, None), strict=False)
        ]
        return NO_TANGENT, _array_cotangent(y_bar, values), *bound_bars

    return y, clip_pullback


@shortened_by(cotangent_within_numbers)
def _array_cotangent(y_bar, values):
    """The cotangent of the array, from its values and the bounds."""
    _, x, *_ = values
    return _cotangent_of(x, y_bar, values, _is_between_bounds)


def _cotangent_of(operand, y_bar, values, is_chosen):
    return unbroadcast(operand, portion(y_bar, is_chosen(*values)))


def _read_bounds(
    a_min=None,
    a_max=None,
    out=None,
    *,
    min=None,  # noqa: A002 - NumPy's name
    max=None,  # noqa: A002 - NumPy's name
    **keywords,
):
    refuse_out("np.clip", out)
    refused = [
        name for name in keywords if name != "casting"
    ]  # that forbids conversions, and changes nothing
    if refused:
        raise TypeError(
            f"np.clip(..., {refused[0]}=...) cannot be differentiated: the rule is for the bounds "
            "alone. Choose elements with `np.where`, and convert with `x.astype(dtype)`."
        )
    return (min if a_min is None else a_min), (max if a_max is None else a_max)


def _is_between_bounds(y, x, low, high):
    """Where the result is the element itself."""
    y, x = primal_of(y), primal_of(x)
    is_unchanged = np.equal(y, x) | np.isnan(x)
    if low is None or high is None:
        return is_unchanged
    return is_unchanged & np.less_equal(primal_of(low), primal_of(high))


def _is_high(y, x, low, high):
    """Where the result is the upper bound."""
    if high is None:
        return np.False_
    high = primal_of(high)
    is_above = np.greater(primal_of(x), high) | np.isnan(high)
    return is_above if low is None else is_above | np.greater(primal_of(low), high)


def _is_low(y, x, low, high):
    """Where the result is the lower bound."""
    return ~(_is_between_bounds(y, x, low, high) | _is_high(y, x, low, high))


_IS_CHOSEN = (_is_between_bounds, _is_low, _is_high)  # in the order of the arguments


# --- nan_to_num --------------------------------------------------------------------------------------------


@frule.dispatch
def nan_to_num_frule(tangents, f: typeof_(np.nan_to_num), x: Operand, *options, **named):
    _refuse_in_place(*options, **named)
    _, x_dot, *option_dots = tangents
    y = np.nan_to_num(x, *options, **named)
    both = 1 + 1j if np.iscomplexobj(primal_of(x)) else 1
    terms = [_picked_tangents(np.isfinite, x, x_dot)] + [
        _picked_tangents(is_replaced, x, both * fill_dot)
        for is_replaced, fill_dot in zip(_REPLACED, option_dots[1:], strict=False)
        if not isinstance(fill_dot, AbstractZero)
    ]
    return y, ProjectTo(y)(sum_tangents(y, terms))


@rrule.dispatch
def nan_to_num_rrule(f: typeof_(np.nan_to_num), x: Operand, *options, **named):
    _refuse_in_place(*options, **named)

    def nan_to_num_pullback(y_bar):
        fill_bars = (
            NO_TANGENT if fill is None else _fill_bar(fill, _picked_tangents(is_replaced, x, y_bar))
            for is_replaced, fill in zip(_REPLACED, options[1:], strict=False)
        )
        copy_bar = (NO_TANGENT,) if options else ()
        return NO_TANGENT, unbroadcast(x, _picked_tangents(np.isfinite, x, y_bar)), *copy_bar, *fill_bars

    return np.nan_to_num(x, *options, **named), nan_to_num_pullback


# Which elements the options `nan`, `posinf` and `neginf` replace, in the order of NumPy's signature.
_REPLACED = (np.isnan, np.isposinf, np.isneginf)


def _picked_tangents(is_picked, x, x_dot):
    """The tangents of some elements, and 0 for the others; real and imaginary parts are elements."""
    x = primal_of(x)
    if np.iscomplexobj(x):
        real = portion(np.real(x_dot), is_picked(np.real(x)))
        return real + 1j * portion(np.imag(x_dot), is_picked(np.imag(x)))
    return portion(x_dot, is_picked(x))


def _fill_bar(fill, y_bar):
    """The cotangent of one number that stands in all these places, in real and imaginary parts alike."""
    return unbroadcast(fill, np.real(y_bar) + np.imag(y_bar))


def _refuse_in_place(copy=True, *_, **named) -> None:
    if not copy or not named.get("copy", True):
        raise TypeError(
            "np.nan_to_num(..., copy=False) cannot be differentiated: writing into the array leaves no trace "
            "for the derivative. Write `y = np.nan_to_num(x)` instead."
        )
