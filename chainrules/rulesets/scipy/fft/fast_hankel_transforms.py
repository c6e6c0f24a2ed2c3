"""Rules for the fast Hankel transform, of logarithmically spaced points.

The transform is ``A = exp(s q κ) E P C E a``, with ``E = diag(exp(s q j dln))`` for the places ``j``, counted
from the middle, the bias ``q`` and the offset ``κ``. Here ``s`` is -1, and 1 for the inverse. ``C`` is a
circulant matrix of a real kernel, and ``P`` reverses the order. For any such matrix ``(P C)ᵀ = P C``, so that
the whole is symmetric: ``a_bar`` is the transform of ``A_bar``.

The Fourier coefficients of the kernel are ``exp(l)``, of that of the inverse ``exp(-conj(l))``, with

    l = log Γ((μ+1+q)/2 + iη) - log Γ((μ+1-q)/2 - iη) + q log 2 + 2iη (log 2 - κ),    η = π m / (n dln)

For even `n` the last is replaced by its real part, ``exp(Re l) cos(Im l)``. So the tangent by a parameter is

    A_dot = s (q κ)_dot A + e_dot A + (the transform of e_dot a) + E P (l_dot * (P E⁻¹ A)),    e = s q j dln

where ``*`` is the product of the Fourier coefficients.

A. J. S. Hamilton, "Uncorrelated modes of the non-linear power spectrum", MNRAS 312, 257-284 (2000).
"""

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.fft import fht, ifht, irfft, rfft
from scipy.special import loggamma, psi

from chainrules.values.operands import ArrayOperand, NumberOperand, Operand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    frule,
    is_complex,
    primitive,
    rrule,
    strong_product,
    sum_tangents,
    typeof_,
    unbroadcast,
)

_rfft, _irfft = primitive(rfft), primitive(irfft)


class _Parameters(NamedTuple):
    dln: Any
    mu: Any
    offset: Any = 0.0
    bias: Any = 0.0


def _hankel_rules(primal, sign: float) -> None:
    apply = primitive(primal)

    def slope(place: int, a, A, parameters: _Parameters):
        """The derivative of the transform by a parameter."""
        dln, _, offset, bias = parameters
        n = shape_of(a)[-1]
        j = sign * (np.arange(n) - (n - 1) / 2)
        unscaled = np.exp(-bias * dln * j) * A
        coefficients = _rfft(np.flip(unscaled, -1)) * _log_slope(place, n, parameters, sign)
        total = np.exp(bias * dln * j) * np.flip(_irfft(coefficients, n), -1)
        if place in (0, 3):
            e_dot = j * (bias, 0.0, 0.0, dln)[place]
            total = total + e_dot * A + apply(e_dot * a, *parameters)
        return total + sign * (0.0, 0.0, bias, offset)[place] * A

    @frule.dispatch
    def hankel_frule(
        tangents, f: typeof_(primal), a: ArrayOperand, dln: NumberOperand, mu: NumberOperand, *others, **named
    ):
        parameters = _Parameters(dln, mu, *others, **named)
        a_dot, *dots = tangents[1:]
        A = apply(a, *parameters)
        terms = [] if isinstance(a_dot, AbstractZero) else [apply(a_dot, *parameters)]
        for place, dot in enumerate(dots):
            if not isinstance(dot, AbstractZero):
                terms.append(strong_product(slope(place, a, A, parameters), dot))
        return A, sum_tangents(A, terms or [a_dot])

    @rrule.dispatch
    def hankel_rrule(
        f: typeof_(primal), a: ArrayOperand, dln: NumberOperand, mu: NumberOperand, *others: Operand, **named
    ):
        parameters = _Parameters(dln, mu, *others, **named)
        project, A = ProjectTo(a), apply(a, *parameters)

        def hankel_pullback(A_bar):
            A_bar = np.real(A_bar) if is_complex(A_bar) else A_bar

            def pull(place: int, x):
                return unbroadcast(x, np.sum(A_bar * slope(place, a, A, parameters)))

            given = (dln, mu, *others)
            bars = (Thunk(pull, place, x) for place, x in enumerate(given))
            return NO_TANGENT, project(apply(A_bar, *parameters)), *bars

        return A, hankel_pullback


def _log_slope(place: int, n: int, parameters: _Parameters, sign: float):
    """The derivative of the logarithms of the Fourier coefficients by a parameter."""
    dln, mu, offset, bias = parameters
    eta = math.pi / (n * dln) * np.arange(n // 2 + 1)
    plus, minus = (mu + 1 + bias) / 2 + 1j * eta, (mu + 1 - bias) / 2 - 1j * eta
    turn = math.log(2) - offset
    if place == 0:
        slope = -1j * eta / dln * (psi(plus) + psi(minus) + 2 * turn)
    elif place == 1:
        slope = 0.5 * (psi(plus) - psi(minus))
    elif place == 2:
        slope = -2j * eta
    else:
        slope = 0.5 * (psi(plus) + psi(minus)) + math.log(2)
    if n % 2 == 0:
        phase = np.imag(loggamma(plus[-1:]) - loggamma(minus[-1:])) + 2 * eta[-1:] * turn
        last = np.real(slope[-1:]) - np.tan(phase) * np.imag(slope[-1:])
        slope = np.concatenate((slope[:-1], last))
    return slope if sign < 0 else -np.conj(slope)


_hankel_rules(fht, -1.0)
_hankel_rules(ifht, 1.0)
