"""Rules for rearranging the elements of an array: their cotangents are put back."""

from typing import Any

import numpy as np

from chainrules.makers.linear_rules import linear_rule
from chainrules.shortcuts.numpy.rearranging import flip_of_array


def _rolled_back(y_bar: Any, shape: tuple[int, ...], shift: Any, axis: Any = None) -> Any:
    return np.roll(y_bar, np.negative(np.asarray(shift, int)), axis)  # unsigned numbers would wrap around


def _rotated_back(y_bar: Any, shape: tuple[int, ...], k: int = 1, axes: Any = (0, 1)) -> Any:
    return np.rot90(y_bar, -k, axes)


linear_rule(np.flip, lambda y_bar, _, *axis, **named: np.flip(y_bar, *axis, **named), shortcut=flip_of_array)
linear_rule(np.fliplr, lambda y_bar, _: np.fliplr(y_bar))
linear_rule(np.flipud, lambda y_bar, _: np.flipud(y_bar))
linear_rule(np.roll, _rolled_back)
linear_rule(np.rot90, _rotated_back)
