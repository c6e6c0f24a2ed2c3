"""Rules for the product of matrices column by column: ``C[(i, j), k] = A[i, k] B[j, k]``."""

import numpy as np
from scipy.linalg import khatri_rao

from chainrules.makers.linear_rules import bilinear_rule
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import conjugate


def _with_both_rows(C_bar, A, B):
    """The cotangent with an axis for the rows of each matrix."""
    return np.reshape(C_bar, (*shape_of(C_bar)[:-2], shape_of(A)[-2], shape_of(B)[-2], shape_of(A)[-1]))


def _by_first(C_bar, A, B):
    return np.sum(_with_both_rows(C_bar, A, B) * conjugate(np.expand_dims(B, -3)), axis=-2)


def _by_second(C_bar, A, B):
    return np.sum(_with_both_rows(C_bar, A, B) * conjugate(np.expand_dims(A, -2)), axis=-3)


bilinear_rule(khatri_rao, _by_first, _by_second)
