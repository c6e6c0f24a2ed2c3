"""Random arguments from where a function is defined and smooth."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from chainrules_testutils.values.rand_tangent import generator

Shape: TypeAlias = int | tuple[int, ...]
Floats: TypeAlias = npt.NDArray[np.float64]


def open_interval(low: float, high: float, shape: Shape = (), rng: Any = None) -> Floats:
    """Numbers between `low` and `high`, away from both by a hundredth of the interval.

    Parameters
    ----------
    low, high
        The ends of the interval.
    shape
        The shape of the array.
    rng
        A `numpy.random.Generator`, a seed for one, or `None` for the generator that `rand_tangent` uses.
    """
    margin = 0.01 * (high - low)
    return np.asarray(generator(rng).uniform(low + margin, high - margin, shape))


def positive(shape: Shape = (), rng: Any = None) -> Floats:
    """Positive numbers of size one; parameters as for `open_interval`."""
    return open_interval(0.2, 3.0, shape, rng)


def distinct(shape: Shape = (), rng: Any = None) -> Floats:
    """Numbers in random order that differ by a tenth at least: for sorting, maxima and medians."""
    rng = generator(rng)
    size = int(np.prod(shape))
    values = 0.2 * (np.arange(size) - size / 2) + rng.uniform(-0.05, 0.05, size)
    return np.asarray(rng.permutation(values)).reshape(shape)


def away_from(points: npt.ArrayLike, shape: Shape = (), rng: Any = None) -> Floats:
    """Numbers around `points`, at least a tenth away from each point: for functions with kinks there.

    Parameters
    ----------
    points
        The kinks.
    shape, rng
        As for `open_interval`.
    """
    rng = generator(rng)
    kinks = np.unique(np.asarray(points, dtype=np.float64))
    gaps = np.diff(kinks)
    wide = gaps > 0.2
    lows = np.concatenate([[kinks[0] - 2.1], kinks[:-1][wide] + 0.1, [kinks[-1] + 0.1]])
    highs = np.concatenate([[kinks[0] - 0.1], kinks[1:][wide] - 0.1, [kinks[-1] + 2.1]])
    chosen = rng.integers(0, lows.size, shape)
    return np.asarray(rng.uniform(lows[chosen], highs[chosen]))


def positive_definite(n: int, dtype: npt.DTypeLike = np.float64, rng: Any = None) -> npt.NDArray[Any]:
    """A symmetric (Hermitian) positive definite matrix of shape ``(n, n)``, well conditioned."""
    return generate_well_conditioned_matrix(n, dtype, rng)


def generate_well_conditioned_matrix(
    n: int, dtype: npt.DTypeLike = np.float64, rng: Any = None
) -> npt.NDArray[Any]:
    """A positive definite matrix whose condition number is moderate: ``A Aᴴ / n + I`` with normal ``A``.

    Parameters
    ----------
    n
        The matrix has shape ``(n, n)``.
    dtype
        A real or complex floating dtype.
    rng
        As for `open_interval`.
    """
    rng = generator(rng)
    matrix = _normal((n, n), dtype, rng)
    if np.dtype(dtype).kind == "c":
        matrix /= np.sqrt(2)
    return np.asarray(matrix @ matrix.conj().T / max(n, 1) + np.eye(n)).astype(dtype)


def unit_norm(shape: Shape, dtype: npt.DTypeLike = np.float64, rng: Any = None) -> npt.NDArray[Any]:
    """An array whose elements have squared magnitudes that sum to one: a point on the sphere.

    Parameters
    ----------
    shape
        The shape of the array; it has one element at least.
    dtype
        A real or complex floating dtype.
    rng
        As for `open_interval`.
    """
    x = _normal(shape, dtype, generator(rng))
    return np.asarray(x / np.linalg.norm(x)).astype(dtype)


def triangular(
    n: int,
    lower: bool = True,
    unit_diagonal: bool = False,
    dtype: npt.DTypeLike = np.float64,
    rng: Any = None,
) -> npt.NDArray[Any]:
    """A well conditioned triangular matrix of shape ``(n, n)``; the other triangle holds zeros.

    Parameters
    ----------
    n
        The number of rows.
    lower
        Whether the lower triangle is the one that is filled, otherwise the upper one.
    unit_diagonal
        Whether the diagonal holds ones, otherwise positive numbers between one and two.
    dtype, rng
        As for `unit_norm`.
    """
    rng = generator(rng)
    # Off the diagonal the numbers sum to at most one half in each row, so that the diagonal dominates.
    x = _normal((n, n), dtype, rng)
    x = np.tril(x, -1) / (2 * np.abs(x).sum(axis=1, keepdims=True))
    diagonal = np.ones(n) if unit_diagonal else rng.uniform(1.0, 2.0, n)
    x = (x + np.diag(diagonal)).astype(dtype)
    return x if lower else np.ascontiguousarray(x.T)


def permutation(n: int, rng: Any = None) -> npt.NDArray[np.intp]:
    """The numbers from 0 to ``n - 1`` in random order: to index with, where each index occurs once."""
    return generator(rng).permutation(n)


def _normal(shape: Shape, dtype: npt.DTypeLike, rng: np.random.Generator) -> Any:
    x = rng.standard_normal(shape)
    return x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x
