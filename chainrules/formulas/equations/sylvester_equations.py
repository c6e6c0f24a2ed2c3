"""The solution of Sylvester and Lyapunov equations with real and complex matrices beside each other.

SciPy brings real matrices to a form with blocks of two rows for pairs of complex eigenvalues, which LAPACK's
solver for complex matrices does not know: where one matrix is complex, its solution for a real one with such
eigenvalues is wrong. So all are made complex first.
"""

from typing import Any

import numpy as np
from scipy.linalg import solve_continuous_lyapunov, solve_sylvester

from chainrules.values.lazy_arrays import refuse_lazy_cotangent
from chainrules_core import is_complex, primal_of, primitive

_solve_sylvester = primitive(solve_sylvester)
_solve_lyapunov = primitive(solve_continuous_lyapunov)


def solution_of_sylvester(A: Any, B: Any, Q: Any) -> Any:
    """The solution of ``A X + X B = Q``: stacks of matrices, or traced ones."""
    return _solve_sylvester(*in_one_kind(A, B, Q))


def derivative_of_root(X: Any, E: Any, name: str = "the square root") -> Any:
    """The solution of ``X S + S X = E``, the derivative of the square root `X` in the direction `E`.

    Parameters
    ----------
    X, E
        Shape ``(..., n, n)``.
    name
        The name of the function that is differentiated, for the error.

    Raises
    ------
    numpy.linalg.LinAlgError
        If `X` is singular. Then LAPACK's solver, ``trsyl``, solves an equation nearby, whose solution may be
        anything.
    """
    S = solution_of_sylvester(X, X, E)
    root, solution, right = map(primal_of, (X, S, E))
    with np.errstate(all="ignore"):
        left = root @ solution + solution @ root
        has_no_digit = np.any(_size(left - right) > _size(right) / 2)
    if has_no_digit:
        raise singular_error(name)
    return S


def singular_error(name: str) -> Exception:
    """The error for a function that has no derivative at a singular matrix, or none that is known."""
    return np.linalg.LinAlgError(
        f"The derivative of {name} of a matrix is known where it is regular, and this matrix is singular"
    )


def _size(X: Any) -> Any:
    return np.abs(X).max(axis=(-2, -1), initial=0.0)


def solution_of_lyapunov(A: Any, Q: Any) -> Any:
    """The solution of ``A X + X Aᴴ = Q``: stacks of matrices, or traced ones."""
    return _solve_lyapunov(*in_one_kind(A, Q))


def in_one_kind(*matrices: Any) -> tuple[Any, ...]:
    """All matrices complex if one is."""
    for X in matrices:
        refuse_lazy_cotangent("a function of matrices", X)
    kinds = [is_complex(X) for X in matrices]
    return tuple(X + 0j for X in matrices) if any(kinds) and not all(kinds) else matrices
