"""Toeplitz matrices, which are given by their first column and their first row.

The diagonal is the first element of the column; the first element of the row is not read. By the column alone
the row is its conjugate, and the matrix is Hermitian but for the diagonal.
"""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_of
from chainrules.values.stacks import conjugate, is_complex_array
from chainrules_core import AbstractZero, primal_of, unbroadcast


def column_and_row(c_or_cr: Any) -> tuple[Any, Any]:
    """The first column and the first row, from the argument of SciPy's functions."""
    return c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, conjugate(c_or_cr))


def adjoint_pair(pair: tuple[Any, Any]) -> tuple[Any, Any]:
    """The first column and the first row of the adjoint, or of the adjoint of each matrix of a stack."""
    c, r = pair
    if shape_of(c)[:-1] != shape_of(r)[:-1]:  # one of them is a stack
        shape = np.broadcast_shapes(shape_of(c)[:-1], shape_of(r)[:-1])
        c, r = (np.broadcast_to(x, shape + shape_of(x)[-1:]) for x in pair)
    return conjugate(np.concatenate((c[..., :1], r[..., 1:]), axis=-1)), conjugate(c)


def tangent_pair(c_or_cr: Any, c_or_cr_dot: Any) -> Any:
    """The tangents of the column and the row; `None` where both are zero."""
    if isinstance(c_or_cr_dot, AbstractZero):
        return None
    if not isinstance(c_or_cr, tuple):
        return c_or_cr_dot, conjugate(c_or_cr_dot)
    dots = list(c_or_cr_dot)
    if all(isinstance(dot, AbstractZero) for dot in dots):
        return None
    return tuple(
        np.zeros_like(primal_of(x)) if isinstance(dot, AbstractZero) else dot
        for x, dot in zip(c_or_cr, dots, strict=True)
    )


def pull_toeplitz(c_or_cr: Any, U: Any, V: Any) -> Any:
    """The cotangent of the column and the row, for the cotangent ``U Vᴴ`` of the matrix."""
    sums = _sums_of_diagonals(U, V)
    n = shape_of(V)[-2]
    c_bar, r_bar = sums[..., n - 1 :], sums[..., : n - 1][..., ::-1]
    r_bar = np.concatenate((np.zeros_like(primal_of(sums)[..., :1]), r_bar), axis=-1)
    if isinstance(c_or_cr, tuple):
        return tangent_of(c_or_cr, (unbroadcast(c_or_cr[0], c_bar), unbroadcast(c_or_cr[1], r_bar)))
    return unbroadcast(c_or_cr, c_bar + conjugate(r_bar))


def _sums_of_diagonals(U: Any, V: Any) -> Any:
    """The sum of each diagonal of ``U Vᴴ``, the uppermost first, as a convolution of the columns."""
    length = shape_of(U)[-2] + shape_of(V)[-2] - 1
    V = conjugate(V[..., ::-1, :])
    if is_complex_array(U) or is_complex_array(V):
        product = np.fft.fft(U, length, axis=-2) * np.fft.fft(V, length, axis=-2)
        return np.sum(np.fft.ifft(product, axis=-2), axis=-1)
    product = np.fft.rfft(U, length, axis=-2) * np.fft.rfft(V, length, axis=-2)
    return np.sum(np.fft.irfft(product, length, axis=-2), axis=-1)
