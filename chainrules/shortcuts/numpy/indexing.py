"""Elements of plain arrays, taken by their method."""

from typing import Any

import numpy as np


def take_from_array(x: Any, options: Any, named: Any) -> Any:
    """The elements that ``np.take(x, indices)`` takes from a plain array."""
    if named or x.__class__ is not np.ndarray or options[0].__class__ is not np.ndarray:
        return None
    return x.take(*options)
