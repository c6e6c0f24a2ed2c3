"""The question whether all elements of arrays are finite, which can be recorded as a decision."""

from typing import Any

import numpy as np


def check_finite_elements(*arrays: Any) -> None:
    """Raise the error that NumPy and SciPy have where an element is not finite.

    Raises
    ------
    ValueError
        If an element is infinite or NaN.
    """
    for x in arrays:
        if x.dtype.kind in "fc" and not np.isfinite(x).all():
            raise ValueError("array must not contain infs or NaNs")
