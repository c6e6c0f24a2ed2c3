"""Rules for window functions; most depend on their integer length only.

Kaiser's window is ``w = I₀(β s) / I₀(β)`` with ``s = √(1 - ((2 k - M + 1) / (M - 1))²)``, so that
``dw/dβ = (s I₁(β s) - w I₁(β)) / I₀(β)``.
"""

from numbers import Integral
from typing import Any

import numpy as np

from chainrules.operations.bessel import modified_bessel
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    frule,
    non_differentiable,
    primitive,
    pull_partial,
    rrule,
    strong_product,
    typeof_,
)

for _window in (np.bartlett, np.blackman, np.hamming, np.hanning):
    non_differentiable(_window, Integral)

_kaiser: Any = primitive(np.kaiser)  # of any number of points, any operand


@frule.dispatch
def kaiser_frule(tangents, f: typeof_(np.kaiser), M: Integral, beta: Operand):
    w = _kaiser(M, beta)
    return w, strong_product(_by_beta(w, M, beta), tangents[2])


@rrule.dispatch
def kaiser_rrule(f: typeof_(np.kaiser), M: Integral, beta: Operand):
    w = _kaiser(M, beta)

    def kaiser_pullback(w_bar):
        return NO_TANGENT, NO_TANGENT, pull_partial(beta, _by_beta(w, M, beta), w_bar)

    return w, kaiser_pullback


def _by_beta(w, M, beta):
    if M <= 1:  # the window of one sample is constant
        return np.zeros(len(w))
    s = np.sqrt(1 - np.linspace(-1, 1, len(w)) ** 2)
    return (s * modified_bessel(1, beta * s) - w * modified_bessel(1, beta)) / np.i0(beta)
