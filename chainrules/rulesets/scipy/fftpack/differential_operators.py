"""Rules for operators on periodic sequences: each multiplies the frequencies of a sequence of `n` elements.

    y = F⁻¹ m F x,  m_k = μ(2πk / period)

for the whole numbers `k` from ``-n/2`` to ``n/2``. A derivative by a parameter is that of ``m``. Where `n` is
even, SciPy takes the highest frequency for zero in `diff` and in operators that are odd. In `shift` it
multiplies it by ``cos(an/2) + sin(an/2)``.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fftpack

from chainrules.formulas.calls.compositions import pull_composition, push_composition, value_of
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, is_complex, primitive, rrule, typeof_

# Beyond it `sinh` and `cosh` are exponential functions, and are soon infinite.
_FAR = 300.0


def _quotient(f, u, g, v):
    """``f(u) / g(v)`` of functions `sinh` or `cosh`; far off both are divided by ``exp |v|`` first."""
    far = np.abs(value_of(v))
    is_far = far > _FAR

    def scaled(f, x):
        sign = 1.0 if f is np.cosh else -1.0
        far_off = np.exp(np.where(is_far, x - far, 0.0)) + sign * np.exp(np.where(is_far, -x - far, 0.0))
        return np.where(is_far, 0.5 * far_off, f(np.where(is_far, 0.0, x)))

    return scaled(f, u) / scaled(g, v)


# The multiplier of a frequency, with the parameters of the operator.
_MULTIPLIERS: dict[str, Callable[..., Any]] = {
    "diff": lambda w, order=1: (1j * w) ** value_of(order),
    "tilbert": lambda w, h: 1j / np.tanh(h * w),
    "itilbert": lambda w, h: -1j * np.tanh(h * w),
    "hilbert": lambda w: 1j * np.sign(w),
    "ihilbert": lambda w: -1j * np.sign(w),
    "cs_diff": lambda w, a, b: -1j * _quotient(np.cosh, a * w, np.sinh, b * w),
    "sc_diff": lambda w, a, b: 1j * _quotient(np.sinh, a * w, np.cosh, b * w),
    "ss_diff": lambda w, a, b: _quotient(np.sinh, a * w, np.sinh, b * w),
    "cc_diff": lambda w, a, b: _quotient(np.cosh, a * w, np.cosh, b * w),
    "shift": lambda w, a: np.exp(1j * (a * w)),
}
# That of frequency zero, if it is another number than zero, and that of the highest frequency of an even `n`.
_AT_ZERO: dict[str, Callable[..., Any]] = {
    "ss_diff": lambda a, b: a / b,
    "cc_diff": lambda a, b: 1.0,
    "shift": lambda a: 1.0,
}
_AT_HIGHEST: dict[str, Callable[..., Any]] = {
    "ss_diff": _MULTIPLIERS["ss_diff"],
    "cc_diff": _MULTIPLIERS["cc_diff"],
    "shift": lambda w, a: np.cos(a * w) + np.sin(a * w),
}


def _zero(*args, **named) -> float:
    return 0.0


def _operator_rules(name: str) -> None:
    primal = getattr(scipy.fftpack, name)
    apply, names = primitive(primal), list(inspect.signature(primal).parameters)[1:]
    multiplier, at_zero = _MULTIPLIERS[name], _AT_ZERO.get(name, _zero)
    at_highest = _AT_HIGHEST.get(name, _zero)

    def composition(x, *options, **named):
        given = dict(zip(names, options, strict=False)) | named
        given.pop("_cache", None)
        period = given.pop("period", None)
        if value_of(given.get("order", 1)) == 0:
            return x
        n = x.shape[0]
        k = (np.arange(n) + (n - 1) // 2) % n - (n - 1) // 2
        w = np.where(k == 0, 1.0, k)
        if value_of(period) is not None:
            w = w * (2.0 * np.pi / period)
        m = np.where(k == 0, at_zero(**given), multiplier(w, **given))
        m = np.where(2 * k == n, at_highest(w, **given), m)
        y = np.fft.ifft(m * np.fft.fft(x * np.float64(1.0)))
        return y if is_complex(value_of(x)) else np.real(y)

    @frule.dispatch
    def operator_frule(tangents, f: typeof_(primal), x: ArrayOperand, *options, **named):
        dots = push_composition(functools.partial(composition, **named), (x, *options), tangents[1:])
        return apply(x, *options, **named), dots

    @rrule.dispatch
    def operator_rrule(f: typeof_(primal), x: ArrayOperand, *options, **named):
        def operator_pullback(y_bar):
            bars = pull_composition(functools.partial(composition, **named), (x, *options), y_bar)
            return NO_TANGENT, ProjectTo(x)(bars[0]), *map(_projected, options, bars[1:])

        return apply(x, *options, **named), operator_pullback


def _projected(parameter, bar):
    return NO_TANGENT if isinstance(bar, AbstractZero) else ProjectTo(parameter)(bar)


for _name in _MULTIPLIERS:
    _operator_rules(_name)
