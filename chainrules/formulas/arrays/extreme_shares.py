"""How equal elements share the derivative of an extremum: it is the mean of their derivatives.

Elements that are NaN share it too, since NumPy's maximum is NaN if any element is. A start given by
``initial=`` shares as one more element.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.values.reductions import Reduction, beside, spread, summed
from chainrules_core import NO_TANGENT, AbstractZero, is_lazy, may_hold, primal_of


class Shares(NamedTuple):
    """The elements that are extreme, whose mean an extremum is.

    Attributes
    ----------
    reduction
        The sum over these elements.
    number
        The number of these elements for each extremum, with the start if it is extreme.
    is_start
        Whether the start is extreme.
    """

    reduction: Reduction
    number: Any
    is_start: Any


def shares_in(
    y: Any, x: Any, reduction: Reduction, initial: Any = None, ignores_nans: bool = False
) -> Shares:
    """Find which elements of `x`, and whether the start `initial`, are the extrema `y`."""
    x, y = primal_of(x), primal_of(y)
    is_extreme = _is_same(x, beside(y, x, reduction), ignores_nans)
    if reduction.where is not True:
        is_extreme = is_extreme & reduction.where
    is_start = False if initial is None else _is_same(primal_of(initial), y, ignores_nans)
    # Not `np.count_nonzero`, which of lazy arrays keeps no axes.
    count = np.sum if is_lazy(is_extreme) else np.count_nonzero
    number = count(is_extreme, axis=reduction.axis, keepdims=reduction.keepdims) + is_start
    # 1 in the place of 0, so that it can be divided by; in the precision of `y`.
    if is_lazy(number):
        number = np.maximum(number, 1).astype(_real_dtype(y))
        return Shares(Reduction(reduction.axis, reduction.keepdims, is_extreme), number, is_start)
    number = np.maximum(number, 1).astype(_real_dtype(y)) if np.ndim(number) else max(int(number), 1)
    return Shares(Reduction(reduction.axis, reduction.keepdims, is_extreme), number, is_start)


def _real_dtype(y: Any) -> Any:
    return y.real.dtype if y.dtype.kind in "fc" else float


def push_shares(shares: Shares, x_dot: Any, initial_dot: Any = NO_TANGENT) -> Any:
    """The tangent of extrema."""
    y_dot = x_dot if isinstance(x_dot, AbstractZero) else summed(x_dot, shares.reduction)
    if not isinstance(initial_dot, AbstractZero):
        y_dot = y_dot + np.where(shares.is_start, initial_dot, 0)
    return y_dot / shares.number


def pull_shares(shares: Shares, y_bar: Any, x: Any) -> tuple[Any, Callable[[], Any]]:
    """The cotangent of `x`, and a function that computes the cotangent of the start."""
    share = y_bar / shares.number
    return spread(share, x, shares.reduction), lambda: np.sum(np.where(shares.is_start, share, 0))


def _is_same(x: Any, y: Any, ignores_nans: bool) -> Any:
    is_same = x == y
    if ignores_nans or not may_hold(np.isnan(y)):
        return is_same
    return is_same | (np.isnan(x) & np.isnan(y))
