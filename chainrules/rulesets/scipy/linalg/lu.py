"""Rules for the LU decomposition; see `chainrules.formulas.factorizations.lu_factors`.

The order of the rows is a constant. `lu_factor` returns both factors in one array, ``L`` without its
diagonal.
"""

from typing import Any

import numpy as np
from scipy.linalg import lu, lu_factor

from chainrules.formulas.arrays.lengths import with_length
from chainrules.formulas.factorizations.lu_factors import pull_lu, push_lu
from chainrules.formulas.matrices.row_orders import inverse_order, permutation_by, rows_in_order
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
)

_lu, _lu_factor = primitive(lu), primitive(lu_factor)


@frule.dispatch
def lu_frule(tangents, f: typeof_(lu), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    y, order, L, U, permutes = _decomposed(A, *options, **named)
    L_dot, U_dot = push_lu(L, U, rows_in_order(A_dot, inverse_order(order)))
    if permutes:
        return y, tangent_of_results(y, rows_in_order(L_dot, order), U_dot)
    return y, tangent_of_results(y, _zero_of_order(y[0]), L_dot, U_dot)


@rrule.dispatch
def lu_rrule(f: typeof_(lu), A: ArrayOperand, *options, **named):
    y, order, L, U, permutes = _decomposed(A, *options, **named)
    project = ProjectTo(A)

    def lu_pullback(y_bar):
        *_, L_bar, U_bar = cotangents_of_results(y, y_bar)
        if isinstance(L_bar, AbstractZero) and isinstance(U_bar, AbstractZero):
            return NO_TANGENT, L_bar, *(NO_TANGENT,) * len(options)
        if permutes and not isinstance(L_bar, AbstractZero):
            L_bar = rows_in_order(L_bar, inverse_order(order))
        A_bar = rows_in_order(pull_lu(L, U, L_bar, U_bar), order)
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return y, lu_pullback


def _decomposed(
    A, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False
) -> tuple[Any, Any, Any, Any, bool]:
    """The result, the order that makes the rows of ``L U`` those of `A`, both factors, and one thing more.

    That is whether the rows of ``L`` are in this order in the result. The argument is never overwritten.
    """
    if permute_l:
        order, L, U = _lu(A, check_finite=check_finite, p_indices=True)
        order = _order(A, order)
        return (rows_in_order(L, order), U), order, L, U, True
    y = P, L, U = _lu(A, check_finite=check_finite, p_indices=p_indices)
    order = primal_of(P) if p_indices else np.argmax(primal_of(P).real, axis=-1) if shape_of(P)[-1] else P
    return y, _order(A, order), L, U, False


def _order(A: Any, order: Any) -> Any:
    """The order of the rows; SciPy has none of a matrix without elements, and of no matrices."""
    return primal_of(order) if all(shape_of(A)) else np.arange(shape_of(A)[-2])


def _zero_of_order(P: Any) -> Any:
    return NO_TANGENT if primal_of(P).dtype.kind == "i" else ZeroTangent()


@frule.dispatch
def lu_factor_frule(tangents, f: typeof_(lu_factor), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    y, order = _factored(A, *options, **named)
    rows, columns = shape_of(A)[-2:]
    L_dot, U_dot = push_lu(*_factors_in(y[0]), rows_in_order(A_dot, order))
    factors_dot = with_length(L_dot, columns, -1) + with_length(U_dot, rows, -2)
    return y, tangent_of_results(y, factors_dot, NO_TANGENT)


@rrule.dispatch
def lu_factor_rrule(f: typeof_(lu_factor), A: ArrayOperand, *options, **named):
    y, order = _factored(A, *options, **named)
    project = ProjectTo(A)

    def lu_factor_pullback(y_bar):
        factors_bar, _ = cotangents_of_results(y, y_bar)
        if isinstance(factors_bar, AbstractZero):
            return NO_TANGENT, factors_bar, *(NO_TANGENT,) * len(options)
        k = min(shape_of(A)[-2:])
        L_bar, U_bar = np.tril(factors_bar[..., :k], -1), np.triu(factors_bar[..., :k, :])
        A_bar = rows_in_order(pull_lu(*_factors_in(y[0]), L_bar, U_bar), inverse_order(order))
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return y, lu_factor_pullback


def _factored(A: Any, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, Any]:
    """The result, and the order of the rows; the argument is never overwritten."""
    y = _lu_factor(A, check_finite=check_finite)
    return y, permutation_by(primal_of(y[1]), shape_of(A)[-2])


def _factors_in(factors: Any) -> tuple[Any, Any]:
    rows, columns = shape_of(factors)[-2:]
    k = min(rows, columns)
    ones = np.eye(rows, k, dtype=primal_of(factors).dtype)
    return np.tril(factors[..., :k], -1) + ones, np.triu(factors[..., :k, :])
