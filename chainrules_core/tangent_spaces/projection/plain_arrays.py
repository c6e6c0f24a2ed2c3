"""NumPy's own subclasses of `np.ndarray` as cotangents: their arithmetic differs from a plain array's."""

import sys
from typing import Any

import numpy as np


def is_masked(x: Any) -> bool:
    """Whether `x` is a masked array; `numpy.ma`, which takes long to import, is not imported for it."""
    if type(x) is np.ndarray:
        return False
    masked_arrays = sys.modules.get("numpy.ma")
    return masked_arrays is not None and isinstance(x, masked_arrays.MaskedArray)


def plain_array(x_bar: Any) -> Any:
    """The array under an `np.matrix`; any other cotangent itself.

    SciPy's older sparse matrices make an `np.matrix` now and then, so a rule need not have meant it.

    Raises
    ------
    TypeError
        For a masked array: there is no saying whether a masked element is zero or unknown.
    """
    if is_masked(x_bar):
        raise TypeError("A masked array is no cotangent: fill it, `x_bar.filled(0)`, or use an ndarray.")
    return x_bar.view(np.ndarray) if isinstance(x_bar, np.matrix) else x_bar
