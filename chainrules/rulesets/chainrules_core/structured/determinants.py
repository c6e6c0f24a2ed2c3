"""Rules for determinants of structured arrays that do without the whole inverse.

The equations hold for all matrices, see `chainrules.formulas.equations.determinants`. Only those cofactors
and elements of the inverse are computed where the array stores an element, in time that is linear in their
number. The determinant of a triangular matrix is the product of its diagonal.
"""

from typing import Any

import numpy as np

from chainrules.formulas.equations.determinants import pull_det, pull_slogdet, push_det, push_slogdet
from chainrules.formulas.matrices.structured_products import product_onto
from chainrules.numerics.adjugate import adjugate
from chainrules.operations.dense_forms import dense_form
from chainrules.values.stacks import transposed
from chainrules_core import NO_TANGENT, frule, primal_of, primitive, rrule, to_natural, typeof_
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    SymTridiagonal,
    Triangular,
    Tridiagonal,
    cofactor_bands,
    inverse_bands,
)

_Determined = Diagonal | Bidiagonal | Tridiagonal | SymTridiagonal | Triangular


@frule.dispatch
def det_frule(tangents: Any, f: typeof_(np.linalg.det), A: _Determined):
    return push_det(tangents, A, _cofactors)


@rrule.dispatch
def det_rrule(f: typeof_(np.linalg.det), A: _Determined):
    return pull_det(A, _cofactors)


@frule.dispatch
def slogdet_frule(tangents: Any, f: typeof_(np.linalg.slogdet), A: _Determined):
    return push_slogdet(tangents, A, _inverse_transposed)


@rrule.dispatch
def slogdet_rrule(f: typeof_(np.linalg.slogdet), A: _Determined):
    return pull_slogdet(A, _inverse_transposed)


def _cofactors(A: Any, y: Any) -> Any:
    """The derivative of ``y = det(A)`` by the elements that `A` stores."""
    if primal_of(A) is not A:
        # It is to be differentiated itself.
        inverse = _inverse_transposed(A) if primal_of(y) != 0 else None
        if inverse is not None and _is_well_conditioned(A, inverse):
            return y * inverse
        return transposed(adjugate(dense_form(A)))
    if isinstance(A, Tridiagonal | SymTridiagonal):
        return _with_bands(A, cofactor_bands(A))
    diagonal = A.diagonal()
    if np.finfo(np.result_type(y, np.float32)).tiny < np.abs(y) < np.inf:
        return Diagonal(y / diagonal)
    return Diagonal(cofactor_bands(Diagonal(diagonal))[0])


# Beyond it the derivatives of the inverse would lose more than half of the digits.
_WORST_CONDITION = 1e4


def _is_well_conditioned(A: Any, inverse: Any) -> bool:
    """Whether derivatives of the inverse are precise; where it is made of single numbers, they always are."""
    A, inverse = primal_of(A), primal_of(inverse)
    if not isinstance(A, Tridiagonal | SymTridiagonal):
        return True
    sizes = [max(np.max(np.abs(X.diagonal(k)), initial=0) for k in (-1, 0, 1)) for X in (A, inverse)]
    return bool(sizes[0] * sizes[1] < _WORST_CONDITION)


def _inverse_transposed(A: Any) -> Any:
    """The transpose of the inverse, where `A` stores elements, or the part of it that is not always zero."""
    is_triangular = isinstance(primal_of(A), Diagonal | Bidiagonal | Triangular)
    return np.linalg.inv(Diagonal(np.diagonal(A))) if is_triangular else inverse_on_bands(A)


@primitive
def inverse_on_bands(A: Any) -> Any:
    """The transpose of the inverse of a tridiagonal matrix, on its three diagonals, as one of its kind."""
    return _with_bands(A, inverse_bands(A))


@frule.dispatch
def inverse_on_bands_frule(tangents: Any, f: typeof_(inverse_on_bands), A: Tridiagonal | SymTridiagonal):
    """The tangent of the inverse ``Z`` is ``-Z A_dot Z``, for which all of ``Z`` is needed."""
    A_dot = tangents[1]
    y = inverse_on_bands(A)
    Z = transposed(np.linalg.inv(A))
    return y, product_onto(A, -(Z @ transposed(A_dot)), Z)


@rrule.dispatch
def inverse_on_bands_rrule(f: typeof_(inverse_on_bands), A: Tridiagonal | SymTridiagonal):
    """The adjoint of the forward rule."""

    def inverse_on_bands_pullback(y_bar):
        y_bar = to_natural(primal_of(A), y_bar)  # the result is of the kind of the matrix
        Z = np.conjugate(transposed(np.linalg.inv(A)))
        return NO_TANGENT, product_onto(A, -(Z @ transposed(y_bar)), Z)

    return inverse_on_bands(A), inverse_on_bands_pullback


def _with_bands(A: Any, bands: dict[int, Any]) -> Any:
    if isinstance(A, SymTridiagonal):
        return SymTridiagonal(bands[0], bands[1])
    return Tridiagonal(bands[-1], bands[0], bands[1])
