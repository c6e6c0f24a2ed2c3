"""Division by the differences of eigenvalues or singular values, where some are equal.

A perturbation ``K``, in the basis of the eigenvectors, turns the `j`-th of them towards the `i`-th by ``K[i,
j] / (w[j] - w[i])``. Eigenvectors of equal eigenvalues are an arbitrary basis, and a function that is the
same for every basis does not feel how they turn among themselves; so forwards, these quotients are zero. In
reverse, ``K`` is the derivative of the function by these turns. If it is zero, the quotient 0 / 0 is zero. If
not, the function depends on the basis and has no derivative, and the quotient is NaN.

That holds for a function of the vectors alone. A function of values and vectors, like ``V diag(g(w)) Vᴴ``,
depends on the separation of equal values too: the quotient has a limit that neither ``K`` nor the values
tell. It is NaN then; or, forwards, a basis is chosen in which ``K`` is zero, see
`chainrules.formulas.spectra.adapted_bases`.

Values count as equal if their difference is below the rounding errors of the decomposition.
"""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.stacks import as_rows, with_last_axis
from chainrules_core import is_lazy, may_hold, primal_of

# A computed zero may be so many rounding errors large, each of one operation on the largest number.
_LARGEST_ROUNDING_ERROR = 100


def gaps(w: Any) -> Any:
    """``w[j] - w[i]`` in row `i` and column `j`; infinite on the diagonal, where no quotient is wanted."""
    return np.where(np.eye(shape_of(w)[-1], dtype=bool), np.inf, as_rows(w) - with_last_axis(w))


def sums(s: Any) -> Any:
    """``s[j] + s[i]`` in row `i` and column `j`."""
    return as_rows(s) + with_last_axis(s)


def quotient(K: Any, divisor: Any, values: Any, instead: float = 0) -> Any:
    """``K / divisor``, and another number where `divisor` vanishes beside the largest of `values`.

    Parameters
    ----------
    K
        Shape ``(..., n, n)``.
    divisor
        The same shape, or one that broadcasts to it; its elements are computed from `values`.
    values
        The eigenvalues or singular values, shape ``(..., k)``.
    instead
        The number: zero, or NaN where it is not known.
    """
    return quotient_except(is_negligible(primal_of(divisor), values), K, divisor, instead)


def quotient_except(is_zero: Any, K: Any, divisor: Any, instead: Any = 0) -> Any:
    """``K / divisor``, and another number where `is_zero` says that `divisor` is a rounding error."""
    if not may_hold(is_zero):
        return K / divisor
    return np.where(is_zero, instead, K / np.where(is_zero, 1, divisor))


def quotient_of_cotangents(K: Any, divisor: Any, values: Any, *cotangents: Any) -> Any:
    """As `quotient`, but NaN where `divisor` vanishes and `K`, computed from `cotangents`, does not."""
    is_zero = is_negligible(primal_of(divisor), values)
    if not may_hold(is_zero):
        return K / divisor
    is_defined = is_rounding_error(primal_of(K), *cotangents)
    return quotient_except(is_zero, K, divisor, np.where(is_defined, 0, np.nan))


def are_apart(s: Any) -> bool:
    """Whether no singular values of a matrix, which fall, are equal, and none is zero."""
    s = primal_of(s)
    error = _rounding_error(s)
    return not (may_hold(s[..., :-1] - s[..., 1:] <= error) or may_hold(s[..., -1:] <= error))


def groups_of_equal(w: Any) -> list[Any]:
    """The places of each group of several values of one matrix that are equal; they may be in any order."""
    if not len(w):
        return []
    # The label of each value is the place of the first value that equals it.
    labels = np.argmax(np.abs(w[:, np.newaxis] - w) <= _rounding_error(w), axis=-1)
    groups = (np.flatnonzero(labels == label) for label in np.unique(labels))
    return [places for places in groups if len(places) > 1]


def number_of_nonzero(s: Any) -> int:
    """How many of the singular values of one matrix, which fall, are not zero."""
    return int(np.count_nonzero(s > _rounding_error(s)))


def is_rounding_error(K: Any, *cotangents: Any) -> Any:
    """Which elements of the matrices `K` are zero but for rounding, since numbers cancel.

    Parameters
    ----------
    K
        Shape ``(..., n, n)``; products of unitary matrices with `cotangents`.
    cotangents
        Shape ``(..., m, n)`` each.
    """
    sizes: Any = sum(_largest(np.abs(primal_of(x)), -2)[..., 0, :] for x in cotangents)
    return is_negligible(K, _LARGEST_ROUNDING_ERROR * sizes)


def is_negligible(x: Any, values: Any) -> Any:
    """Which elements of the matrices `x` are rounding errors beside the largest of `values`."""
    return np.abs(x) <= with_last_axis(_rounding_error(primal_of(values)))


def differentiable_part(s_bar: Any, s: Any) -> Any:
    """The derivatives of singular values, or by them, and zero where the values are zero.

    A singular value is a modulus, which has a kink at zero; there zero is taken. The derivative of a smooth
    function by it, such as the derivative of its square, is zero already, and keeps its own derivatives.
    """
    is_zero = is_zero_value(s)
    if not may_hold(is_zero):
        return s_bar
    value = primal_of(s_bar)
    return np.where(is_zero, 0 if value is s_bar else s_bar - value, s_bar)


def is_zero_value(s: Any) -> Any:
    """Which singular values are zero but for rounding errors."""
    s = primal_of(s)
    return s <= _rounding_error(s)


def _rounding_error(values: Any) -> Any:
    """How far from zero the smallest of the eigenvalues or singular values may be computed if it is zero.

    One number in the place of the values, which keep their last axis: shape ``(..., 1)``.
    """
    values = np.abs(values)
    # LAPACK's errors grow slowly with the size; of small matrices they were up to 10 units in the last place.
    return np.finfo(values.dtype).eps * (16 + values.shape[-1]) * _largest(values, -1)


def _largest(sizes: Any, axis: int) -> Any:
    """The largest along an axis, which is kept; zero where there are none."""
    if is_lazy(sizes):  # which have no start
        return sizes.max(axis=axis, keepdims=True)
    return sizes.max(axis=axis, initial=0, keepdims=True)
