"""Linear systems whose matrix is read from an array, as a function that has rules.

Let ``M`` be the matrix that is read from the array `A`: a triangle of it, say, or diagonals that are its
rows. For ``M X = B``: ``M X_dot = B_dot - M_dot X``, and ``B_bar = M⁻ᴴ X_bar``, ``M_bar = -B_bar Xᴴ``, of
which the cotangent of `A` is the part that is read. M. B. Giles, "An extended collection of matrix derivative
results for forward and reverse mode algorithmic differentiation", 2008, section 2.3.1.

The matrix is factored once, from the values of its elements, for derivatives of every order.
"""

import functools
from typing import Any, Protocol

import numpy as np

from chainrules.numerics.factorizations import Factorization
from chainrules.values.lazy_arrays import in_one_block, is_untraced_lazy
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import as_columns
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)


class Reading(Protocol):
    """How a matrix is read from an array, made of functions that have rules."""

    def push(self, A: Any, A_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``M_dot X`` or ``M_dotᴴ X`` for the tangent of the array and columns `X`."""

    def pull(self, A: Any, U: Any, V: Any) -> Any:
        """The cotangent of the array for the cotangent ``U Vᴴ`` of the matrix; both are columns."""


class LinearSystem:
    """What is constant in a linear system.

    Attributes
    ----------
    reading
        How the matrix is read from its array.
    factorization
        What solves systems with it, for plain columns of any dtype.
    """

    __slots__ = ("factorization", "reading")

    def __init__(self: Any, reading: Reading, factorization: Factorization) -> None:
        self.reading = reading
        self.factorization = factorization


@primitive
def solution(A: Any, B: Any, system: LinearSystem, by_adjoint: bool = False) -> Any:
    """``M⁻¹ B`` or ``M⁻ᴴ B``.

    Parameters
    ----------
    A
        The array that the matrix is read from.
    B
        Shape ``(..., n, k)``; shape ``(n,)`` means one column.
    system
        The reading, and the factors of the matrix.
    by_adjoint
        Whether the matrix of the system is the adjoint.
    """
    if is_untraced_lazy(B):
        solve = functools.partial(system.factorization.solve, by_adjoint=by_adjoint)
        X = in_one_block(solve, as_columns(B), np.result_type(A, B))
    else:
        X = system.factorization.solve(as_columns(B), by_adjoint)
    return X if len(B.shape) > 1 else X[..., 0]


def push_solution(
    tangents: Any, A: Any, B: Any, system: LinearSystem, by_adjoint: bool = False
) -> tuple[Any, Any]:
    """The solution and its tangent, for the tangents of the function, of `A` and of `B`."""
    A_dot, B_dot = tangents[1], tangents[2]
    X = solution(A, B, system, by_adjoint)
    if isinstance(A_dot, AbstractZero):
        return X, B_dot if isinstance(B_dot, AbstractZero) else solution(A, B_dot, system, by_adjoint)
    is_vector = len(primal_of(B).shape) == 1
    right = -system.reading.push(A, A_dot, X[..., None] if is_vector else X, by_adjoint)
    if not isinstance(B_dot, AbstractZero):
        right = as_columns(B_dot) + right
    X_dot = solution(A, right, system, by_adjoint)
    return X, X_dot[..., 0] if is_vector else X_dot


def pull_solution(A: Any, B: Any, system: LinearSystem, by_adjoint: bool = False) -> tuple[Any, Any]:
    """The solution, and its pullback to the function, `A` and `B`."""
    X = solution(A, B, system, by_adjoint)
    is_vector = len(primal_of(B).shape) == 1

    def solution_pullback(X_bar: Any) -> tuple[Any, Any, Any]:
        columns_bar = solution(A, X_bar[..., None] if is_vector else X_bar, system, not by_adjoint)

        def pull_matrix() -> Any:
            columns = X[..., None] if is_vector else X
            pair = (columns, -columns_bar) if by_adjoint else (-columns_bar, columns)
            return unbroadcast(A, system.reading.pull(A, *pair))

        B_bar = columns_bar[..., 0] if is_vector else columns_bar
        return NO_TANGENT, Thunk(pull_matrix), unbroadcast(B, B_bar)

    return X, solution_pullback


@frule.dispatch
def solution_frule(  # noqa: PLR0913, PLR0917 - the tangents, and the arguments of the function
    tangents: Any,
    f: typeof_(solution),
    A: ArrayOperand,
    B: ArrayOperand,
    system: LinearSystem,
    by_adjoint: bool = False,
) -> tuple[Any, Any]:
    """The tangent solves a system with the same matrix."""
    return push_solution(tangents, A, B, system, by_adjoint)


@rrule.dispatch
def solution_rrule(
    f: typeof_(solution), A: ArrayOperand, B: ArrayOperand, system: LinearSystem, *options: bool
) -> tuple[Any, Any]:
    """The cotangent solves a system with the adjoint matrix."""
    X, pull = pull_solution(A, B, system, *options)

    def solution_pullback(X_bar: Any) -> Any:
        return *pull(X_bar), NO_TANGENT, *(NO_TANGENT,) * len(options)

    return X, solution_pullback
