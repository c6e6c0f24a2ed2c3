"""Rules for the solution of sparse linear systems.

``A x = b``: ``x_dot = A⁻¹ (b_dot - A_dot x)``; ``b_bar = A⁻ᴴ x_bar``, and ``A_bar = -b_bar xᴴ``, of which
only the elements where `A` stores an entry are computed. M. B. Giles, "An extended collection of matrix
derivative results for forward and reverse mode algorithmic differentiation", 2008, section 2.3.1.
"""

from typing import Any

import numpy as np
from scipy.sparse.linalg import spsolve

from chainrules.reductions import shape_of
from chainrules.rulesets.scipy.sparse.products import Sparse, adjoint
from chainrules.sparse_patterns import conjugated, sample_product
from chainrules_core import NoTangent, ProjectTo, frule, primitive, rrule, thunk, typeof_, unthunk

_solve = primitive(spsolve)


@frule.dispatch
def spsolve_frule(
    tangents: Any, f: typeof_(spsolve), A: Sparse, b: np.ndarray, *options: Any, **named: Any
) -> tuple[Any, Any]:
    _, A_dot, b_dot, *_ = map(unthunk, tangents)
    x = _solve(A, b, *options, **named)
    right = b_dot - np.reshape(A_dot @ x, shape_of(b)) if hasattr(A_dot, "shape") else b_dot
    return x, _solve(A, right, *options, **named) if hasattr(right, "shape") else right


@rrule.dispatch
def spsolve_rrule(
    f: typeof_(spsolve), A: Sparse, b: np.ndarray, *options: Any, **named: Any
) -> tuple[Any, Any]:
    x = _solve(A, b, *options, **named)
    project_A, project_b = ProjectTo(A), ProjectTo(b)

    def spsolve_pullback(x_bar: Any) -> tuple[Any, ...]:
        b_bar = _solve(adjoint(A), unthunk(x_bar), *options, **named)
        A_bar = thunk(lambda: sample_product(-b_bar, conjugated(x), project_A))
        option_bars = [NoTangent() for _ in options]
        return NoTangent(), A_bar, project_b(np.reshape(b_bar, shape_of(b))), *option_bars

    return x, spsolve_pullback
