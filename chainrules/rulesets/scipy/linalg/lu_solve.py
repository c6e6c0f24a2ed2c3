"""Rules for systems whose LU factors are given; see `chainrules.operations.linear_systems`.

The cotangents of the factors of ``P L U X = B`` stand on the two triangles of their array: see
`chainrules.formulas.matrices.matrix_readings.LUFactors`. The pivots are constants.
"""

from typing import Any

import numpy as np
from scipy.linalg import lu_solve

from chainrules.formulas.matrices.matrix_readings import LUFactors, TransposedReading
from chainrules.numerics.factorizations import Transposed, factored_in_precision, of_each
from chainrules.numerics.known_factors import KnownLU
from chainrules.operations.linear_systems import LinearSystem, pull_solution, push_solution
from chainrules.values.finite_elements import check_finite_elements
from chainrules.values.operands import ArrayOperand
from chainrules.values.several_arrays import tangent_of
from chainrules_core import NO_TANGENT, AbstractZero, frule, primal_of, rrule, typeof_


@frule.dispatch
def lu_solve_frule(
    tangents, f: typeof_(lu_solve), lu_and_piv: tuple | list, B: ArrayOperand, *options, **named
):
    pair_dot = tangents[1]
    factors_dot = pair_dot if isinstance(pair_dot, AbstractZero) else pair_dot[0]
    factors, system, by_adjoint = _system_of(lu_and_piv, B, *options, **named)
    return push_solution((NO_TANGENT, factors_dot, tangents[2]), factors, B, system, by_adjoint)


@rrule.dispatch
def lu_solve_rrule(f: typeof_(lu_solve), lu_and_piv: tuple | list, B: ArrayOperand, *options, **named):
    factors, system, by_adjoint = _system_of(lu_and_piv, B, *options, **named)
    X, pull = pull_solution(factors, B, system, by_adjoint)

    def lu_solve_pullback(X_bar):
        _, factors_bar, B_bar = pull(X_bar)
        pair_bar = tangent_of(lu_and_piv, (factors_bar, NO_TANGENT))
        return NO_TANGENT, pair_bar, B_bar, *(NO_TANGENT,) * len(options)

    return X, lu_solve_pullback


def _system_of(
    lu_and_piv: Any, B: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> tuple[Any, LinearSystem, bool]:
    """The factors, the system, and whether its matrix is the adjoint.

    Raises
    ------
    ValueError
        If an element is not finite, or for an unknown `trans`.
    """
    factors, pivots = lu_and_piv
    pivots = np.asarray(primal_of(pivots))
    if trans not in {0, 1, 2}:
        raise ValueError(f"scipy.linalg.lu_solve: trans is {trans!r}, and not one of 0, 1, 2")
    if check_finite:
        check_finite_elements(primal_of(B))

    def factorize(factors: Any) -> Any:
        return of_each(KnownLU, (factors, 2), (pivots, 1))

    reading, factorization = (
        LUFactors(pivots),
        factored_in_precision(primal_of(factors), primal_of(B), factorize),
    )
    if trans == 1:
        return factors, LinearSystem(TransposedReading(reading), Transposed(factorization)), False
    return factors, LinearSystem(reading, factorization), trans == 2
