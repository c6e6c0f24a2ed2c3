"""The solution of Sylvester and Lyapunov equations with real and complex matrices beside each other.

SciPy brings real matrices to a form with blocks of two rows for pairs of complex eigenvalues, which LAPACK's
solver for complex matrices does not know: where one matrix is complex, its solution for a real one with such
eigenvalues is wrong. So all are made complex first.
"""

from typing import Any

from scipy.linalg import solve_continuous_lyapunov, solve_sylvester

from chainrules.values.lazy_arrays import refuse_lazy_cotangent
from chainrules_core import is_complex, primitive

_solve_sylvester = primitive(solve_sylvester)
_solve_lyapunov = primitive(solve_continuous_lyapunov)


def solution_of_sylvester(A: Any, B: Any, Q: Any) -> Any:
    """The solution of ``A X + X B = Q``: stacks of matrices, or traced ones."""
    return _solve_sylvester(*in_one_kind(A, B, Q))


def solution_of_lyapunov(A: Any, Q: Any) -> Any:
    """The solution of ``A X + X Aᴴ = Q``: stacks of matrices, or traced ones."""
    return _solve_lyapunov(*in_one_kind(A, Q))


def in_one_kind(*matrices: Any) -> tuple[Any, ...]:
    """All matrices complex if one is."""
    for X in matrices:
        refuse_lazy_cotangent("a function of matrices", X)
    kinds = [is_complex(X) for X in matrices]
    return tuple(X + 0j for X in matrices) if any(kinds) and not all(kinds) else matrices
