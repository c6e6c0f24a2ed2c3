"""Rules for sparse triangular systems: as of `spsolve`, and a diagonal that is not read has no derivative."""

from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import spsolve_triangular

from chainrules.formulas.matrices.sparse_products import conjugate_transpose
from chainrules.operations.sparse_patterns import conjugated, fitted_to_pattern, sample_product
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.sparse import Sparse
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primitive, rrule, thunk, typeof_

_solve = primitive(spsolve_triangular)
_lower, _upper = primitive(scipy.sparse.tril), primitive(scipy.sparse.triu)

# In the order in which SciPy takes them. Nothing is overwritten: the values are needed again.
_NAMES = ("lower", "overwrite_A", "overwrite_b", "unit_diagonal")


@frule.dispatch
def spsolve_triangular_frule(
    tangents: Any, f: typeof_(spsolve_triangular), A: Sparse, b: ArrayOperand, *args: Any, **named: Any
):
    _, A_dot, b_dot, *_ = tangents
    is_lower, has_ones = _options(args, named)
    x = _solve(A, b, is_lower, unit_diagonal=has_ones)
    right = b_dot
    if not isinstance(A_dot, AbstractZero):
        right = right - _read(A_dot, is_lower, has_ones) @ x
    return x, right if isinstance(right, AbstractZero) else _solve(A, right, is_lower, unit_diagonal=has_ones)


@rrule.dispatch
def spsolve_triangular_rrule(
    f: typeof_(spsolve_triangular), A: Sparse, b: ArrayOperand, *args: Any, **named: Any
):
    is_lower, has_ones = _options(args, named)
    x = _solve(A, b, is_lower, unit_diagonal=has_ones)

    def spsolve_triangular_pullback(x_bar):
        adjoint = conjugate_transpose(A)
        b_bar = _solve(adjoint, x_bar, not is_lower, unit_diagonal=has_ones)

        @thunk
        def A_bar():  # noqa: N802 - the cotangent of a matrix
            bar = sample_product(-b_bar, conjugated(x), ProjectTo(A))
            return fitted_to_pattern(A, _read(bar, is_lower, has_ones))

        return NO_TANGENT, A_bar, ProjectTo(b)(np.reshape(b_bar, shape_of(b))), *(NO_TANGENT,) * len(args)

    return x, spsolve_triangular_pullback


def _options(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[bool, bool]:
    """Whether it is a lower triangle, and whether ones stand in the place of the diagonal."""
    options = dict(zip(_NAMES, args, strict=False)) | named
    return options.get("lower", True), options.get("unit_diagonal", False)


def _read(A: Any, is_lower: bool, has_ones: bool) -> Any:
    """What is read of a triangular matrix."""
    if not has_ones:
        return A
    return _lower(A, -1) if is_lower else _upper(A, 1)
