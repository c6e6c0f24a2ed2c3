"""Where the elements of arrays stand in memory."""

from typing import Any

import numpy as np

from chainrules.ad.values.plain_values import ARRAYS
from chainrules_core.speed import value_for_dispatch


def is_same_memory(x: Any, y: Any) -> bool:
    """Whether two plain arrays have the same elements in memory, in the same order."""
    return (
        x.__class__ is y.__class__
        and x.__class__ in ARRAYS
        and (x.shape, x.strides, x.dtype) == (y.shape, y.strides, y.dtype)
        and _address(x) == _address(y)
    )


def _address(x: Any) -> int:
    """Where the elements of an array begin; of a recorded value, those of the array that it stands for."""
    address: int = value_for_dispatch(x).__array_interface__["data"][0]
    return address


def places_in_memory(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The address of each element of an array, in the array's shape."""
    places = np.array(_address(x))
    for stride, index in zip(x.strides, np.ogrid[tuple(map(slice, x.shape))], strict=True):
        places = places + stride * index
    return places
