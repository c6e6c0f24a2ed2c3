"""Rules for products of elements, whole and running ones.

The derivative of a product by a factor is the product of all others. It is the product divided by the factor
where that can be done; where it is zero, or has left the range of numbers, the others are multiplied instead.

The running products are ``y[k] = x[k] y[k-1]``. So for each of them ``y_dot[k] = x[k] y_dot[k-1] + x_dot[k]
y[k-1]``, which is ``y[k]`` times the running sum of ``x_dot / x`` where one can divide.
"""

import numpy as np

from chainrules.formulas.arrays.running_results import pull_running, push_running
from chainrules.formulas.arrays.running_sums import sums_from_the_end
from chainrules.shortcuts.numpy.element_products import prod_of_plain
from chainrules.values.callee_unions import typeof_any
from chainrules.values.lazy_arrays import is_untraced_lazy
from chainrules.values.operands import Operand
from chainrules.values.reductions import (
    Reduction,
    beside,
    factor_for,
    laid_back,
    lined_up,
    option_cotangents,
    read_sum,
    shape_of,
    summed,
)
from chainrules.values.running_reductions import read_cumulative, read_running, without_start
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    shortened_by,
    strong_product,
    typeof_,
)

_INITIAL = 4  # the place of `initial` after the array


@frule.dispatch
def prod_frule(tangents, f: typeof_any((np.prod, np.nanprod)), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    reduction, initial = read_sum(f, x, *options, **named)
    y = f(x, *options, **named)
    y_dot = x_dot
    if not isinstance(x_dot, AbstractZero):
        terms = strong_product(_product_of_others(x, y, reduction, initial), x_dot)
        y_dot = summed(terms, reduction, y.dtype)
    if len(option_dots) > _INITIAL:
        y_dot = y_dot + np.prod(x, **reduction._asdict()) * option_dots[_INITIAL]
    return y, y_dot


@rrule.dispatch
@shortened_by(prod_of_plain)
def prod_rrule(f: typeof_any((np.prod, np.nanprod)), x: Operand, *options, **named):
    reduction, initial = read_sum(f, x, *options, **named)
    y = f(x, *options, **named)
    project = ProjectTo(x)

    def prod_pullback(y_bar):
        x_bar = strong_product(
            conjugate(_product_of_others(x, y, reduction, initial)), factor_for(y_bar, x, reduction)
        )
        option_bars = option_cotangents(
            options,
            _INITIAL,
            lambda: np.sum(strong_product(conjugate(np.prod(x, **reduction._asdict())), y_bar)),
        )
        return NO_TANGENT, project(x_bar), *option_bars

    return y, prod_pullback


def _product_of_others(x, y, reduction: Reduction, initial):
    """For each element the product of the others that it is multiplied with; `y` is the product of all."""
    if reduction.where is not True:
        x = np.where(reduction.where, x, 1)
        reduction = reduction._replace(where=True)
    if is_untraced_lazy(x) and initial is None:
        return _lazy_product_of_others(x, reduction)
    if _can_divide_by(x, y):
        return beside(y, x, reduction) / x
    lines = lined_up(x, reduction.axis)
    others = _products_before(lines) * np.flip(_products_before(np.flip(lines, 0)), 0)
    others = laid_back(others, x, reduction.axis)
    return others if initial is None else initial * others


def _lazy_product_of_others(x, reduction: Reduction):
    """The same of an array in which nobody looks for zeros; NaN if a product left the range of numbers."""
    is_zero = x == 0
    kept = reduction._replace(keepdims=True)
    n_zeros = summed(is_zero, kept, int)
    product = np.prod(np.where(is_zero, 1, x), axis=kept.axis, keepdims=True)
    limits, size = np.finfo(x.dtype), np.abs(product)
    product = np.where((size >= limits.tiny) & (size <= limits.max), product, np.nan)
    of_zeros = np.where(n_zeros == 1, product, 0)
    return np.where(is_zero, of_zeros, np.where(n_zeros == 0, product / np.where(is_zero, 1, x), 0))


def _products_before(lines):
    """For each element along the first axis the product of the elements before it."""
    return np.concatenate((np.ones_like(lines[:1]), np.cumprod(lines[:-1], axis=0)))


# The derivatives of a quotient by a smaller part of the others, or of 1, would lose too many digits.
_LEAST_FACTOR = 1e-4


def _can_divide_by(x, y) -> bool:
    """Whether the products `y` of factors `x` can be divided by them, and the quotients differentiated.

    Products may be neither zero nor too large or small to be numbers of full precision. The derivatives of a
    quotient cancel: a factor that is differentiated by may not be nearly zero.
    """
    if primal_of(x) is not x:
        sizes = np.abs(primal_of(x))
        if np.min(sizes, initial=np.inf) < _LEAST_FACTOR * np.max(sizes, initial=1):
            return False
    y = np.abs(primal_of(y))
    if y.dtype.kind != "f":
        return bool((y != 0).all())
    limits = np.finfo(y.dtype)
    return bool(((y >= limits.tiny) & (y <= limits.max)).all())


# --- Running products ------------------------------------------------------------------------------


@frule.dispatch
def cumprod_frule(tangents, f: typeof_any((np.cumprod, np.nancumprod)), x: Operand, *options, **named):
    axis = read_running(f, x, *options, **named)
    y = f(x, *options, **named)
    x_dot = tangents[1]
    factors, x_dot = _numbers_only(f, x, x_dot)
    return y, _push_running(factors, x_dot, y, axis)


@rrule.dispatch
def cumprod_rrule(f: typeof_any((np.cumprod, np.nancumprod)), x: Operand, *options, **named):
    axis = read_running(f, x, *options, **named)
    y = f(x, *options, **named)
    project = ProjectTo(x)

    def cumprod_pullback(y_bar):
        factors, _ = _numbers_only(f, x, 0)
        x_bar = _numbers_only(f, x, _pull_running(factors, y, y_bar, axis))[1]
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(options)

    return y, cumprod_pullback


def _push_running(x, x_dot, y, axis):
    """The tangent of the running products `y`."""
    if _can_divide_by(x, y):
        return y * np.cumsum(x_dot / x, axis=axis, dtype=y.dtype)
    if axis is None:
        x, x_dot, axis = np.reshape(x, -1), np.reshape(x_dot, -1), 0
    return push_running(np.multiply, x, x_dot, y, axis)


def _pull_running(x, y, y_bar, axis):
    """The cotangent of the factors of the running products `y`."""
    shape = shape_of(x)
    if axis is None:
        x, axis = np.reshape(x, -1), 0
    if _can_divide_by(x, y):
        x_bar = sums_from_the_end(y_bar * conjugate(y), axis) / conjugate(x)
    else:
        x_bar = pull_running(np.multiply, x, y, y_bar, axis)
    return np.reshape(x_bar, shape)


def _numbers_only(f, x, x_dot):
    if f is not np.nancumprod:
        return x, x_dot
    is_nan = np.isnan(primal_of(x))
    return np.where(is_nan, 1, x), np.where(is_nan, 0, x_dot)


@frule.dispatch
def cumulative_prod_frule(tangents, f: typeof_(np.cumulative_prod), x: Operand, **named):
    axis, has_start = read_cumulative(f, x, **named)
    y = np.cumulative_prod(x, **named)
    x_dot = tangents[1]
    if not has_start:
        return y, _push_running(x, x_dot, y, axis)
    y_dot = _push_running(x, x_dot, without_start(y, axis), axis)
    start_dot = np.zeros_like(np.moveaxis(y, axis, 0)[:1])
    return y, np.moveaxis(np.concatenate((start_dot, np.moveaxis(y_dot, axis, 0))), 0, axis)


@rrule.dispatch
def cumulative_prod_rrule(f: typeof_(np.cumulative_prod), x: Operand, **named):
    axis, has_start = read_cumulative(f, x, **named)
    y = np.cumulative_prod(x, **named)
    project = ProjectTo(x)

    def cumulative_prod_pullback(y_bar):
        if has_start:
            x_bar = _pull_running(x, without_start(y, axis), without_start(y_bar, axis), axis)
        else:
            x_bar = _pull_running(x, y, y_bar, axis)
        return NO_TANGENT, project(x_bar)

    return y, cumulative_prod_pullback
