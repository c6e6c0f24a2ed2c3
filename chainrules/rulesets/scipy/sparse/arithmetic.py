"""Rules for sums, differences, and products and quotients of elements, in which an operand is sparse.

Elements have the derivatives of numbers. A cotangent has the pattern that its operand stores, since no other
element can move. The ``*`` of sparse arrays multiplies elements; the ``*`` of sparse matrices, matrices.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import spmatrix

from chainrules.formulas.matrices.sparse_products import pull_product, push_product
from chainrules.makers.either_operand import either_operand
from chainrules.operations.sparse_entries import have_same_places, ones_like, with_moving_entries, with_zeros
from chainrules.operations.sparse_patterns import fitted_to_pattern, inner, is_sparse_operand
from chainrules.values.operands import NumberOperand, Operand
from chainrules.values.reductions import shape_of
from chainrules.values.sparse import Sparse, methods
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, rrule, rule_maker, thunk, typeof_

# --- Linear in one operand -----------------------------------------------------------------------


@frule.dispatch(precedence=1)
def neg_frule(tangents: Any, f: typeof_(operator.neg), A: Sparse):
    return -A, -tangents[1]


@rrule.dispatch(precedence=1)
def neg_rrule(f: typeof_(operator.neg), A: Sparse):
    def neg_pullback(y_bar):
        return NO_TANGENT, fitted_to_pattern(A, -y_bar)

    return -A, neg_pullback


@frule.dispatch(precedence=1)
def conjugate_frule(tangents: Any, f: typeof_(np.conjugate), A: Sparse):
    return A.conjugate(), np.conjugate(tangents[1])


@rrule.dispatch(precedence=1)
def conjugate_rrule(f: typeof_(np.conjugate), A: Sparse):
    def conjugate_pullback(y_bar):
        return NO_TANGENT, fitted_to_pattern(A, _conjugated(y_bar))

    return A.conjugate(), conjugate_pullback


# --- Sums and differences ------------------------------------------------------------------------


@rule_maker
def _sum_rules(primal: Callable[[Any, Any], Any]) -> None:
    """Define the rules of ``A + B`` or ``A - B``, in which `A` or `B` or both are sparse."""

    def push(tangents, A, B):
        y = primal(A, B)
        y_dot = primal(tangents[1], tangents[2])
        if is_sparse_operand(y_dot):
            # Where one operand does not move, the other is in the form of the sum only by chance.
            y_dot = _in_format_of(y, y_dot) if is_sparse_operand(y) else y_dot + np.zeros_like(y)
        return with_moving_entries(y, y_dot, lambda: _sum(A, B)), y_dot

    def _sum(A, B):
        return _elementwise(primal, A, B, operator.add)  # in differences, ones would cancel

    def pull(A, B):
        def sum_pullback(y_bar):
            A_bar = thunk(lambda: _unbroadcast(A, y_bar))
            B_bar = thunk(lambda: _unbroadcast(B, -y_bar if primal is operator.sub else y_bar))
            return NO_TANGENT, A_bar, B_bar

        return _sum(A, B), sum_pullback

    either_operand(primal, Sparse, Operand, push, pull, precedence=3)


_sum_rules(operator.add)
_sum_rules(operator.sub)


def _in_format_of(y: Any, y_dot: Any) -> Any:
    """The tangent of a sparse result in its format: sums of terms are often in another one."""
    return y_dot.asformat(primal_of(y).format) if is_sparse_operand(y_dot) else y_dot


# --- Products and quotients of elements ----------------------------------------------------------


@frule.dispatch(precedence=4)
def truediv_frule(tangents: Any, f: typeof_(operator.truediv), A: Sparse, s: NumberOperand):
    _, A_dot, s_dot = tangents
    y = A / s
    return y, _in_format_of(y, A_dot * (1 / s) - y * (s_dot * (1 / s)))


@rrule.dispatch(precedence=4)
def truediv_rrule(f: typeof_(operator.truediv), A: Sparse, s: NumberOperand):
    y = A / s

    def truediv_pullback(y_bar):
        A_bar = fitted_to_pattern(y, y_bar) * _conjugated(1 / s)
        return NO_TANGENT, fitted_to_pattern(A, A_bar), thunk(lambda: ProjectTo(s)(-inner(y, A_bar)))

    return y, truediv_pullback


@frule.dispatch(precedence=3)
def quotient_frule(tangents: Any, f: typeof_(operator.truediv), A: Sparse, B: Operand):
    if _is_another_quotient(A, B):
        return None
    _, A_dot, B_dot = tangents
    y, reciprocal = A / B, 1 / B
    return y, _in_format_of(y, A_dot * reciprocal - y * (B_dot * reciprocal))


@rrule.dispatch(precedence=3)
def quotient_rrule(f: typeof_(operator.truediv), A: Sparse, B: Operand):
    if _is_another_quotient(A, B):
        return None
    y, reciprocal = A / B, 1 / B

    def quotient_pullback(y_bar):
        y_bar = fitted_to_pattern(y, y_bar)
        A_bar = thunk(lambda: _pull_factor(A, reciprocal, y_bar))
        return NO_TANGENT, A_bar, thunk(lambda: _pull_factor(B, -y * reciprocal, y_bar))

    return y, quotient_pullback


def _is_another_quotient(A: Any, B: Any) -> bool:
    """Whether ``A / B`` is dense, or of an older matrix, whose ``*`` is another one: these have no rule."""
    return is_sparse_operand(B) or _multiplies_matrices(A, B)


def _push_mul(tangents: Any, A: Any, B: Any) -> tuple[Any, Any]:
    if _multiplies_matrices(A, B):
        return push_product(tangents, A, B)
    _, A_dot, B_dot = tangents
    y = A * B
    y_dot = _in_format_of(y, A_dot * B + A * B_dot)
    return with_moving_entries(y, y_dot, lambda: _product(A, B)), y_dot


def _pull_mul(A: Any, B: Any) -> Any:
    if _multiplies_matrices(A, B):
        return pull_product(A, B)
    y = _product(A, B)

    def mul_pullback(y_bar):
        y_bar = fitted_to_pattern(y, y_bar)
        return NO_TANGENT, thunk(lambda: _pull_factor(A, B, y_bar)), thunk(lambda: _pull_factor(B, A, y_bar))

    return y, mul_pullback


either_operand(operator.mul, Sparse, Operand, _push_mul, _pull_mul, precedence=3)


def _product(A: Any, B: Any) -> Any:
    """``A * B``, element by element."""
    for number, array in ((A, B), (B, A)):
        if shape_of(number) == ():
            # Some formats store nothing of a product with zero.
            return with_zeros(A * B, primal_of(array))
    return _elementwise(operator.mul, A, B, operator.mul)


def _elementwise(f: Callable[..., Any], A: Any, B: Any, of_ones: Callable[..., Any]) -> Any:
    """``f(A, B)`` with the entries that are zero by chance.

    Where all places are the same, which costs little to see, there are none: `rrule` of the sum of two
    matrices of 80 000 entries takes a quarter of the time then.
    """
    y = f(A, B)
    if not (is_sparse_operand(A) and is_sparse_operand(B)):
        return y
    if f is operator.mul and _least(A) * _least(B) > 0:
        return y  # no product of two entries is zero
    if not have_same_places(y, A, B):
        return with_zeros(y, of_ones(ones_like(A), ones_like(B)))
    return y


def _least(A: Any) -> Any:
    """The least size of an entry."""
    entries: Any = getattr(primal_of(A), "data", None)  # lists of lists have no numbers there
    is_plain = isinstance(entries, np.ndarray) and entries.dtype.kind in "fciu"
    return np.min(np.abs(entries), initial=np.inf) if is_plain else 0.0


def _multiplies_matrices(A: Any, B: Any) -> bool:
    return any(isinstance(primal_of(x), spmatrix) for x in (A, B)) and shape_of(A) != () != shape_of(B)


def _pull_factor(x: Any, factor: Any, y_bar: Any) -> Any:
    """The cotangent of `x` in ``y = x * factor``, whose own cotangent is sparse."""
    if shape_of(x) == ():
        return ProjectTo(x)(inner(factor, y_bar))
    return _unbroadcast(x, y_bar * _conjugated(factor))


def _conjugated(x: Any) -> Any:
    """The complex conjugate; a real number or array itself."""
    return np.conjugate(x) if np.iscomplexobj(primal_of(x)) else x


def _unbroadcast(x: Any, x_bar: Any) -> Any:
    """Sum over the axes along which `x` was repeated, and bring the sum into the tangent space of `x`."""
    shape, result = shape_of(x), shape_of(x_bar)
    aligned = (1,) * (len(result) - len(shape)) + shape
    axes = tuple(axis for axis, (n, m) in enumerate(zip(aligned, result, strict=True)) if n != m)
    if axes:
        # The sums of sparse arrays are over one axis, or over all.
        x_bar = np.sum(x_bar, axis=axes[0] if len(axes) == 1 else None)
    if shape_of(x_bar) != shape:
        x_bar = np.reshape(x_bar, shape)
    return fitted_to_pattern(x, x_bar)


# --- The methods that do the same ------------------------------------------------------------------


def _multiply_rules(method: Callable[..., Any]) -> None:
    @frule.dispatch
    def multiply_frule(tangents: Any, f: typeof_(method), A: Sparse, B: Operand):
        return None if _multiplies_matrices(A, B) else _push_mul(tangents, A, B)

    @rrule.dispatch
    def multiply_rrule(f: typeof_(method), A: Sparse, B: Operand):
        # The older matrices multiply elements by this method alone, and no rule is made of it.
        return None if _multiplies_matrices(A, B) else _pull_mul(A, B)


def _dot_rules(method: Callable[..., Any]) -> None:
    @frule.dispatch
    def dot_frule(tangents: Any, f: typeof_(method), A: Sparse, B: Operand):
        return _push_mul(tangents, A, B) if shape_of(B) == () else push_product(tangents, A, B)

    @rrule.dispatch
    def dot_rrule(f: typeof_(method), A: Sparse, B: Operand):
        return _pull_mul(A, B) if shape_of(B) == () else pull_product(A, B)


for _method in methods("multiply"):
    _multiply_rules(_method)
for _method in methods("dot"):
    _dot_rules(_method)
