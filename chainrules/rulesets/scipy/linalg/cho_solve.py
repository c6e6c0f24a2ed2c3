"""Rules for systems whose Cholesky factor is given; see `chainrules.operations.linear_systems`.

The cotangent of the factor ``L`` of ``L Lᴴ X = B`` is the triangle of ``-(B_bar Xᴴ + X B_barᴴ) L``: see
`chainrules.formulas.matrices.matrix_readings`.
"""

from typing import Any

import numpy as np
from scipy.linalg import cho_solve, cho_solve_banded

from chainrules.formulas.matrices.matrix_readings import CholeskyFactor, triangle, triangular_bands
from chainrules.numerics.factorizations import factored_in_precision, of_each
from chainrules.numerics.known_factors import KnownBandedCholesky, KnownCholesky
from chainrules.operations.linear_systems import LinearSystem, pull_solution, push_solution
from chainrules.values.finite_elements import check_finite_elements
from chainrules.values.operands import ArrayOperand
from chainrules.values.several_arrays import tangent_of
from chainrules_core import NO_TANGENT, AbstractZero, frule, primal_of, rrule, typeof_


def _rules_of(primal: Any, system_of: Any) -> None:
    """Define the rules, where ``system_of(factor, B, is_lower)`` is the system of plain arrays."""

    def read(factor_and_lower: Any, B: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
        factor, is_lower = factor_and_lower
        plain = primal_of(factor), primal_of(B)
        if check_finite:
            check_finite_elements(*plain)
        return factor, system_of(*plain, bool(np.all(is_lower)))

    @frule.dispatch
    def cho_solve_frule(
        tangents, f: typeof_(primal), factor_and_lower: tuple | list, B: ArrayOperand, *options, **named
    ):
        factor, system = read(factor_and_lower, B, *options, **named)
        pair_dot = tangents[1]
        factor_dot = pair_dot if isinstance(pair_dot, AbstractZero) else pair_dot[0]
        return push_solution((NO_TANGENT, factor_dot, tangents[2]), factor, B, system)

    @rrule.dispatch
    def cho_solve_rrule(
        f: typeof_(primal), factor_and_lower: tuple | list, B: ArrayOperand, *options, **named
    ):
        factor, system = read(factor_and_lower, B, *options, **named)
        X, pull = pull_solution(factor, B, system)

        def cho_solve_pullback(X_bar):
            _, factor_bar, B_bar = pull(X_bar)
            pair_bar = tangent_of(factor_and_lower, (factor_bar, NO_TANGENT))
            return NO_TANGENT, pair_bar, B_bar, *(NO_TANGENT,) * len(options)

        return X, cho_solve_pullback


def _dense_system(factor: Any, B: Any, is_lower: bool) -> LinearSystem:
    def factorize(factor: Any) -> Any:
        return of_each(lambda factor: KnownCholesky(factor, is_lower), (factor, 2))

    reading = CholeskyFactor(triangle(is_lower), is_lower)
    return LinearSystem(reading, factored_in_precision(factor, B, factorize))


def _banded_system(factor: Any, B: Any, is_lower: bool) -> LinearSystem:
    def factorize(factor: Any) -> Any:
        return of_each(lambda factor: KnownBandedCholesky(factor, is_lower), (factor, 2))

    reading = CholeskyFactor(triangular_bands(factor.shape[-2], is_lower), is_lower)
    return LinearSystem(reading, factored_in_precision(factor, B, factorize))


_rules_of(cho_solve, _dense_system)
_rules_of(cho_solve_banded, _banded_system)
