"""Rules for the logarithms of sums of exponentials, and for the shares of the terms in them.

Of ``y = log Σ bᵢ exp aᵢ``, with the sum ``S``::

    dy = dS / S = Σ (exp aᵢ / S) (bᵢ daᵢ + dbᵢ)

where ``exp(aᵢ) / S = exp(aᵢ - y)`` does not overflow. With ``return_sign`` the results are ``y = log |S|``
and the phase ``s = S / |S|``, so that ``dy = Re(dS / S)`` and ``ds = i s Im(dS / S)``, which is 0 for real
numbers; then ``exp(aᵢ) / S = exp(aᵢ - y) conj(s)``. Where the sum is infinite, or zero because all
exponentials are, the terms that are equally large share it equally, as those of `numpy.logaddexp` do.

The shares ``p = exp(a - y)``, `softmax`, have ``dp = p (da - Σ p da)``; their logarithms ``da - Σ p da``.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import special

from chainrules.makers.versions import present
from chainrules.numerics.lazy_sums import by_numpy_if_lazy, lazy_log_softmax, lazy_logsumexp, lazy_softmax
from chainrules.values.operands import Operand
from chainrules.values.reductions import reduced_axes, shape_of
from chainrules.values.several_arrays import array_of
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    Thunk,
    frule,
    is_complex,
    is_lazy,
    may_hold,
    primal_of,
    primitive,
    rrule,
    scalar_rule,
    strong_product,
    typeof_,
    unbroadcast,
    without_warnings,
)

_logsumexp = by_numpy_if_lazy(primitive(special.logsumexp), lazy_logsumexp)
_softmax = by_numpy_if_lazy(primitive(special.softmax), lazy_softmax)
_log_softmax = by_numpy_if_lazy(primitive(special.log_softmax), lazy_log_softmax)

# --- logsumexp ---------------------------------------------------------------------------------------------


@frule.dispatch
def logsumexp_frule(tangents, f: typeof_(special.logsumexp), a: Operand, *options, **named):
    results = _logsumexp(a, *options, **named)
    call = _read(results, a, *options, **named)
    _, a_dot, *option_dots = tangents
    b_dot = option_dots[_WEIGHTS] if len(option_dots) > _WEIGHTS else NO_TANGENT
    return results, _push(call, a_dot, b_dot)


@rrule.dispatch
def logsumexp_rrule(f: typeof_(special.logsumexp), a: Operand, *options, **named):
    results = _logsumexp(a, *options, **named)
    call = _read(results, a, *options, **named)

    def logsumexp_pullback(results_bar):
        bars: list[Any] = [NO_TANGENT] * len(options)
        if len(options) > _WEIGHTS and call.b is not None:
            bars[_WEIGHTS] = Thunk(_pull, call, call.b, _share, results_bar)
        return NO_TANGENT, _pull(call, a, _weighted_share, results_bar), *bars

    return results, logsumexp_pullback


_WEIGHTS = 1  # the place of `b` after the array


class _Sum(NamedTuple):
    """The terms of a sum, and its results in the shape of the terms, with axes of length one."""

    a: Any
    b: Any
    y: Any
    sign: Any
    axes: tuple[int, ...]
    terms: tuple[int, ...]  # the shape of the terms
    shape: tuple[int, ...]  # that of the results themselves


def _read(  # noqa: PLR0913, PLR0917 - SciPy's signature
    results, a, axis=None, b=None, keepdims=False, return_sign=False
):
    y, sign = results if return_sign else (results, None)
    shape = np.broadcast_shapes(shape_of(a), () if b is None else shape_of(b))
    axes = reduced_axes(axis, len(shape))
    kept = tuple(1 if place in axes else n for place, n in enumerate(shape))
    sign = None if sign is None else np.reshape(sign, kept)
    return _Sum(a, b, np.reshape(y, kept), sign, axes, shape, shape_of(y))


@without_warnings
def _push(call, a_dot, b_dot):
    terms = [
        np.sum(strong_product(share(call), dot), axis=call.axes, keepdims=True)
        for share, dot in ((_weighted_share, a_dot), (_share, b_dot))
        if not isinstance(dot, AbstractZero)
    ]
    change = np.reshape(sum(terms[1:], terms[0]), call.shape)
    if call.sign is None:
        return change
    sign_dot = (
        1j * np.reshape(call.sign, call.shape) * np.imag(change) if is_complex(call.sign) else 0.0 * change
    )
    return Tangent[tuple](np.real(change), sign_dot)


@without_warnings
def _pull(call, operand, share, results_bar):
    bar = _bar_of_change(call, results_bar)
    if isinstance(bar, AbstractZero):
        return unbroadcast(operand, bar)
    pulled = strong_product(conjugate(share(call)), np.reshape(bar, shape_of(call.y)))
    if shape_of(pulled) != call.terms:  # a view would be copied for the caller
        pulled = np.broadcast_to(pulled, call.terms)
    return unbroadcast(operand, pulled)


def _bar_of_change(call, results_bar):
    """The cotangent of ``dS / S``."""
    if call.sign is None:
        return results_bar
    y_bar, sign_bar = results_bar
    if isinstance(sign_bar, AbstractZero) or not is_complex(call.sign):
        return y_bar
    along = 1j * np.imag(np.conjugate(np.reshape(call.sign, call.shape)) * sign_bar)
    return along if isinstance(y_bar, AbstractZero) else y_bar + along


def _share(call):
    """``exp(a) / S``."""
    exponent = call.a - call.y
    if is_complex(call.y) or is_complex(call.a):
        return _turned_back(call, np.exp(exponent))
    y = primal_of(call.y)
    if not may_hold(np.isinf(y)):
        return _turned_back(call, np.exp(exponent))
    is_tie = np.isnan(primal_of(exponent)) & (primal_of(call.a) == y)
    weights = 1.0 if call.b is None else primal_of(call.b)
    number = np.sum(is_tie * weights, axis=call.axes, keepdims=True)
    of_each = 1.0 / (np.where(number == 0, 1.0, number) if is_lazy(number) else number)
    return np.where(is_tie, of_each, _turned_back(call, np.exp(np.where(is_tie, 0.0, exponent))))


def _turned_back(call, share):
    return share if call.sign is None else share * np.conjugate(call.sign)


def _weighted_share(call):
    """``b exp(a) / S``, which is zero where the weight is, whatever the exponential."""
    share = _share(call)
    if call.b is None:
        return share
    return strong_product(share, array_of(call.b))


# --- Shares ------------------------------------------------------------------------------------------------


def _sums(x, axis=None):
    return np.sum(x, axis=axis, keepdims=True)


@frule.dispatch
def softmax_frule(tangents, f: typeof_(special.softmax), x: Operand, *axis: Any, **named: Any):
    p, x_dot = _softmax(x, *axis, **named), tangents[1]
    return p, p * (x_dot - _sums(p * x_dot, *axis, **named))


@rrule.dispatch
def softmax_rrule(f: typeof_(special.softmax), x: Operand, *axis: Any, **named: Any):
    p, project = _softmax(x, *axis, **named), ProjectTo(x)

    def softmax_pullback(p_bar):
        x_bar = strong_product(conjugate(p), p_bar)
        x_bar = x_bar - strong_product(conjugate(p), _sums(x_bar, *axis, **named))
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(axis)

    return p, softmax_pullback


@frule.dispatch
def log_softmax_frule(tangents, f: typeof_(special.log_softmax), x: Operand, *axis: Any, **named: Any):
    y, x_dot = _log_softmax(x, *axis, **named), tangents[1]
    return y, x_dot - _sums(np.exp(y) * x_dot, *axis, **named)


@rrule.dispatch
def log_softmax_rrule(f: typeof_(special.log_softmax), x: Operand, *axis: Any, **named: Any):
    y, project = _log_softmax(x, *axis, **named), ProjectTo(x)

    def log_softmax_pullback(y_bar):
        x_bar = y_bar - strong_product(np.exp(conjugate(y)), _sums(y_bar, *axis, **named))
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(axis)

    return y, log_softmax_pullback


# --- softplus ----------------------------------------------------------------------------------------------

for _softplus in present(special, "softplus"):  # since SciPy 1.15

    @scalar_rule(_softplus)
    def _(y, x: Operand):
        return special.expit(x)
