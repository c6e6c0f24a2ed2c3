"""Rules for the largest and the smallest element of a sparse array.

The tangent is that of the stored entry which is extreme, or the mean of several equal ones; and 0 where it is
one of the zeros that are not stored. Along an axis the results would be sparse too, and store nothing where
the extreme element is zero, so that their tangents could not be stored: these calls are refused.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.operations.sparse_entries import number_of_entries, stored_entries, with_entries
from chainrules.values.reductions import shape_of
from chainrules.values.sparse import Sparse, methods
from chainrules_core import (
    NO_TANGENT,
    DerivativeNotImplementedError,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    thunk,
    typeof_,
    unthunk,
)


def _extreme_rules(callee: Any, extreme: Callable[..., Any]) -> None:
    @frule.dispatch(precedence=1)
    def extreme_frule(tangents: Any, f: typeof_(callee), A: Sparse, *options: Any, **named: Any):
        entries, project = _elements(extreme, A, *options, **named)
        A_dot = tangents[1]
        return frule.unchecked((NO_TANGENT, _like(entries, stored_entries(A_dot, project))), extreme, entries)

    @rrule.dispatch(precedence=1)
    def extreme_rrule(f: typeof_(callee), A: Sparse, *options: Any, **named: Any):
        entries, project = _elements(extreme, A, *options, **named)
        y, pullback = rrule.unchecked(extreme, entries)

        def extreme_pullback(y_bar):
            @thunk
            def A_bar():  # noqa: N802 - the cotangent of a matrix
                entries_bar = unthunk(pullback(y_bar)[1])
                return with_entries(entries_bar[: number_of_entries(A)], project)

            return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

        return y, extreme_pullback


def _elements(
    extreme: Callable[..., Any], A: Any, axis: Any = None, out: Any = None, explicit: bool = False
) -> tuple[Any, Any]:
    """The stored entries, with a zero behind them if some zeros are not stored; and their projector."""
    if axis is not None or out is not None:
        raise DerivativeNotImplementedError(
            f"The {extreme.__name__} of a sparse array along an axis is sparse, and has no place for the "
            f"tangent of a zero. Write `np.{extreme.__name__}(A.toarray(), axis=...)`."
        )
    if not getattr(primal_of(A), "has_canonical_format", True):
        raise DerivativeNotImplementedError(
            "The sparse array stores several numbers for one place. Call `sum_duplicates()` on it where it "
            "is made."
        )
    project = ProjectTo(A)
    entries = stored_entries(A, project)
    if not explicit and number_of_entries(A) < np.prod(shape_of(A)):
        entries = np.append(entries, 0.0)
    return entries, project


def _like(entries: Any, entries_dot: Any) -> Any:
    """The tangents of all elements that are compared."""
    return entries_dot if shape_of(entries) == shape_of(entries_dot) else np.append(entries_dot, 0.0)


for _name, _extreme in (("max", np.max), ("min", np.min)):
    for _callee in (_extreme, *methods(_name)):
        _extreme_rules(_callee, _extreme)
