"""A shorter way for linear systems with one plain matrix, which is factored once for both modes."""

from typing import Any

import numpy as np

from chainrules.formulas.equations.linear_solutions import pull_solution, push_solution
from chainrules.numerics.lazy_matrices import solve
from chainrules.shortcuts.lu import lu_of


def solve_of_plain(f: Any, A: Any, B: Any) -> Any:
    """The solution by an LU factorization."""
    lu = _lu_factors(A, B)
    if lu is None:
        return None
    X = np.ascontiguousarray(lu.solve(B))  # as NumPy's; LAPACK goes by columns

    def solve_pullback(X_bar: Any) -> Any:
        return pull_solution(X_bar, A, B, X, lambda C: _solve_by_factors(lu, A, C, True))

    return X, solve_pullback


def push_solve_of_plain(tangents: Any, f: Any, A: Any, B: Any) -> Any:
    """The solution and its tangent by one factorization."""
    lu = _lu_factors(A, B)
    if lu is None:
        return None
    X = np.ascontiguousarray(lu.solve(B))  # as NumPy's; LAPACK goes by columns
    return X, push_solution(tangents, A, X, lambda C: _solve_by_factors(lu, A, C, False))


def _lu_factors(A: Any, B: Any) -> Any:
    """The factors of the matrix of a regular system that LAPACK can solve; `None` of others."""
    if not (B.__class__ is A.__class__ is np.ndarray and B.dtype is A.dtype and 0 < B.ndim <= 2 and B.size):
        return None
    lu = lu_of(A) if B.shape[0] == A.shape[0] else None
    return None if lu is None or lu.is_singular else lu


def _solve_by_factors(lu: Any, A: Any, C: Any, by_adjoint: Any) -> Any:
    if C.__class__ is np.ndarray and C.dtype is A.dtype and C.ndim == 2 and C.size:
        return lu.solve(C, by_adjoint)
    return solve(A.conj().T if by_adjoint else A, C)
