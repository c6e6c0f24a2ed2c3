"""The gradients of matrix norms: by columns or rows, and by singular values.

The largest sum of moduli of a column, or of a row, has the gradient ``sign(x)`` there. A function of the
singular values ``A = U diag(s) Vᴴ`` has the gradient ``U diag(w) Vᴴ``, where ``w`` is its gradient by ``s``.
At a singular value of zero there is a kink; zero is taken there. G. A. Watson, "Characterization of the
subdifferential of some matrix norms", Linear Algebra and its Applications 170, 1992.
"""

from typing import Any

import numpy as np

from chainrules.formulas.norms.vector_norms import complex_sign, share_of_extreme, vector_norm_pulled
from chainrules.formulas.spectra.spectral_gaps import differentiable_part
from chainrules.values.stacks import times_diagonal
from chainrules_core import primal_of


def matrix_norm_pulled(x: Any, y: Any, y_bar: Any, order: Any, axes: tuple[int, int]) -> Any:
    """The cotangent of `x` for the cotangent of a matrix norm; the arguments are as in `vector_norm_pulled`.

    But `order` is as in `numpy.linalg.matrix_norm`, and `axes` are those of the rows and of the columns.
    """
    if order in {"fro", "f"}:
        return vector_norm_pulled(x, y, y_bar, 2, axes)
    if order in {"nuc", 2, -2}:
        A = np.moveaxis(x, axes, (-2, -1))
        return np.moveaxis(_by_singular_values(A, order), (-2, -1), axes) * y_bar
    summed, compared = axes if abs(order) == 1 else axes[::-1]
    sizes = np.sum(np.abs(primal_of(x)), axis=summed, keepdims=True)
    return complex_sign(x) * (share_of_extreme(sizes, order, compared) * y_bar)


def _by_singular_values(A: Any, order: Any) -> Any:
    """The gradient of the sum, or of the largest or smallest, of the singular values."""
    U, s, V_adjoint = np.linalg.svd(A, full_matrices=False)
    values = primal_of(s)
    share = np.ones_like(values) if order == "nuc" else share_of_extreme(values, order, -1)
    return times_diagonal(U, differentiable_part(share, values)) @ V_adjoint
