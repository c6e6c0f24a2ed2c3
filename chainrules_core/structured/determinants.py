"""Determinants from pivots: the numbers on the diagonal of a triangular factor."""

from typing import Any

import numpy as np


def slogdet_of(sign: Any, pivots: Any) -> tuple[Any, Any]:
    """The sign, of modulus one, and the logarithm of the modulus of ``sign * prod(pivots)``."""
    if pivots.dtype.kind in "biu":
        pivots = pivots.astype(np.float64)
    sizes = np.abs(pivots)
    if not np.all(sizes):
        return pivots.dtype.type(0), sizes.dtype.type(-np.inf)
    return pivots.dtype.type(sign) * np.prod(pivots / sizes), np.sum(np.log(sizes))
