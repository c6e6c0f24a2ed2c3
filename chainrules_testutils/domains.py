"""Random arguments from where a function is defined and smooth."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from chainrules_testutils.rand_tangent import generator

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
        A `numpy.random.Generator`, the seed of one, or `None` for the one that `rand_tangent` uses.
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
    """Numbers around `points` that are at least a tenth away from each: for functions with kinks there.

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
    matrix = rng.standard_normal((n, n))
    if np.dtype(dtype).kind == "c":
        matrix = (matrix + 1j * rng.standard_normal((n, n))) / np.sqrt(2)
    return np.asarray(matrix @ matrix.conj().T / max(n, 1) + np.eye(n)).astype(dtype)
