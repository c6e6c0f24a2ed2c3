"""Arrays as cotangents whose arithmetic differs from that of plain arrays: those of `numpy.ma`, matrices."""

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


def has_other_product(x: Any) -> bool:
    """Whether ``x * y`` is the product of matrices: of an `np.matrix`, and SciPy's older sparse matrices."""
    if type(x) is np.ndarray:
        return False
    sparse = sys.modules.get("scipy.sparse")
    return isinstance(x, np.matrix) or (sparse is not None and isinstance(x, sparse.spmatrix))
