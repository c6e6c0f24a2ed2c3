"""Rules for the cross product of vectors in three dimensions, or in the plane of the first two.

For ``c = a × b``: ``a_bar = b × c_bar`` and ``b_bar = c_bar × a``, since ``c_bar · (a × b)`` stays the same
when all three change places in a cycle. For two vectors in the plane only the third coordinate is taken;
since NumPy 2.5 all vectors have three.
"""

import numpy as np

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.makers.linear_rules import bilinear_rule
from chainrules.values.lazy_arrays import refuse_lazy_cotangent
from chainrules.values.reductions import shape_of
from chainrules_core import unbroadcast


def _axes_of_vectors(axisa: int = -1, axisb: int = -1, axisc: int = -1, axis=None) -> tuple[int, int, int]:
    return (axisa, axisb, axisc) if axis is None else (axis, axis, axis)


def _vectors(x, axis: int):
    """The vectors along the last axis, with three coordinates."""
    x = np.moveaxis(x, axis, -1)
    return zero_padded(x, 0, 1) if shape_of(x)[-1] == 2 else x


def _pull_vectors(z_bar, x, y, axes: tuple[int, int, int]):
    """The cotangent of the product, and the conjugates of both vectors, all with three coordinates."""
    x_axis, y_axis, z_axis = axes
    if shape_of(x)[x_axis] == shape_of(y)[y_axis] == 2:
        z_bar = zero_padded(np.expand_dims(z_bar, -1), 2, 0)
    else:
        z_bar = np.moveaxis(z_bar, z_axis, -1)
    return z_bar, np.conj(_vectors(x, x_axis)), np.conj(_vectors(y, y_axis))


def _put_back(bar, like, axis: int):
    """Drop the coordinate and the stacks that the vectors do not have, and move the axis to its place."""
    rows = np.moveaxis(like, axis, -1)
    return np.moveaxis(unbroadcast(rows, bar[..., : shape_of(rows)[-1]]), -1, axis)


def _by_first(z_bar, x, y, *options, **named):
    refuse_lazy_cotangent("np.cross", z_bar)
    axes = _axes_of_vectors(*options, **named)
    z_bar, _, y_vectors = _pull_vectors(z_bar, x, y, axes)
    return _put_back(np.cross(y_vectors, z_bar), x, axes[0])


def _by_second(z_bar, x, y, *options, **named):
    refuse_lazy_cotangent("np.cross", z_bar)
    axes = _axes_of_vectors(*options, **named)
    z_bar, x_vectors, _ = _pull_vectors(z_bar, x, y, axes)
    return _put_back(np.cross(z_bar, x_vectors), y, axes[1])


bilinear_rule(np.cross, _by_first, _by_second)
