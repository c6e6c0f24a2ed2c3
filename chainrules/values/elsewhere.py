"""What stands in the places of an array in which a formula does not hold."""

from typing import Any

import numpy as np


def one_elsewhere(condition: Any, x: Any) -> Any:
    """`x` where a condition holds, and 1 in the other places, whose results nobody looks at.

    So a formula that holds here and there is computed everywhere without poles, warnings or infinite
    derivatives, and `numpy.where` takes its results where it holds.

    Parameters
    ----------
    condition
        A truth value, or an array of them.
    x
        A number or an array, which may be traced.
    """
    return np.where(condition, x, 1.0)


def one_where(condition: Any, x: Any) -> Any:
    """1 where a condition holds, and `x` in the other places: see `one_elsewhere`."""
    return np.where(condition, 1.0, x)
