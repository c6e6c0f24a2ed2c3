"""Arrays cropped along an axis, or padded with zeros, where lengths may differ."""

from typing import Any

import numpy as np

from chainrules.operations.scatter import scatter
from chainrules.values.reductions import shape_of


def with_length(x: Any, length: int, axis: int = 0) -> Any:
    """Crop an array along an axis, or pad it with zeros at the end; `x` itself if its length fits."""
    shape = list(shape_of(x))
    if shape[axis] == length:
        return x
    kept = min(length, shape[axis])
    index = [slice(None)] * len(shape)
    index[axis] = slice(kept)
    shape[axis] = length
    return x[tuple(index)] if kept == length else scatter(x, np.broadcast_to(0.0, shape), tuple(index))
