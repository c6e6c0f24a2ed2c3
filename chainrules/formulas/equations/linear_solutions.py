"""The rules of the solution of linear systems, by any function that solves them.

For ``A X = B``: ``A X_dot = B_dot - A_dot X``, and ``B_bar = A⁻ᴴ X_bar``, ``A_bar = -B_bar Xᴴ``. M. B. Giles,
"An extended collection of matrix derivative results for forward and reverse mode algorithmic
differentiation", 2008, section 2.3.1.
"""

from collections.abc import Callable, Sequence
from typing import Any

from chainrules.values.reductions import shape_of
from chainrules.values.stacks import times_adjoint, with_last_axis
from chainrules_core import NO_TANGENT, AbstractZero, Thunk, unbroadcast


def push_solution(tangents: Sequence[Any], A: Any, X: Any, solve: Callable[[Any], Any]) -> Any:
    """The tangent of the solution `X` of ``A X = B``.

    Parameters
    ----------
    tangents
        The tangents of the function, of `A` and of `B`.
    A, X
        The matrix and the solution, which may be a vector.
    solve
        ``solve(C)`` is the solution of ``A X = C`` for columns `C`.
    """
    _, A_dot, B_dot = tangents
    has_vectors = _has_vectors(A, X)
    right = -(A_dot @ _as_columns(X, has_vectors))
    if not isinstance(B_dot, AbstractZero):
        right = _as_columns(B_dot, has_vectors) + right
    return right if isinstance(right, AbstractZero) else _as_before(solve(right), has_vectors)


def pull_solution(
    X_bar: Any, A: Any, B: Any, X: Any, solve_adjoint: Callable[[Any], Any]
) -> tuple[Any, Any, Any]:
    """The cotangents of the function, of `A` and of `B`, for the cotangent of the solution `X`.

    Parameters
    ----------
    X_bar, A, B, X
        Vectors or matrices.
    solve_adjoint
        ``solve_adjoint(C)`` is the solution of ``Aᴴ X = C`` for columns `C`.
    """
    has_vectors = _has_vectors(A, X)
    # Both cotangents need it.
    columns_bar = solve_adjoint(_as_columns(X_bar, has_vectors))

    def pull_matrix() -> Any:
        return unbroadcast(A, times_adjoint(-columns_bar, _as_columns(X, has_vectors)))

    return NO_TANGENT, Thunk(pull_matrix), unbroadcast(B, _as_before(columns_bar, has_vectors))


def _has_vectors(A: Any, X: Any) -> bool:
    """Whether the right-hand sides were vectors."""
    return len(shape_of(X)) < len(shape_of(A))


def _as_columns(B: Any, has_vectors: bool) -> Any:
    return with_last_axis(B) if has_vectors else B


def _as_before(B: Any, has_vectors: bool) -> Any:
    return B[..., 0] if has_vectors else B
