"""Rules for products of matrices and vectors, which are linear or conjugate-linear in each factor.

The adjoints, and their source, are in `chainrules.formulas.matrices.matrix_products`.
"""

import numpy as np

from chainrules.formulas.arrays.contractions import contraction_by_first, contraction_by_second
from chainrules.formulas.matrices.matrix_products import (
    matmul_by_first,
    matmul_by_second,
    outer_by_first,
    outer_by_second,
    pull_matmul,
)
from chainrules.makers.linear_rules import bilinear_rule
from chainrules.shortcuts.numpy.products import (
    dot_of_plain,
    inner_of_plain,
    outer_of_plain,
    pull_matmul_of_plain,
)
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint
from chainrules_core import frule, rrule, shortened_by, typeof_, unbroadcast

# --- matmul ----------------------------------------------------------------------------------------


@frule.dispatch
def matmul_frule(tangents, f: typeof_(np.matmul), A: ArrayOperand, B: ArrayOperand):
    _, A_dot, B_dot = tangents
    return np.matmul(A, B), A_dot @ B + A @ B_dot


_pull_matmul = shortened_by(pull_matmul_of_plain)(pull_matmul)


@rrule.dispatch
def matmul_rrule(f: typeof_(np.matmul), A: ArrayOperand, B: ArrayOperand):
    def matmul_pullback(C_bar):
        return _pull_matmul(C_bar, A, B)

    return np.matmul(A, B), matmul_pullback


# --- dot and inner: sums over one axis of each operand; for numbers, products ----------------------


def _dot_axes(x, y) -> tuple[tuple[int], tuple[int]]:
    return (len(shape_of(x)) - 1,), (max(len(shape_of(y)) - 2, 0),)


def _inner_axes(x, y) -> tuple[tuple[int], tuple[int]]:
    return (len(shape_of(x)) - 1,), (len(shape_of(y)) - 1,)


def _product_rule(primal, axes, matrix_ndim, shortcut):
    """Define the rules of a function that agrees with `np.matmul` up to `matrix_ndim` axes."""

    def rule(contracted, multiplied, by):
        def by_one(z_bar, x, y, out=None):
            ndims = len(shape_of(x)), len(shape_of(y))
            if 0 in ndims:
                return z_bar * np.conj(by(x, y))
            if max(ndims) <= matrix_ndim:
                return multiplied(z_bar, x, y)
            return contracted(z_bar, x, y, *axes(x, y))

        return by_one

    by_x = rule(contraction_by_first, matmul_by_first, lambda x, y: y)
    by_y = rule(contraction_by_second, matmul_by_second, lambda x, y: x)
    bilinear_rule(primal, by_x, by_y, shortcut, out=0)


_product_rule(np.dot, _dot_axes, 2, dot_of_plain)
_product_rule(np.inner, _inner_axes, 1, inner_of_plain)

# --- outer, vdot: products of all elements, whatever the shape -------------------------------------


bilinear_rule(
    np.outer,
    lambda z_bar, x, y, out=None: outer_by_first(z_bar, x, y),
    lambda z_bar, x, y, out=None: outer_by_second(z_bar, x, y),
    outer_of_plain,
    out=0,
)
bilinear_rule(
    np.vdot,
    lambda z_bar, x, y: np.conj(z_bar) * np.reshape(y, shape_of(x)),
    lambda z_bar, x, y: z_bar * np.reshape(x, shape_of(y)),
)

# --- vecdot, matvec, vecmat: for stacks of vectors; vecdot and vecmat conjugate the first ----------


def _vectors_as_rows(x, axis: int):
    return x if axis == -1 else np.moveaxis(x, axis, -1)


def _vecdot_by_first(z_bar, x, y, axis: int = -1):
    x_bar = unbroadcast(
        _vectors_as_rows(x, axis), np.expand_dims(np.conj(z_bar), -1) * _vectors_as_rows(y, axis)
    )
    return x_bar if axis == -1 else np.moveaxis(x_bar, -1, axis)


def _vecdot_by_second(z_bar, x, y, axis: int = -1):
    y_bar = unbroadcast(_vectors_as_rows(y, axis), np.expand_dims(z_bar, -1) * _vectors_as_rows(x, axis))
    return y_bar if axis == -1 else np.moveaxis(y_bar, -1, axis)


def _outer_of_stacks(x, y):
    return np.expand_dims(x, -1) * np.expand_dims(y, -2)


def _matvec(A, x):
    return np.matmul(A, np.expand_dims(x, -1))[..., 0]


bilinear_rule(np.vecdot, _vecdot_by_first, _vecdot_by_second)

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
