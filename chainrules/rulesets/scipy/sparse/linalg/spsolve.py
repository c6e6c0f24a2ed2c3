"""Rules for the solution of sparse linear systems; the decomposition of the matrix is computed once.

``A x = b``: ``x_dot = A⁻¹ (b_dot - A_dot x)``; ``b_bar = A⁻ᴴ x_bar``, and ``A_bar = -b_bar xᴴ``. Only
the elements where `A` stores an entry are computed. M. B. Giles, "An extended collection of matrix
derivative results for forward and reverse mode algorithmic differentiation", 2008, section 2.3.1.
"""

from typing import Any

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import spsolve

from chainrules.formulas.factorizations.sparse_factors import factors_or_nan, sparse_system
from chainrules.formulas.matrices.sparse_products import conjugate_transpose
from chainrules.operations.linear_systems import solution
from chainrules.operations.sparse_patterns import (
    conjugated,
    fitted_to_pattern,
    is_sparse_operand,
    sample_product,
)
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.sparse import Sparse
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    primitive,
    project_onto_pattern,
    rrule,
    thunk,
    typeof_,
)

_solve = primitive(spsolve)
_in_format = primitive(csc_array.asformat)


@frule.dispatch
def spsolve_frule(
    tangents: Any, f: typeof_(spsolve), A: Sparse, b: ArrayOperand, *options: Any, **named: Any
):
    _, A_dot, b_dot, *_ = tangents
    x, solve, _ = _solved(A, b, *options, **named)
    right = b_dot if isinstance(A_dot, AbstractZero) else b_dot - _solution_in_shape(A_dot @ x, b)
    return x, right if isinstance(right, AbstractZero) else solve(right)


@rrule.dispatch
def spsolve_rrule(f: typeof_(spsolve), A: Sparse, b: ArrayOperand, *options: Any, **named: Any):
    x, _, solve_adjoint = _solved(A, b, *options, **named)

    def spsolve_pullback(x_bar):
        right_bar = solve_adjoint(x_bar)
        A_bar = thunk(lambda: sample_product(-right_bar, conjugated(x), ProjectTo(A)))
        option_bars = [NO_TANGENT for _ in options]
        return NO_TANGENT, A_bar, fitted_to_pattern(b, _solution_in_shape(right_bar, b)), *option_bars

    return x, spsolve_pullback


def _solved(A: Any, b: Any, permc_spec: str | None = None, use_umfpack: bool = True) -> tuple[Any, Any, Any]:
    """The solution, what solves for another right side, and what solves with the adjoint matrix."""
    if is_sparse_operand(b):
        return _solved_for_sparse(A, b, permc_spec, use_umfpack)
    system = sparse_system(factors_or_nan(A, b, permc_spec=permc_spec))

    def solve(right: Any) -> Any:
        # SciPy takes one column for a vector.
        right = np.reshape(right, (-1,)) if shape_of(right)[1:] == (1,) else right
        return solution(A, right, system)

    return solve(b), solve, lambda x_bar: solution(A, x_bar, system, True)


def _solved_for_sparse(A: Any, b: Any, permc_spec: str | None, use_umfpack: bool) -> tuple[Any, Any, Any]:
    """Right sides are sparse; SciPy solves for one column after the other, and keeps what is not zero."""
    x = _solve(A, b, permc_spec, use_umfpack)
    project_x = ProjectTo(x)

    def solve_adjoint(x_bar: Any) -> Any:
        A_adjoint = conjugate_transpose(A)
        if is_sparse_operand(x):
            # SciPy's solver for sparse right sides wants columns, which the adjoint has as rows.
            x_bar = project_onto_pattern(x_bar, project_x)
            A_adjoint = _in_format(A_adjoint, primal_of(A).format)
        return _solve(A_adjoint, x_bar, permc_spec, use_umfpack)

    return x, lambda right: _solve(A, right, permc_spec, use_umfpack), solve_adjoint


def _solution_in_shape(x: Any, b: Any) -> Any:
    """A solution in the shape of the right side, which may have been one column."""
    return x if shape_of(x) == shape_of(b) else np.reshape(x, shape_of(b))
