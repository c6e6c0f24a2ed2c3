"""Operands brought to the precision of a result, or made complex as it is."""

from typing import Any

import numpy as np

from chainrules.operations.casting import astype
from chainrules_core import is_complex, primal_of


def as_precise(x: Any, z: Any) -> Any:
    """`x` in the precision of the result `z`.

    The logarithm of a float32, and all the more of an int8, is too coarse where the result is a float64, and
    ``x - 1`` of an integer may overflow. Python's numbers take on the precision of the arrays that they meet.
    """
    own, of_z = getattr(primal_of(x), "dtype", None), getattr(primal_of(z), "dtype", None)
    if own is of_z or own is None or of_z is None or of_z.kind not in "fc":
        return x
    dtype = np.result_type(own, np.finfo(of_z).dtype)
    return x if dtype == own else astype(x, dtype)


def no_finer(x: Any, y: Any) -> Any:
    """`x`, but in the precision of the result `y` where its own is finer; anything without one as it is."""
    own, of_y = getattr(primal_of(x), "dtype", None), getattr(primal_of(y), "dtype", None)
    if own is of_y or own is None or of_y is None or own.kind != of_y.kind:
        return x
    return astype(x, of_y) if own.itemsize > of_y.itemsize else x


def like_result(x: Any, y: Any) -> Any:
    """`x` as a complex number if the result `y` is one, and otherwise as one that is not an integer."""
    return x + 0j if is_complex(y) else 1.0 * x
