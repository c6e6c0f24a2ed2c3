"""Rules for systems with triangular matrices; see `chainrules.operations.linear_systems`.

The cotangent of the matrix stands on the triangle that is read, without the diagonal if ones are taken to be
there.
"""

from typing import Any

from scipy.linalg import solve_triangular

from chainrules.formulas.matrices.matrix_readings import TransposedReading, triangle
from chainrules.numerics.factorizations import Transposed, Triangular, factored_in_precision, of_each
from chainrules.operations.linear_systems import LinearSystem, pull_solution, push_solution
from chainrules.values.finite_elements import check_finite_elements
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, frule, primal_of, rrule, typeof_


@frule.dispatch
def solve_triangular_frule(
    tangents, f: typeof_(solve_triangular), A: ArrayOperand, B: ArrayOperand, *options, **named
):
    return push_solution(tangents, A, B, *_system_of(A, B, *options, **named))


@rrule.dispatch
def solve_triangular_rrule(f: typeof_(solve_triangular), A: ArrayOperand, B: ArrayOperand, *options, **named):
    X, pull = pull_solution(A, B, *_system_of(A, B, *options, **named))

    def solve_triangular_pullback(X_bar):
        return *pull(X_bar), *(NO_TANGENT,) * len(options)

    return X, solve_triangular_pullback


def _system_of(  # noqa: PLR0913, PLR0917 - SciPy's signature
    A, B, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True
) -> tuple[LinearSystem, bool]:
    """The system, and whether its matrix is the adjoint.

    Raises
    ------
    ValueError
        If the matrix is not square, or an element is not finite, or for an unknown `trans`.
    """
    A, B = primal_of(A), primal_of(B)
    if A.shape[-2:] != A.shape[-1:] * 2:
        raise ValueError(f"scipy.linalg.solve_triangular: expected a square matrix, got the shape {A.shape}")
    trans = {"N": 0, "T": 1, "C": 2}.get(trans, trans)
    if trans not in {0, 1, 2}:
        raise ValueError(f"scipy.linalg.solve_triangular: trans is {trans!r}, and not one of 0, 1, 2")
    if check_finite:
        check_finite_elements(A, B)
    reading = triangle(lower, unit_diagonal)

    def factorize(A: Any) -> Any:
        return of_each(lambda A: Triangular(A, bool(lower), bool(unit_diagonal)), (A, 2))

    factorization = factored_in_precision(A, B, factorize)
    if trans == 1:
        return LinearSystem(TransposedReading(reading), Transposed(factorization)), False
    return LinearSystem(reading, factorization), trans == 2
