"""Contractions: products of two arrays that are summed over pairs of axes, and their adjoints."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.stacks import conjugate

Axes = tuple[int, ...]


def contraction_by_first(z_bar: Any, x: Any, y: Any, x_axes: Axes, y_axes: Axes) -> Any:
    """The cotangent of `x` in ``z = np.tensordot(x, y, (x_axes, y_axes))``; no axis is negative.

    The axes of `z` are the axes of `x` that are not summed over, and then the ones of `y`.
    """
    free_x, free_y = _other_axes(x, x_axes), _other_axes(y, y_axes)
    x_bar = np.tensordot(z_bar, conjugate(y), (list(range(len(free_x), len(free_x) + len(free_y))), free_y))
    # The last axes are now the ones that were summed over, in the order that they have in `y`.
    summed = [x_axes[place] for place in _ascending(y_axes)]
    return np.transpose(x_bar, _ascending((*free_x, *summed)))


def contraction_by_second(z_bar: Any, x: Any, y: Any, x_axes: Axes, y_axes: Axes) -> Any:
    """The cotangent of `y`."""
    free_x, free_y = _other_axes(x, x_axes), _other_axes(y, y_axes)
    y_bar = np.tensordot(conjugate(x), z_bar, (free_x, list(range(len(free_x)))))
    summed = [y_axes[place] for place in _ascending(x_axes)]
    return np.transpose(y_bar, _ascending((*summed, *free_y)))


def _other_axes(x: Any, axes: Axes) -> list[int]:
    return [axis for axis in range(len(shape_of(x))) if axis not in axes]


def _ascending(numbers: Sequence[int]) -> list[int]:
    """The places of the numbers in ascending order."""
    return sorted(range(len(numbers)), key=numbers.__getitem__)
