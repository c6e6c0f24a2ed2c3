"""Running sums, and their transposes, which run in the other direction."""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules_core import AbstractZero


def sums_from_the_end(y_bar: Any, axis: Any) -> Any:
    """The transpose of a running sum along an axis: the running sum from the end.

    Parameters
    ----------
    y_bar
        The cotangent of the running sum.
    axis
        The axis along which it runs; `None` for a running sum of the flattened array, which is a vector.
    """
    if isinstance(y_bar, AbstractZero):
        return y_bar
    axis = (axis or 0) % len(shape_of(y_bar))
    backwards = (*(slice(None),) * axis, slice(None, None, -1))
    return np.cumsum(y_bar[backwards], axis=axis)[backwards]
