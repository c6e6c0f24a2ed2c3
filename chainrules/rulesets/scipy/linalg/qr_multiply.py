"""Rules for products with the ``Q`` of a QR decomposition.

See `chainrules.formulas.factorizations.qr_factors`.
"""

from typing import Any

from scipy.linalg import qr, qr_multiply

from chainrules.formulas.factorizations.qr_factors import pull_qr, push_qr
from chainrules.formulas.matrices.row_orders import columns_in_order, inverse_order
from chainrules.makers.versions import is_scipy_since
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)

_qr = primitive(qr)


@frule.dispatch
def qr_multiply_frule(tangents, f: typeof_(qr_multiply), A: ArrayOperand, C: ArrayOperand, *options, **named):
    _, A_dot, C_dot, *_ = tangents
    product, (Q, R, *order) = _product_by(A, C, *options, **named)
    y = _kind_of_results(A, C)((product(Q, C), R, *order))
    Q_dot, R_dot = A_dot, A_dot
    if not isinstance(A_dot, AbstractZero):
        matrices = (columns_in_order(X, primal_of(*order)) if order else X for X in (A, A_dot))
        Q_dot, R_dot = push_qr(Q, R, *matrices)
    y_dot = sum(
        (product(*pair) for pair in ((Q_dot, C), (Q, C_dot)) if not _has_zero(pair)), start=ZeroTangent()
    )
    return y, tangent_of_results(y, y_dot, R_dot, *(NO_TANGENT,) * len(order))


@rrule.dispatch
def qr_multiply_rrule(f: typeof_(qr_multiply), A: ArrayOperand, C: ArrayOperand, *options, **named):
    product, (Q, R, *order) = _product_by(A, C, *options, **named)
    y = _kind_of_results(A, C)((product(Q, C), R, *order))

    def qr_multiply_pullback(y_bar):
        product_bar, R_bar, *_ = cotangents_of_results(y, y_bar)
        Q_bar = C_bar = ZeroTangent()
        if not isinstance(product_bar, AbstractZero):
            Q_bar, C_bar = product.pulled(Q, C, product_bar)
        matrix = columns_in_order(A, primal_of(*order)) if order else A
        A_bar = pull_qr("scipy.linalg.qr_multiply", Q, R, matrix, Q_bar, R_bar)
        if order and not isinstance(A_bar, AbstractZero):
            A_bar = columns_in_order(A_bar, inverse_order(primal_of(*order)))
        bars = unbroadcast(A, A_bar), unbroadcast(C, C_bar)
        return NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

    return y, qr_multiply_pullback


class _Product:
    """The product with ``Q`` from the left or from the right, of a matrix or a vector."""

    __slots__ = ("_conjugates", "_is_left", "_is_vector")

    def __init__(self: Any, is_left: bool, conjugates: bool, is_vector: bool) -> None:
        self._is_left, self._conjugates, self._is_vector = is_left, conjugates, is_vector

    def __call__(self: Any, Q: Any, C: Any) -> Any:
        Q = conjugate(Q) if self._conjugates else Q
        C = self._as_matrix(C)
        return self._as_before(Q @ C if self._is_left else C @ Q)

    def pulled(self: Any, Q: Any, C: Any, y_bar: Any) -> tuple[Any, Any]:
        """The cotangents of ``Q`` and of the matrix."""
        Q = conjugate(Q) if self._conjugates else Q
        y_bar, C_adjoint = self._as_matrix(y_bar), adjoint(self._as_matrix(C))
        Q_bar = y_bar @ C_adjoint if self._is_left else C_adjoint @ y_bar
        C_bar = adjoint(Q) @ y_bar if self._is_left else y_bar @ adjoint(Q)
        return conjugate(Q_bar) if self._conjugates else Q_bar, self._as_before(C_bar)

    def _as_matrix(self: Any, C: Any) -> Any:
        if not self._is_vector:
            return C
        return C[..., :, None] if self._is_left else C[..., None, :]

    def _as_before(self: Any, C: Any) -> Any:
        if not self._is_vector:
            return C
        return C[..., :, 0] if self._is_left else C[..., 0, :]


def _product_by(  # noqa: PLR0913, PLR0917 - SciPy's signature
    A, C, mode="right", pivoting=False, conjugate=False, overwrite_a=False, overwrite_c=False
) -> tuple[_Product, Any]:
    """The product, and the reduced decomposition; no argument is overwritten.

    Raises
    ------
    ValueError
        For modes that SciPy does not know, and for a product with the complete ``Q``.
    """
    if mode not in {"left", "right"}:
        raise ValueError(f"scipy.linalg.qr_multiply: the mode is {mode!r}, and not 'left' or 'right'")
    rows, columns = shape_of(A)[-2:]
    if overwrite_c and mode == "left" and rows > columns:
        raise ValueError(
            "scipy.linalg.qr_multiply(..., mode='left', overwrite_c=True) of a matrix with more rows than "
            "columns multiplies by vectors that complete the basis, an arbitrary choice: it cannot be "
            "differentiated. Write overwrite_c=False."
        )
    product = _Product(mode == "left", conjugate, len(shape_of(C)) == 1)
    return product, _qr(A, mode="economic", pivoting=pivoting)


def _kind_of_results(A: Any, C: Any) -> Any:
    """A tuple; before SciPy 2.0 a list, for stacks."""
    is_stack = max(len(shape_of(A)), len(shape_of(C))) > 2
    return list if is_stack and not is_scipy_since(2, 0) else tuple


def _has_zero(pair: Any) -> bool:
    return any(isinstance(x, AbstractZero) for x in pair)
