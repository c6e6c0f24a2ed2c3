"""Rules for the solution of linear systems; see `chainrules.operations.linear_systems`.

The structure that the caller assumes says which elements of the matrix SciPy reads: one triangle of a
symmetric or Hermitian matrix, or the elements near the diagonal. The cotangent stands on these. Where nothing
is assumed, SciPy looks for a structure in all elements, and the cotangent stands on all.
"""

import numpy as np
from scipy.linalg import solve

from chainrules.formulas.equations.assumed_structures import structure_of
from chainrules.formulas.matrices.matrix_readings import TransposedReading
from chainrules.makers.versions import is_scipy_since
from chainrules.numerics.factorizations import Stored, Transposed, factored, factored_in_precision
from chainrules.operations.linear_systems import LinearSystem, pull_solution, push_solution
from chainrules.values.finite_elements import check_finite_elements
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, frule, primal_of, rrule, typeof_

# Whether SciPy copies by rows what LAPACK returns by columns, but for bands: `ravel("K")` sees that.
_COPIES = is_scipy_since(1, 17)


@frule.dispatch
def solve_frule(tangents, f: typeof_(solve), A: ArrayOperand, B: ArrayOperand, *options, **named):
    return push_solution(tangents, A, B, _system_of(A, B, *options, **named))


@rrule.dispatch
def solve_rrule(f: typeof_(solve), A: ArrayOperand, B: ArrayOperand, *options, **named):
    X, pull = pull_solution(A, B, _system_of(A, B, *options, **named))

    def solve_pullback(X_bar):
        return *pull(X_bar), *(NO_TANGENT,) * len(options)

    return X, solve_pullback


def _system_of(  # noqa: PLR0913, PLR0917 - SciPy's signature
    A,
    B,
    lower=False,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    assume_a=None,
    transposed=False,
) -> LinearSystem:
    """The system, as the options say; what may be overwritten is not.

    Raises
    ------
    ValueError
        If the matrix is not square, or an element is not finite, or for an unknown structure.
    NotImplementedError
        For the transpose of a complex matrix, as SciPy does.
    """
    A, B = primal_of(A), primal_of(B)
    if A.shape[-2:] != A.shape[-1:] * 2:
        raise ValueError(f"scipy.linalg.solve: expected a square matrix, got the shape {A.shape}")
    if check_finite:
        check_finite_elements(A, B)
    structure = structure_of(assume_a, bool(lower), A.dtype.kind == "c")
    reading = structure.reading
    if transposed and np.result_type(A, B).kind == "c":
        raise NotImplementedError("scipy.linalg.solve cannot solve transposed systems of complex matrices")

    def read(A):
        matrices = reading.matrix(A)
        if structure.check_stack is not None:
            structure.check_stack(matrices)
        return matrices

    factorization = factored_in_precision(A, B, lambda A: factored(A, structure.factorize, read))
    if transposed:
        reading, factorization = TransposedReading(reading), Transposed(factorization)
    if _COPIES:
        factorization = Stored(factorization, assume_a != "banded")
    return LinearSystem(reading, factorization)
