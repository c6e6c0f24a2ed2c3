"""Linear systems whose sparse matrix is given by its entries, as a function that has rules.

Entries at one place are added, so that the matrix of a least-squares problem is given by the products that it
is a sum of. See `chainrules.operations.linear_systems`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.numerics.factorizations import BandedLU
from chainrules.operations.linear_systems import LinearSystem, pull_solution, push_solution
from chainrules.operations.scatter import scatter
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, frule, primal_of, primitive, rrule, typeof_

# How much room the factors of diagonals may take, beside the entries: LAPACK is quicker than SuperLU.
_ROOM = 4


class _Entries:
    """The matrix with entries in some rows and columns: see `Reading`."""

    __slots__ = ("columns", "rows")

    def __init__(self: Any, rows: Any, columns: Any) -> None:
        self.rows, self.columns = rows, columns

    def push(self: Any, entries: Any, entries_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``M_dot X`` or ``M_dotᵀ X``."""
        to, of = (self.columns, self.rows) if by_adjoint else (self.rows, self.columns)
        return scatter(entries_dot[:, np.newaxis] * X[of], X, to)

    def pull(self: Any, entries: Any, U: Any, V: Any) -> Any:
        """The entries of the real part of ``U Vᴴ``."""
        return np.sum((U[self.rows] * np.conj(V)[self.columns]).real, axis=-1)


class _Factors:
    """The factors of a real sparse matrix, of which `solve` is for real columns: see `Factorization`."""

    __slots__ = ("_solve",)

    def __init__(self: Any, solve: Callable[..., Any]) -> None:
        self._solve = solve

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``M⁻¹ B`` or ``M⁻ᵀ B``."""
        if B.dtype.kind == "c":
            return self.solve(B.real, by_adjoint) + 1j * self.solve(B.imag, by_adjoint)
        return self._solve(np.asarray(B, float), by_adjoint)


@primitive
def solve_entries(entries: Any, b: Any, rows: Any, columns: Any) -> Any:
    """The solution of a system with a real sparse matrix.

    Parameters
    ----------
    entries
        Shape ``(p,)``.
    b
        Shape ``(n, e)``: the right sides, real or complex.
    rows, columns
        Shape ``(p,)``: where the entries are; those at one place are added.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is singular.
    """
    return _system(entries, rows, columns, len(b)).factorization.solve(b)


def _system(entries: Any, rows: Any, columns: Any, n: int) -> LinearSystem:
    try:
        factors = _factored(primal_of(entries), rows, columns, n)
    except (RuntimeError, np.linalg.LinAlgError) as error:
        raise np.linalg.LinAlgError(
            "The matrix of a sparse system of equations is singular: where these are for the coefficients of "
            "a spline, the points do not determine them. Take fewer knots, or more points."
        ) from error
    return LinearSystem(_Entries(rows, columns), _Factors(factors))


def _factored(entries: Any, rows: Any, columns: Any, n: int) -> Callable[..., Any]:
    """What solves systems with a matrix: by its diagonals, where these take little room."""
    diagonals = columns - rows
    lower, upper = -int(np.min(diagonals, initial=0)), int(np.max(diagonals, initial=0))
    if n * (2 * lower + upper + 1) <= _ROOM * len(entries):
        places, size = (upper - diagonals) * n + columns, n * (lower + upper + 1)
        bands = np.bincount(places, entries, size).reshape(-1, n)
        return BandedLU(bands, lower, upper).solve
    from scipy.sparse import csc_array  # noqa: PLC0415 - it takes long to import
    from scipy.sparse.linalg import splu  # noqa: PLC0415 - as above

    factors = splu(csc_array((entries, (rows, columns)), shape=(n, n)))
    return lambda B, by_adjoint: factors.solve(B, "T" if by_adjoint else "N")


@frule.dispatch
def solve_entries_frule(  # noqa: PLR0913, PLR0917 - those of the operation
    tangents: Any, f: typeof_(solve_entries), entries: ArrayOperand, b: ArrayOperand, rows: Any, columns: Any
) -> tuple[Any, Any]:
    """The tangent solves a system with the same matrix."""
    return push_solution(tangents, entries, b, _system(entries, rows, columns, len(b)))


@rrule.dispatch
def solve_entries_rrule(
    f: typeof_(solve_entries), entries: ArrayOperand, b: ArrayOperand, rows: Any, columns: Any
) -> tuple[Any, Any]:
    """The cotangent solves a system with the transposed matrix."""
    x, pull = pull_solution(entries, b, _system(entries, rows, columns, len(b)))

    def solve_entries_pullback(x_bar: Any) -> Any:
        return *pull(x_bar), NO_TANGENT, NO_TANGENT

    return x, solve_entries_pullback
