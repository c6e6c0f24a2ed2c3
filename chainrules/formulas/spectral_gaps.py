"""Division by the differences of eigenvalues or singular values, some of which are equal.

A perturbation ``K``, in the basis of the eigenvectors, turns the `j`-th of them towards the `i`-th by ``K[i,
j] / (w[j] - w[i])``. Eigenvectors of equal eigenvalues are an arbitrary basis, and a function that is the
same for every basis does not feel how they turn among themselves; so forwards, these quotients are zero. In
reverse, ``K`` is the derivative of the function by these turns: 0 / 0 is zero. Where it is not zero, the
function depends on the basis and has no derivative, and the quotient is NaN.

Values count as equal whose difference is below the rounding errors of the decomposition.
"""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.stacks import as_rows, with_last_axis, with_matrix_axes
from chainrules_core import primal_of

# How many times the rounding error of one operation on the largest number a computed zero may be.
_LARGEST_ROUNDING_ERROR = 100


def gaps(w: Any) -> Any:
    """``w[j] - w[i]`` in row `i` and column `j`; infinite on the diagonal, where no quotient is wanted."""
    return np.where(np.eye(shape_of(w)[-1], dtype=bool), np.inf, as_rows(w) - with_last_axis(w))


def sums(s: Any) -> Any:
    """``s[j] + s[i]`` in row `i` and column `j`."""
    return as_rows(s) + with_last_axis(s)


def quotient(K: Any, divisor: Any, values: Any) -> Any:
    """``K / divisor``, and zero where `divisor` vanishes beside the largest of `values`.

    Parameters
    ----------
    K
        Shape ``(..., n, n)``.
    divisor
        The same or a broadcast shape; its elements are computed from `values`.
    values
        The eigenvalues or singular values, shape ``(..., k)``.
    """
    is_zero = is_negligible(primal_of(divisor), values)
    return _quotient(K, divisor, is_zero, 0) if is_zero.any() else K / divisor


def quotient_of_cotangents(K: Any, divisor: Any, values: Any, *cotangents: Any) -> Any:
    """As `quotient`, but NaN where `divisor` vanishes and `K`, computed from `cotangents`, does not."""
    is_zero = is_negligible(primal_of(divisor), values)
    if not is_zero.any():
        return K / divisor
    is_defined = is_rounding_error(primal_of(K), *cotangents)
    return _quotient(K, divisor, is_zero, np.where(is_defined, 0, np.nan))


def is_rounding_error(K: Any, *cotangents: Any) -> Any:
    """The elements of the matrices `K` that are zeros but for rounding, where numbers cancel.

    Parameters
    ----------
    K
        Shape ``(..., n, n)``; products of unitary matrices with `cotangents`.
    cotangents
        Shape ``(..., m, n)`` each.
    """
    sizes: Any = sum(np.abs(primal_of(x)).max(axis=-2, initial=0) for x in cotangents)
    return is_negligible(K, _LARGEST_ROUNDING_ERROR * sizes)


def is_negligible(x: Any, values: Any) -> Any:
    """Which elements of the matrices `x` are rounding errors beside the largest of `values`."""
    return np.abs(x) <= with_matrix_axes(_rounding_error(primal_of(values)))


def differentiable_part(s_bar: Any, s: Any) -> Any:
    """The derivatives of singular values, or by them, and zero where the values are zero.

    A singular value is a modulus, which has a kink at zero; there zero is taken.
    """
    is_zero = primal_of(s) <= with_last_axis(_rounding_error(primal_of(s)))
    return np.where(is_zero, 0, s_bar) if is_zero.any() else s_bar


def _rounding_error(values: Any) -> Any:
    """How far from zero the smallest of the eigenvalues or singular values may be computed if it is zero."""
    values = np.abs(values)
    # LAPACK's errors grow slowly with the size; of small matrices they were up to 10 units in the last place.
    return np.finfo(values.dtype).eps * (16 + values.shape[-1]) * values.max(axis=-1, initial=0)


def _quotient(K: Any, divisor: Any, is_zero: Any, instead: Any) -> Any:
    return np.where(is_zero, instead, K / np.where(is_zero, 1, divisor))
