"""Rules for products of matrices and vectors.

For ``C = A B``: ``C_dot = A_dot B + A B_dot``, and ``A_bar = C_bar Bᴴ``, ``B_bar = Aᴴ C_bar``. M. B. Giles,
"An extended collection of matrix derivative results for forward and reverse mode algorithmic
differentiation", 2008, section 2.2.2. A vector on the left is a row, one on the right a column.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.contractions import contraction_by_first, contraction_by_second
from chainrules.makers.linear_rules import bilinear_rule
from chainrules.operations.places import size_of
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate
from chainrules_core import NO_TANGENT, Thunk, frule, rrule, typeof_, unbroadcast, unthunk

_HAVE_DTYPES: frozenset[Any] = frozenset({np.ndarray, np.float64})

# So few elements are multiplied in less time than a thunk of their product takes; of a matrix and a vector,
# whose products are one for each element, more than of two matrices.
_FEW = 100
_FEW_BESIDE_VECTOR = 1500

# --- matmul ----------------------------------------------------------------------------------------


@frule.dispatch
def matmul_frule(tangents: Any, f: typeof_(np.matmul), A: ArrayOperand, B: ArrayOperand):
    _, A_dot, B_dot = map(unthunk, tangents)
    return np.matmul(A, B), A_dot @ B + A @ B_dot


@rrule.dispatch
def matmul_rrule(f: typeof_(np.matmul), A: ArrayOperand, B: ArrayOperand):
    def matmul_pullback(C_bar: Any) -> Any:
        C_bar = unthunk(C_bar)
        plain_bars = pulled_through_plain_product(C_bar, A, B)
        if plain_bars is not None:
            return NO_TANGENT, *plain_bars
        return NO_TANGENT, Thunk(matmul_by_first, C_bar, A, B), Thunk(matmul_by_second, C_bar, A, B)

    return np.matmul(A, B), matmul_pullback


def pulled_through_plain_product(C_bar: Any, A: Any, B: Any) -> tuple[Any, Any] | None:
    """The cotangents of real matrices and vectors in plain arrays of one dtype; `None` of other operands.

    Small products take a fraction of the time in which the general way is found, `ndarray.dot` a third of
    that of `@`, and of a column and a row half of that of `*`.
    """
    if not _are_plain(C_bar, A, B):
        return None
    lazily = _lazily(A, B)
    if A.ndim == 2:
        if B.ndim == 1 and C_bar.ndim == 1 and len(C_bar) == len(A):
            return lazily(_column_by_row, C_bar, B), lazily(C_bar.dot, A)
        if B.ndim == 2 and C_bar.shape == (len(A), B.shape[1]):
            return lazily(_by_transposed, C_bar, B), lazily(_transposed_by, A, C_bar)
    elif A.ndim == 1:
        if B.ndim == 1 and C_bar.shape == ():
            return lazily(np.multiply, C_bar, B), lazily(np.multiply, C_bar, A)
        if B.ndim == 2 and C_bar.shape == B.shape[1:]:
            return lazily(B.dot, C_bar), lazily(_column_by_row, A, C_bar)
    return None


def _column_by_row(x: Any, y: Any) -> Any:
    return x[:, None].dot(y[None, :])


def _by_transposed(X: Any, Y: Any) -> Any:
    return X.dot(Y.T)


def _transposed_by(X: Any, Y: Any) -> Any:
    return X.T.dot(Y)


def _lazily(A: Any, B: Any) -> Callable[..., Any]:
    """What makes a thunk, but of few elements the product."""
    few = _FEW if A.ndim == B.ndim == 2 else _FEW_BESIDE_VECTOR
    return _at_once if A.size <= few and B.size <= few else Thunk


def _at_once(compute: Callable[..., Any], *args: Any) -> Any:
    return compute(*args)


def _are_plain(z_bar: Any, x: Any, y: Any) -> bool:
    """Whether operands are real plain arrays of one dtype, and a cotangent is an array or number of it."""
    if not (x.__class__ is y.__class__ is np.ndarray and z_bar.__class__ in _HAVE_DTYPES):
        return False
    return x.dtype is y.dtype is z_bar.dtype and x.dtype.kind == "f"


def matmul_by_first(C_bar: Any, A: Any, B: Any) -> Any:
    """The cotangent of `A` in ``C = A B``, with vectors and broadcasting as in `np.matmul`."""
    ndims = len(shape_of(A)), len(shape_of(B))
    if ndims[1] == 1:
        A_bar = (C_bar if ndims[0] == 1 else np.expand_dims(C_bar, -1)) * conjugate(B)
    elif ndims[0] == 1:
        A_bar = np.matmul(conjugate(B), np.expand_dims(C_bar, -1))[..., 0]
    else:
        A_bar = C_bar @ adjoint(B)
    return unbroadcast(A, A_bar)


def matmul_by_second(C_bar: Any, A: Any, B: Any) -> Any:
    """The cotangent of `B` in ``C = A B``."""
    ndims = len(shape_of(A)), len(shape_of(B))
    if ndims[0] == 1:
        B_bar = (
            conjugate(A) * C_bar if ndims[1] == 1 else np.expand_dims(conjugate(A), -1) * C_bar[..., None, :]
        )
    elif ndims[1] == 1:
        B_bar = np.reshape(C_bar, -1) @ conjugate(_as_matrix(A))
    elif ndims[1] == 2 < ndims[0]:  # one product rather than one for each matrix of the stack, and their sum
        B_bar = adjoint(_as_matrix(A)) @ _as_matrix(C_bar)
    else:
        B_bar = adjoint(A) @ C_bar
    return unbroadcast(B, B_bar)


def _as_matrix(A: Any) -> Any:
    """The rows of all matrices of a stack, in one matrix."""
    shape = shape_of(A)
    return np.reshape(A, (size_of(shape[:-1]), shape[-1]))


# --- dot and inner: sums over one axis of each; of numbers, products -------------------------------


def _dot_axes(x: Any, y: Any) -> tuple[tuple[int], tuple[int]]:
    return (len(shape_of(x)) - 1,), (max(len(shape_of(y)) - 2, 0),)


def _inner_axes(x: Any, y: Any) -> tuple[tuple[int], tuple[int]]:
    return (len(shape_of(x)) - 1,), (len(shape_of(y)) - 1,)


def _product_rule(primal: Any, axes: Any, matrix_ndim: int) -> None:
    """Define the rules of a function that does what `np.matmul` does up to `matrix_ndim` axes."""

    def rule(contracted: Any, multiplied: Any, by: Any) -> Any:
        def by_one(z_bar: Any, x: Any, y: Any, out: Any = None) -> Any:
            ndims = len(shape_of(x)), len(shape_of(y))
            if 0 in ndims:
                return z_bar * np.conj(by(x, y))
            if max(ndims) <= matrix_ndim:
                return multiplied(z_bar, x, y)
            return contracted(z_bar, x, y, *axes(x, y))

        return by_one

    by_x = rule(contraction_by_first, matmul_by_first, lambda x, y: y)
    by_y = rule(contraction_by_second, matmul_by_second, lambda x, y: x)
    bilinear_rule(primal, by_x, by_y, pulled_through_plain_product if matrix_ndim == 2 else None)


_product_rule(np.dot, _dot_axes, matrix_ndim=2)
_product_rule(np.inner, _inner_axes, matrix_ndim=1)

# --- outer, vdot: of all elements, whatever the shape ----------------------------------------------


def _outer_by_first(z_bar: Any, x: Any, y: Any, out: Any = None) -> Any:
    return np.reshape(z_bar @ conjugate(np.ravel(y)), shape_of(x))


def _outer_by_second(z_bar: Any, x: Any, y: Any, out: Any = None) -> Any:
    return np.reshape(conjugate(np.ravel(x)) @ z_bar, shape_of(y))


def _pulled_through_plain_outer(z_bar: Any, x: Any, y: Any) -> tuple[Any, Any] | None:
    """The cotangents of real vectors in plain arrays of one dtype."""
    if _are_plain(z_bar, x, y) and x.ndim == y.ndim == 1 and z_bar.shape == x.shape + y.shape:
        lazily = _lazily(x, y)
        return lazily(z_bar.dot, y), lazily(x.dot, z_bar)
    return None


bilinear_rule(np.outer, _outer_by_first, _outer_by_second, _pulled_through_plain_outer)
bilinear_rule(
    np.vdot,
    lambda z_bar, x, y: np.conj(z_bar) * np.reshape(y, shape_of(x)),
    lambda z_bar, x, y: z_bar * np.reshape(x, shape_of(y)),
)

# --- vecdot, matvec, vecmat: of stacks of vectors; vecdot and vecmat conjugate their first ---------


def _rows(x: Any, axis: int) -> Any:
    return x if axis == -1 else np.moveaxis(x, axis, -1)


def _vecdot_by_first(z_bar: Any, x: Any, y: Any, axis: int = -1) -> Any:
    x_bar = unbroadcast(_rows(x, axis), np.expand_dims(np.conj(z_bar), -1) * _rows(y, axis))
    return x_bar if axis == -1 else np.moveaxis(x_bar, -1, axis)


def _vecdot_by_second(z_bar: Any, x: Any, y: Any, axis: int = -1) -> Any:
    y_bar = unbroadcast(_rows(y, axis), np.expand_dims(z_bar, -1) * _rows(x, axis))
    return y_bar if axis == -1 else np.moveaxis(y_bar, -1, axis)


def _outer_of_stacks(x: Any, y: Any) -> Any:
    return np.expand_dims(x, -1) * np.expand_dims(y, -2)


def _matvec(A: Any, x: Any) -> Any:
    return np.matmul(A, np.expand_dims(x, -1))[..., 0]


if hasattr(np, "vecdot"):  # since NumPy 2.0
    bilinear_rule(np.vecdot, _vecdot_by_first, _vecdot_by_second)

if hasattr(np, "matvec"):  # since NumPy 2.2
    bilinear_rule(
        np.matvec,
        lambda y_bar, A, x: _outer_of_stacks(y_bar, np.conj(x)),
        lambda y_bar, A, x: _matvec(adjoint(A), y_bar),
    )
    bilinear_rule(
        np.vecmat,
        lambda y_bar, x, A: _matvec(A, np.conj(y_bar)),
        lambda y_bar, x, A: _outer_of_stacks(x, y_bar),
    )
