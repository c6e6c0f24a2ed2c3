"""Rules for discrete convolutions and correlations of vectors.

For the full convolution ``y_k = Σ_n x_n v_(k-n)``: ``x_bar_n = Σ_k y_bar_k conj(v_(k-n))``, a correlation.
For the full correlation ``y_k = Σ_n x_(n+k) conj(v_n)``: ``x_bar_j = Σ_n y_bar_(j-n) v_n``, a convolution,
and ``v_bar_n = Σ_k conj(y_bar_k) x_(n+k)``. The other modes leave out results near the ends.
"""

import numpy as np

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.makers.linear_rules import bilinear_rule
from chainrules.values.lazy_arrays import refuse_lazy
from chainrules.values.reductions import shape_of
from chainrules_core import is_lazy, primal_of


def _full_cotangent(y_bar, x, v, odd_first: bool):
    """The cotangent of the full result, zero where the mode leaves out; the length of `y_bar` tells the mode.

    Of an odd number of elements that ``mode="same"`` leaves out, `odd_first` says whether the odd one is the
    first.
    """
    if is_lazy(y_bar):
        refuse_lazy("The pullback of np.convolve and np.correlate", "Write the product with a matrix.")
    lengths = np.size(primal_of(x)), np.size(primal_of(v))
    longest, shortest = max(lengths), min(lengths)
    left_out = longest + shortest - 1 - shape_of(y_bar)[0]
    before = (left_out + odd_first) // 2
    return zero_padded(y_bar, before, left_out - before)


def _convolve_by(place: int):
    def by(y_bar, x, v, *mode, **named):
        other = np.reshape((v, x)[place], -1)
        bar = np.correlate(_full_cotangent(y_bar, x, v, odd_first=False), other, "valid")
        return np.reshape(bar, shape_of((x, v)[place]))

    return by


def _correlate_by_first(y_bar, x, v, *mode, **named):
    return np.convolve(_full_cotangent(y_bar, x, v, _is_longer(v, x)), v, "valid")


def _correlate_by_second(y_bar, x, v, *mode, **named):
    full = _full_cotangent(y_bar, x, v, _is_longer(v, x))
    return np.flip(np.conj(np.correlate(full, x, "valid")))


def _is_longer(v, x) -> bool:
    return shape_of(v)[0] > shape_of(x)[0]


bilinear_rule(np.convolve, _convolve_by(0), _convolve_by(1))
bilinear_rule(np.correlate, _correlate_by_first, _correlate_by_second)
