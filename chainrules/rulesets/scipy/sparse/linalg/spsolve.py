"""Rules for the solution of sparse linear systems.

``A x = b``: ``x_dot = A⁻¹ (b_dot - A_dot x)``; ``b_bar = A⁻ᴴ x_bar``, and ``A_bar = -b_bar xᴴ``. Only
the elements where `A` stores an entry are computed. M. B. Giles, "An extended collection of matrix
derivative results for forward and reverse mode algorithmic differentiation", 2008, section 2.3.1.
"""

from typing import Any

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import spsolve

from chainrules.formulas.sparse_products import conjugate_transpose
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
    unthunk,
)

_solve = primitive(spsolve)
_in_format = primitive(csc_array.asformat)


@frule.dispatch
def spsolve_frule(
    tangents: Any, f: typeof_(spsolve), A: Sparse, b: ArrayOperand, *options: Any, **named: Any
):
    _, A_dot, b_dot, *_ = map(unthunk, tangents)
    x = _solve(A, b, *options, **named)
    right = b_dot if isinstance(A_dot, AbstractZero) else b_dot - _solution_in_shape(A_dot @ x, b)
    return x, right if isinstance(right, AbstractZero) else _solve(A, right, *options, **named)


@rrule.dispatch
def spsolve_rrule(f: typeof_(spsolve), A: Sparse, b: ArrayOperand, *options: Any, **named: Any):
    x = _solve(A, b, *options, **named)
    project_A, project_x = ProjectTo(A), ProjectTo(x)

    def spsolve_pullback(x_bar):
        x_bar = unthunk(x_bar)
        A_adjoint = conjugate_transpose(A)
        if is_sparse_operand(x):
            # SciPy's solver for sparse right sides wants columns, which the adjoint has as rows.
            x_bar, A_adjoint = (
                project_onto_pattern(x_bar, project_x),
                _in_format(A_adjoint, primal_of(A).format),
            )
        right_bar = _solve(A_adjoint, x_bar, *options, **named)
        A_bar = thunk(lambda: sample_product(-right_bar, conjugated(x), project_A))
        option_bars = [NO_TANGENT for _ in options]
        return NO_TANGENT, A_bar, fitted_to_pattern(b, _solution_in_shape(right_bar, b)), *option_bars

    return x, spsolve_pullback


def _solution_in_shape(x: Any, b: Any) -> Any:
    """A solution in the shape of the right side, which may have been one column."""
    return x if shape_of(x) == shape_of(b) else np.reshape(x, shape_of(b))
