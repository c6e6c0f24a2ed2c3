"""The rules of determinants and their logarithms, for matrices of any kind.

For ``y = det A``: ``y_dot = tr(adj(A) A_dot)``, and ``A_bar = y_bar adj(A)ᴴ``, by Jacobi's formula;
``log det A`` has the differential ``tr(A⁻¹ dA)``. Its real part belongs to ``log |det A|``. Its
imaginary part turns the sign, which is ``exp(i arg det A)``; of a real matrix it is zero, and the sign is
constant. M. B. Giles, "An extended collection of matrix derivative results for forward and reverse mode
algorithmic differentiation", 2008, section 2.2.4.

The adjugate ``adj(A)`` is ``y A⁻¹`` for invertible matrices, and exists for all square matrices: the
determinant is a polynomial.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.numerics.adjugate import adjugate
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.stacks import (
    conjugate,
    is_complex_array,
    trace_of_product,
    transposed,
    with_matrix_axes,
)
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, primal_of

# Beyond it the second derivatives by the inverse would lose more than half of the digits.
_WORST_CONDITION = 1e4


def push_det(
    tangents: Any, A: Any, cofactors: Callable[[Any, Any], Any], known: Any = None
) -> tuple[Any, Any]:
    """The forward rule, where ``cofactors(A, y)`` is the derivative of ``y = det A`` by each element.

    The result may be `known` already.
    """
    A_dot = tangents[1]
    y = np.linalg.det(A) if known is None else known
    if isinstance(A_dot, AbstractZero):
        return y, A_dot
    return y, trace_of_product(transposed(cofactors(A, y)), A_dot)


def pull_det(A: Any, cofactors: Callable[[Any, Any], Any], known: Any = None) -> tuple[Any, Any]:
    """The reverse rule, likewise."""
    y = np.linalg.det(A) if known is None else known
    project = ProjectTo(A)

    def det_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, project(with_matrix_axes(y_bar) * conjugate(cofactors(A, y)))

    return y, det_pullback


def push_slogdet(tangents: Any, A: Any, gradient: Callable[[Any], Any], known: Any = None) -> tuple[Any, Any]:
    """The forward rule, where ``gradient(A)`` is the derivative of ``log det A`` by each element.

    The result may be `known` already.
    """
    A_dot = tangents[1]
    y = np.linalg.slogdet(A) if known is None else known
    log_dot = trace_of_product(transposed(_of_regular(gradient, A)), A_dot)
    sign_dot = 1j * np.imag(log_dot) * y[0] if is_complex_array(A) else ZeroTangent()
    return y, tangent_of_results(y, sign_dot, np.real(log_dot))


def pull_slogdet(A: Any, gradient: Callable[[Any], Any], known: Any = None) -> tuple[Any, Any]:
    """The reverse rule, likewise."""
    y = np.linalg.slogdet(A) if known is None else known
    project = ProjectTo(A)

    def slogdet_pullback(y_bar: Any) -> Any:
        sign_bar, logabsdet_bar = cotangents_of_results(y, y_bar)
        log_bar = logabsdet_bar
        if is_complex_array(A) and not isinstance(sign_bar, AbstractZero):
            log_bar = logabsdet_bar + 1j * np.imag(np.conjugate(y[0]) * sign_bar)
        if isinstance(log_bar, AbstractZero):
            return NO_TANGENT, log_bar
        return NO_TANGENT, project(with_matrix_axes(log_bar) * conjugate(_of_regular(gradient, A)))

    return y, slogdet_pullback


def _of_regular(gradient: Callable[[Any], Any], A: Any) -> Any:
    """The derivative of the logarithm of the determinant; an error that says so where there is none."""
    try:
        return gradient(A)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(
            "Singular matrix: the logarithm of its determinant, minus infinity, has no derivative. The "
            "determinant has one, `np.linalg.det(A)`"
        ) from None


def cofactors(A: Any, y: Any) -> Any:
    """The transpose of the adjugate of a matrix whose determinant is `y`.

    The product with the inverse is as precise near singular matrices as elsewhere, since both factors come
    from one factorization, whose smallest pivot cancels in the product. In its derivatives it does not
    cancel.
    """
    if np.all(primal_of(y) != 0):
        inverse = np.linalg.inv(A)
        if primal_of(A) is A or _is_well_conditioned(A, inverse):
            return transposed(with_matrix_axes(y) * inverse)
    return transposed(adjugate(A))


def _is_well_conditioned(A: Any, inverse: Any) -> bool:
    sizes = [np.max(np.abs(np.asarray(primal_of(X))), axis=(-2, -1), initial=0) for X in (A, inverse)]
    return bool(np.all(sizes[0] * sizes[1] < _WORST_CONDITION))
