"""Traces of plain matrices: the cotangent is written onto the diagonal of an array of zeros."""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo

_FLOAT64 = np.dtype(np.float64)
_NUMBERS = frozenset({float, np.float64})


def trace_of_matrix(f: Any, A: Any, *options: Any, **named: Any) -> Any:
    """``np.trace(A)`` of a plain matrix."""
    if options or named or A.__class__ is not np.ndarray or A.ndim != 2 or A.dtype is not _FLOAT64:
        return None
    y = A.trace()

    def trace_pullback(y_bar: Any) -> Any:
        if y_bar.__class__ not in _NUMBERS:
            y_bar = ProjectTo(y)(y_bar)
            if isinstance(y_bar, AbstractZero):
                return NO_TANGENT, y_bar
            if y_bar.__class__ not in _NUMBERS:  # it is traced
                return NO_TANGENT, np.where(np.eye(*A.shape) != 0, y_bar, 0.0)
        A_bar = np.zeros(A.shape)
        np.fill_diagonal(A_bar, y_bar)
        return NO_TANGENT, A_bar

    return y, trace_pullback
