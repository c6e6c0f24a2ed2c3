"""The solution of Sylvester equations with real and complex matrices beside each other.

SciPy brings real matrices to a form with blocks of two rows for pairs of complex eigenvalues, which LAPACK's
solver for complex matrices does not know: where one matrix is complex, its solution for a real one with such
eigenvalues is wrong. So all are made complex first.
"""

from typing import Any

from scipy.linalg import solve_sylvester

from chainrules_core import is_complex, primitive

_solve_sylvester = primitive(solve_sylvester)


def solution_of_sylvester(A: Any, B: Any, Q: Any) -> Any:
    """The solution of ``A X + X B = Q``: stacks of matrices, or traced ones."""
    kinds = [is_complex(X) for X in (A, B, Q)]
    if any(kinds) and not all(kinds):
        A, B, Q = A + 0j, B + 0j, Q + 0j
    return _solve_sylvester(A, B, Q)
