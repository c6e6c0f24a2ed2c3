"""Linear systems whose sparse matrix is given by its entries, as a function that has rules.

Entries at one place are added, so that the matrix of a least-squares problem is given by the products that it
is a sum of. See `chainrules.operations.linear_systems`.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from chainrules.numerics.factorizations import BandedLU
from chainrules.operations.linear_systems import LinearSystem, pull_solution, push_solution
from chainrules.operations.scatter import scatter
from chainrules.values.operands import ArrayOperand
from chainrules.values.recorded_calls import in_one_line
from chainrules_core import NO_TANGENT, frule, primal_of, primitive, rrule, typeof_

# How much room the factors of diagonals may take, beside the entries: LAPACK is quicker than SuperLU.
_ROOM = 4

# The share of the largest pivot below which a known solution is one of many, up to rounding.
_LEAST_PIVOT = 1e-12


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
    """The factors of a real sparse matrix or of its transpose, when they are needed: see `Factorization`.

    To solve with factors is quicker than with their transposes: where the solution is known, the adjoint
    system comes first.
    """

    def __init__(self: Any, entries: Any, right: Any, rows: Any, columns: Any, known: Any) -> None:
        self._matrix, self._right, self._known = (entries, rows, columns, len(right)), right, known
        self._is_transposed: bool | None = None

    @cached_property
    def _solve(self: Any) -> Callable[..., Any]:
        entries, rows, columns, n = self._matrix
        places = (columns, rows) if self._is_transposed else (rows, columns)
        try:
            return _factored(entries, *places, n, 0.0 if self._known is None else _LEAST_PIVOT)
        except (RuntimeError, np.linalg.LinAlgError) as error:
            raise np.linalg.LinAlgError(
                "The matrix of a sparse system of equations is singular: where these are for the "
                "coefficients of a spline, the points do not determine them. Take fewer knots, or more "
                "points."
            ) from error

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``M⁻¹ B`` or ``M⁻ᵀ B``."""
        if self._known is not None and B is self._right and not by_adjoint:
            return self._known
        if B.dtype.kind == "c":
            return self.solve(B.real, by_adjoint) + 1j * self.solve(B.imag, by_adjoint)
        if self._is_transposed is None:
            self._is_transposed = by_adjoint
        return _solved(self._solve, B, by_adjoint != self._is_transposed)


@in_one_line
def _solved(solve: Callable[..., Any], B: Any, by_adjoint: bool) -> Any:
    return solve(np.asarray(B, float), by_adjoint)


@primitive
def solve_entries(entries: Any, b: Any, rows: Any, columns: Any, known: Any = None) -> Any:
    """The solution of a system with a real sparse matrix.

    Parameters
    ----------
    entries
        Shape ``(p,)``.
    b
        Shape ``(n, e)``: the right sides, real or complex.
    rows, columns
        Shape ``(p,)``: where the entries are; those at one place are added.
    known
        The solution, where somebody has computed it.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is singular.
    """
    return _system(entries, b, rows, columns, known).factorization.solve(b)


def _system(entries: Any, b: Any, rows: Any, columns: Any, known: Any = None) -> LinearSystem:
    factors = _Factors(primal_of(entries), primal_of(b), rows, columns, known)
    return LinearSystem(_Entries(rows, columns), factors)


def _factored(entries: Any, rows: Any, columns: Any, n: int, least: float) -> Callable[..., Any]:
    """What solves systems with a matrix: by its diagonals, where these take little room."""
    solve = _factored_by_diagonals(entries, rows, columns, n, least)
    if solve is not None:
        return solve
    # The diagonals of a periodic problem are near to each other where the unknowns are folded in the middle.
    folded = np.minimum(2 * np.arange(n), 2 * np.arange(n, 0, -1) - 1)
    solve_folded = _factored_by_diagonals(entries, folded[rows], folded[columns], n, least)
    if solve_folded is not None:
        order = np.argsort(folded)
        return lambda B, by_adjoint: solve_folded(B[order], by_adjoint)[folded]
    from scipy.sparse import csc_array  # noqa: PLC0415 - it takes long to import
    from scipy.sparse.linalg import splu  # noqa: PLC0415 - as above

    factors = splu(csc_array((entries, (rows, columns)), shape=(n, n)))
    return lambda B, by_adjoint: factors.solve(B, "T" if by_adjoint else "N")


def _factored_by_diagonals(
    entries: Any, rows: Any, columns: Any, n: int, least: float
) -> Callable[..., Any] | None:
    diagonals = (rows - columns) * (entries != 0.0)  # many B-splines end at the knots
    lower, upper = int(np.max(diagonals, initial=0)), -int(np.min(diagonals, initial=0))
    height = 2 * lower + upper + 1
    if n * height > _ROOM * len(entries):
        return None
    places = columns * height + (lower + upper + diagonals)
    factors = BandedLU(np.bincount(places, entries, n * height).reshape(n, height).T, lower, upper, True)
    if factors.least_pivot() <= least:
        raise np.linalg.LinAlgError("Singular matrix")
    return lambda *given: factors.solve(*given)  # noqa: PLW0108 - a function may stand in a recorded program


@frule.dispatch
def solve_entries_frule(
    tangents: Any, f: typeof_(solve_entries), entries: ArrayOperand, b: ArrayOperand, *others: Any
) -> tuple[Any, Any]:
    """The tangent solves a system with the same matrix."""
    return push_solution(tangents, entries, b, _system(entries, b, *others))


@rrule.dispatch
def solve_entries_rrule(
    f: typeof_(solve_entries), entries: ArrayOperand, b: ArrayOperand, *others: Any
) -> tuple[Any, Any]:
    """The cotangent solves a system with the transposed matrix."""
    x, pull = pull_solution(entries, b, _system(entries, b, *others))

    def solve_entries_pullback(x_bar: Any) -> Any:
        return *pull(x_bar), *(NO_TANGENT,) * len(others)

    return x, solve_entries_pullback
