"""Rules for the solution of linear systems.

For ``A X = B``: ``A X_dot = B_dot - A_dot X``, and ``B_bar = A⁻ᴴ X_bar``, ``A_bar = -B_bar Xᴴ``; Giles 2008,
section 2.3.1.
"""

from typing import Any

import numpy as np

from chainrules.operations.linear_systems import factored
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, with_last_axis
from chainrules_core import AbstractZero, NoTangent, frule, rrule, thunk, typeof_, unbroadcast, unthunk


@frule.dispatch
def solve_frule(
    tangents: Any, f: typeof_(np.linalg.solve), A: ArrayOperand, B: ArrayOperand
) -> tuple[Any, Any]:
    _, A_dot, B_dot = map(unthunk, tangents)
    solve = factored(A)
    X = solve(B)
    has_vectors = _has_vectors(A, X)
    right = -(A_dot @ _columns(X, has_vectors))
    if not isinstance(B_dot, AbstractZero):
        right = _columns(B_dot, has_vectors) + right
    if isinstance(right, AbstractZero):
        return X, right
    return X, _as_before(solve(right), has_vectors)


@rrule.dispatch
def solve_rrule(f: typeof_(np.linalg.solve), A: ArrayOperand, B: ArrayOperand) -> tuple[Any, Any]:
    solve = factored(A)
    X = solve(B)
    has_vectors = _has_vectors(A, X)

    def solve_pullback(X_bar: Any) -> Any:
        # Both cotangents need it.
        columns_bar = solve(_columns(unthunk(X_bar), has_vectors), True)
        A_bar = thunk(lambda: unbroadcast(A, -(columns_bar @ adjoint(_columns(X, has_vectors)))))
        return NoTangent(), A_bar, unbroadcast(B, _as_before(columns_bar, has_vectors))

    return X, solve_pullback


def _has_vectors(A: Any, X: Any) -> bool:
    """Whether the right-hand sides were vectors; NumPy 1 and 2 differ in when they are."""
    return len(shape_of(X)) < len(shape_of(A))


def _columns(B: Any, has_vectors: bool) -> Any:
    return with_last_axis(B) if has_vectors else B


def _as_before(B: Any, has_vectors: bool) -> Any:
    return B[..., 0] if has_vectors else B
