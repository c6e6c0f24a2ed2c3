"""The adjoint of indexing: adding a cotangent into the places that an index picked."""

from typing import Any

import numpy as np
from chainrules_core import primal_of


def scatter(y_bar: Any, x: Any, index: Any) -> Any:
    """An array in the shape of `x` that holds `y_bar` at `index` and is zero elsewhere.

    Where `index` picks an element of `x` several times, the sum of the cotangents stands there.
    """
    return add_at(np.zeros_like(primal_of(x), dtype=np.result_type(y_bar)), index, y_bar)


def add_at(accumulated: Any, index: Any, y_bar: Any) -> Any:
    """Add `y_bar` into `accumulated` at `index`, in place where that is possible; returns the sum."""
    if not np.can_cast(np.result_type(y_bar), accumulated.dtype, "same_kind"):
        accumulated = accumulated.astype(np.result_type(accumulated, y_bar))
    if _picks_each_once(index):
        accumulated[index] += y_bar
    else:
        np.add.at(accumulated, index, y_bar)
    return accumulated


def _picks_each_once(index: Any) -> bool:
    """Whether an index is basic or boolean; `+=` on an index of integers drops all but one of equal ones."""
    parts = index if isinstance(index, tuple) else (index,)
    return not any(isinstance(part, list | tuple) or _is_integer_array(part) for part in parts)


def _is_integer_array(part: Any) -> bool:
    return isinstance(part, np.ndarray) and part.dtype.kind != "b"
