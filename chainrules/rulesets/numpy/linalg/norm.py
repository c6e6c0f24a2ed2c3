"""Rules for norms of vectors and matrices; see `chainrules.makers.norms`."""

import numpy as np

from chainrules.makers.norms import Norm, norm_over, norm_rules, read_norm
from chainrules.shortcuts.numpy.linalg.norm import norm_of_plain
from chainrules.values.reductions import reduced_axes, shape_of


def _read_vector_norm(x, *, axis=None, keepdims: bool = False, ord=2) -> Norm:  # noqa: A002 - likewise
    ndim = len(shape_of(x))
    return norm_over(ord, reduced_axes(axis, ndim), ndim, keepdims, False)


def _read_matrix_norm(x, *, keepdims: bool = False, ord="fro") -> Norm:  # noqa: A002 - likewise
    ndim = len(shape_of(x))
    return norm_over(ord, (ndim - 2, ndim - 1), ndim, keepdims, True)


norm_rules(np.linalg.norm, read_norm, norm_of_plain)
norm_rules(np.linalg.vector_norm, _read_vector_norm)
norm_rules(np.linalg.matrix_norm, _read_matrix_norm)
