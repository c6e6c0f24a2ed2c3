"""The derivatives of functions of square matrices, such as the exponential.

Let ``L(A, E)`` be the derivative of ``f`` at ``A`` in the direction ``E``. It is a block of a function value,

    f([A E; 0 A]) = [f(A) L(A, E); 0 f(A)]

and its transpose is the derivative at the transpose, so that ``A_bar = conj(L(Aᵀ, conj(Y_bar)))``. N. J.
Higham, "Functions of Matrices", 2008, section 3.1 and theorem 3.6, after R. Mathias, "A chain rule for matrix
functions and applications", SIAM Journal on Matrix Analysis and Applications 17, 1996.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules_core import primal_of


def derivative_by_blocks(f: Callable[[Any], Any], A: Any, E: Any) -> Any:
    """``L(A, E)`` of a function, by its value at a matrix of twice the size.

    That is accurate for functions whose algorithm does not mind equal eigenvalues, and that have no branches.

    Parameters
    ----------
    f
        The function, which takes traced values and stacks.
    A, E
        Shape ``(..., n, n)``.
    """
    n = shape_of(A)[-1]
    scale = _ratio_of_sizes(primal_of(E), primal_of(A))
    return scale * f(block_upper(A, E / scale))[..., :n, n:]


def block_upper(A: Any, E: Any) -> Any:
    """``[A E; 0 A]`` of each pair of matrices."""
    zeros = np.zeros_like(primal_of(A))
    upper, lower = np.concatenate([A, E], axis=-1), np.concatenate([zeros, A], axis=-1)
    return np.concatenate([upper, lower], axis=-2)


def _ratio_of_sizes(E: Any, A: Any) -> Any:
    """How much larger `E` is: a direction as large as the matrix does not spoil the accuracy for it."""
    size_E, size_A = (np.abs(X).max(axis=(-2, -1), initial=0, keepdims=True) for X in (E, A))
    return np.where(size_E > 0, size_E / np.where(size_A > 0, size_A, 1), 1)
