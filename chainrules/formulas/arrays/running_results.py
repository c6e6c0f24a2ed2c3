"""Running results ``y[k] = f(y[k-1], x[k])`` of a function of two numbers, and their derivatives.

With the partial derivatives ``a`` and ``b`` of `f` by its two operands,

    y_dot[k] = a[k] y_dot[k-1] + b[k] x_dot[k]

which is a linear recurrence. Backwards, the cotangents of all ``y[k]`` follow one too.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.operations.recurrences import recurrence, recurrence_backwards
from chainrules.values.stacks import conjugate
from chainrules_core import contains_nan, primal_of, rrule, unthunk


def push_running(f: Callable[[Any, Any], Any], x: Any, x_dot: Any, y: Any, axis: int) -> Any:
    """The tangent of the running results `y` of `f` along an axis of `x`."""
    a, b = (conjugate(adjoint) for adjoint in _adjoint_partials(f, x, y, axis))
    x_dot = np.moveaxis(x_dot, axis, 0)
    y_dot = recurrence(a, np.concatenate((x_dot[:1], b * x_dot[1:])))
    return np.moveaxis(y_dot, 0, axis)


def pull_running(f: Callable[[Any, Any], Any], x: Any, y: Any, y_bar: Any, axis: int) -> Any:
    """The cotangent of `x`, from the cotangent of the running results `y` of `f` along an axis."""
    a, b = _adjoint_partials(f, x, y, axis)
    y_bar = np.moveaxis(y_bar, axis, 0)
    x_bar = _pull_recurrence(a, b, y_bar)
    if contains_nan(x_bar):
        # Zeros are strong: nothing depends on a result if its cotangent is zero, and that of all after it.
        counts = np.flip(np.logical_or.accumulate(np.flip(primal_of(y_bar[1:]) != 0, 0)), 0)
        x_bar = _pull_recurrence(np.where(counts, a, 0), np.where(counts, b, 0), y_bar)
    return np.moveaxis(x_bar, 0, axis)


def _pull_recurrence(a: Any, b: Any, y_bar: Any) -> Any:
    total_bar = recurrence_backwards(a, y_bar)
    return np.concatenate((total_bar[:1], b * total_bar[1:]))


def _adjoint_partials(f: Callable[[Any, Any], Any], x: Any, y: Any, axis: int) -> tuple[Any, Any]:
    """The conjugate partial derivatives of each ``f(y[k-1], x[k])``, with the axis in front."""
    y, x = np.moveaxis(y, axis, 0), np.moveaxis(x, axis, 0)
    z, pullback = rrule.require(f, y[:-1], x[1:])
    _, a, b = pullback(np.ones_like(z))
    return unthunk(a), unthunk(b)
