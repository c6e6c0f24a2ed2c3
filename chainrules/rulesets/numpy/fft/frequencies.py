"""Rules for the frequencies of discrete Fourier transforms, and for shifts of their order.

Frequencies are ``y = k / (n d)`` for integers `k`, so that ``y_dot = -y d_dot / d``. Shifting an array around
is orthogonal: the adjoint is the inverse.
"""

import numpy as np

from chainrules.makers.linear_rules import linear_rule
from chainrules_core import NO_TANGENT, frule, rrule, typeof_, unbroadcast


def _frequency_rules(primal) -> None:
    @frule.dispatch
    def frequencies_frule(tangents, f: typeof_(primal), n, *options, **named):
        y = primal(n, *options, **named)
        return y, tangents[2] * (-y / options[0]) if options else NO_TANGENT

    @rrule.dispatch
    def frequencies_rrule(f: typeof_(primal), n, *options, **named):
        y = primal(n, *options, **named)

        def frequencies_pullback(y_bar):
            if not options:
                return NO_TANGENT, NO_TANGENT
            d, *rest = options
            d_bar = unbroadcast(d, y_bar * (-y / d))
            return NO_TANGENT, NO_TANGENT, d_bar, *(NO_TANGENT,) * len(rest)

        return y, frequencies_pullback


def _shift_rules(primal, inverse) -> None:
    linear_rule(primal, lambda y_bar, shape, *options, **named: inverse(y_bar, *options, **named))


_frequency_rules(np.fft.fftfreq)
_frequency_rules(np.fft.rfftfreq)
_shift_rules(np.fft.fftshift, np.fft.ifftshift)
_shift_rules(np.fft.ifftshift, np.fft.fftshift)
