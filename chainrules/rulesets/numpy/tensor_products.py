"""Rules for contractions and products of arrays with any number of axes."""

import numpy as np

from chainrules.formulas.arrays.contractions import contraction_by_first, contraction_by_second
from chainrules.makers.linear_rules import bilinear_rule
from chainrules.values.reductions import reduced_axes, shape_of

# --- tensordot -------------------------------------------------------------------------------------


def _read_axes(x, y, axes=2):
    ndims = len(shape_of(x)), len(shape_of(y))
    if not np.iterable(axes):
        return tuple(range(ndims[0] - axes, ndims[0])), tuple(range(axes))
    return tuple(reduced_axes(summed, ndim) for summed, ndim in zip(axes, ndims, strict=True))


def _tensordot_by_first(z_bar, x, y, *options, **named):
    return contraction_by_first(z_bar, x, y, *_read_axes(x, y, *options, **named))


def _tensordot_by_second(z_bar, x, y, *options, **named):
    return contraction_by_second(z_bar, x, y, *_read_axes(x, y, *options, **named))


bilinear_rule(np.tensordot, _tensordot_by_first, _tensordot_by_second)

# --- kron: along each axis, all products -----------------------------------------------------------


def _kron_by(place: int):
    """The cotangent of the first or the second factor: each axis of ``z`` is made of an axis of either."""

    def by(z_bar, x, y):
        factors = (x, y)
        ndim = max(len(shape_of(x)), len(shape_of(y)))
        lengths = [(1,) * (ndim - len(shape_of(factor))) + shape_of(factor) for factor in factors]
        pairs = np.reshape(z_bar, [n for pair in zip(*lengths, strict=True) for n in pair])
        other = np.reshape(np.conj(factors[1 - place]), lengths[1 - place])
        bar = np.tensordot(pairs, other, (list(range(1 - place, 2 * ndim, 2)), list(range(ndim))))
        return np.reshape(bar, shape_of(factors[place]))

    return by


bilinear_rule(np.kron, _kron_by(0), _kron_by(1))
