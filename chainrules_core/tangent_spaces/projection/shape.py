"""The shapes that a cotangent may have: its primal's, up to leading axes of length one.

This is NumPy's mirror of Julia's trailing axes: NumPy broadcasts by adding axes in front.
"""

from typing import Any

import numpy as np

from chainrules_core.exceptions import DimensionMismatchError


def fitted_to_shape(x_bar: Any, shape: tuple[int, ...]) -> Any:
    """`x_bar` with leading axes of length one added or dropped so that it has `shape`.

    Raises
    ------
    DimensionMismatchError
        If the shapes differ in more than these.
    """
    if x_bar.shape == shape:
        return x_bar
    if _without_leading_ones(x_bar.shape) != _without_leading_ones(shape):
        raise DimensionMismatchError(
            f"An array of shape {shape} cannot have a cotangent of shape {tuple(x_bar.shape)}: only leading "
            f"axes of length one are added and dropped. Sum over the axes that were broadcast."
        )
    return np.reshape(x_bar, shape)


def _without_leading_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    first = next((axis for axis, length in enumerate(shape) if length != 1), len(shape))
    return tuple(shape[first:])
