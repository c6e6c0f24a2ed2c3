"""Running reductions, such as `numpy.cumsum` and `numpy.cumulative_prod`: how they are asked for."""

from typing import Any

import numpy as np

from chainrules.values.operands import refuse_out
from chainrules.values.reductions import read_reduction


def read_running(f: Any, x: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The axis along which a running sum or product runs; `None` for the flattened array.

    Raises
    ------
    TypeError
        As `read_reduction`.
    """
    return read_reduction(f"np.{f.__name__}", x, axis, dtype, out).axis


def read_cumulative(  # noqa: PLR0913 - NumPy's signature
    f: Any, x: Any, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: Any = False
) -> tuple[int, bool]:
    """The axis of `numpy.cumulative_sum` or `cumulative_prod`, and whether their constant start is kept.

    Raises
    ------
    TypeError
        As `read_reduction`.
    """
    refuse_out(f"np.{f.__name__}", out)
    read_reduction(f"np.{f.__name__}", x, axis, dtype)
    axis = axis[0] if isinstance(axis, tuple) else axis  # of which there is one, or NumPy raises
    return (0 if axis is None else axis), bool(include_initial)


def without_start(y_bar: Any, axis: int) -> Any:
    """All but the first element along an axis."""
    return np.moveaxis(np.moveaxis(y_bar, axis, 0)[1:], 0, axis)
