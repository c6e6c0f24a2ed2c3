"""The adjoint of joining arrays: each gets the part of the cotangent at its place in the result."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import projected
from chainrules_core import AbstractZero, DimensionMismatchError

Shape = tuple[int, ...]

# The shape of one of the arrays, and the index at which the result holds it.
Part = tuple[Shape, Any]


def pull_joined(xs: Any, joined_shape: Shape, parts: Iterable[Part], y_bar: Any) -> Any:
    """The cotangent of the arrays `xs`, from the cotangent of the array in which they were joined.

    Parameters
    ----------
    xs
        A list or tuple of arrays, or an array, whose items were joined.
    joined_shape
        The shape of the result.
    parts
        The shape and the place of each.
    y_bar
        The cotangent of the result.

    Raises
    ------
    DimensionMismatchError
        If the cotangent has another shape: the parts would be the wrong ones.
    """
    if not isinstance(y_bar, AbstractZero) and shape_of(y_bar) != joined_shape:
        raise DimensionMismatchError(
            f"the cotangent of joined arrays has the shape {shape_of(y_bar)}, but they have {joined_shape}."
        )
    return projected(xs, [np.reshape(y_bar[index], shape) for shape, index in parts])
