"""Rules for transpose-like operations: the axes of the cotangent go back to where they were."""

import numpy as np

from chainrules.makers.linear_rules import linear_rule
from chainrules.shortcuts.numpy.transposes import swapaxes_of_array, transpose_of_array
from chainrules.values.permutations import inverse_permutation


def _transposed_back(y_bar, shape, axes=None):
    if axes is None:
        return np.transpose(y_bar)
    return np.transpose(y_bar, inverse_permutation(tuple(axes) if np.iterable(axes) else (axes,)))


def _axis_rolled_back(y_bar, shape, *options, **named):
    # Axis n of this array has length n, so that the lengths after the permutation tell it.
    order = np.rollaxis(np.empty(range(len(shape))), *options, **named).shape
    return np.transpose(y_bar, inverse_permutation(order))


linear_rule(np.transpose, _transposed_back, shortcut=transpose_of_array)
linear_rule(
    np.swapaxes,
    lambda y_bar, _, *axes, **named: np.swapaxes(y_bar, *axes, **named),
    shortcut=swapaxes_of_array,
)
linear_rule(np.moveaxis, lambda y_bar, _, source, destination: np.moveaxis(y_bar, destination, source))
linear_rule(np.rollaxis, _axis_rolled_back)

linear_rule(np.matrix_transpose, lambda y_bar, _: np.swapaxes(y_bar, -1, -2))
