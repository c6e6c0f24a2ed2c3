"""Rules for the diagonals of structured arrays, and for their trace.

The cotangent of a diagonal is a matrix that is zero elsewhere, projected onto the kind of the array.
"""

from typing import Any

import numpy as np

from chainrules.formulas.matrices.structured_diagonals import with_one_diagonal
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, rrule, typeof_
from chainrules_core.structured import StructuredArray


def _diagonal_rules(primal: Any) -> None:
    @frule.dispatch
    def diagonal_frule(tangents: Any, f: typeof_(primal), A: StructuredArray, *options: int, **named: int):
        return primal(A, *options, **named), primal(tangents[1], *options, **named)

    @rrule.dispatch
    def diagonal_rrule(f: typeof_(primal), A: StructuredArray, *options: int, **named: int):
        if not _has_offset_only(options, named):
            return None
        project = ProjectTo(A)
        (offset,) = (*options, *named.values()) or (0,)

        def diagonal_pullback(y_bar):
            A_bar = project(with_one_diagonal(A, y_bar, offset))
            return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

        return primal(A, *options, **named), diagonal_pullback


_diagonal_rules(np.diagonal)
_diagonal_rules(np.diag)


def _has_offset_only(options: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Whether no dtype is given, and no axes other than the rows and columns."""
    return len(options) + len(named) <= 1 and named.keys() <= {"offset", "k"}


@frule.dispatch
def trace_frule(tangents: Any, f: typeof_(np.trace), A: StructuredArray, *options: Any, **named: Any):
    return np.trace(A, *options, **named), np.trace(tangents[1], *options, **named)


@rrule.dispatch
def trace_rrule(f: typeof_(np.trace), A: StructuredArray, *options: Any, **named: Any):
    if not _has_offset_only(options, named):
        return None
    project = ProjectTo(A)
    (offset,) = (*options, *named.values()) or (0,)

    def trace_pullback(y_bar):
        length = max(primal_of(A).shape[0] - abs(offset), 0)
        diagonal_bar = np.broadcast_to(y_bar, (length,))
        return (
            NO_TANGENT,
            project(with_one_diagonal(A, diagonal_bar, offset)),
            *(NO_TANGENT,) * len(options),
        )

    return np.trace(A, *options, **named), trace_pullback
