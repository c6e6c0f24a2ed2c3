"""Sorting of plain vectors: elements are put back by one assignment, and equal ones are looked for first."""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo

# Of fewer elements, searching for equal ones takes longer than a stable sort.
_MANY = 1000


def sort_of_vector(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """``np.sort(x)`` of a vector."""
    if options or named or x.__class__ is not np.ndarray or x.ndim != 1 or x.dtype.kind != "f":
        return None
    order = x.argsort(kind="stable") if x.size <= _MANY else _order_of_many(x)
    dtype = x.dtype

    def sort_pullback(y_bar: Any) -> Any:
        if not (y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == order.shape):
            y_bar = ProjectTo(x)(y_bar)
            if y_bar.__class__ is not np.ndarray:
                return NO_TANGENT, y_bar if isinstance(y_bar, AbstractZero) else y_bar[np.argsort(order)]
        x_bar = np.empty_like(y_bar)
        x_bar[order] = y_bar
        return NO_TANGENT, x_bar

    return x[order], sort_pullback


def _order_of_many(x: Any) -> Any:
    """The order of ascending numbers; equal ones keep theirs."""
    # A stable sort takes twice as long, and only equal elements, or NaNs, need it.
    order = x.argsort()
    y = x[order]
    if not (np.isnan(y[-1]) or np.equal(y[1:], y[:-1]).any()):
        return order
    return x.argsort(kind="stable")
