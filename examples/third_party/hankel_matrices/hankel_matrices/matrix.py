"""`Hankel`, its product with a vector, and the two sums behind that product and its derivatives."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Hankel:
    """The matrix ``A[i, j] = v[i + j]`` of `n` rows and columns, for `v` of length ``2 n - 1``."""

    v: np.ndarray

    @property
    def n(self) -> int:
        """The number of rows, and of columns."""
        return (len(self.v) + 1) // 2

    def to_dense(self) -> np.ndarray:
        """The matrix with all its elements."""
        i = np.arange(self.n)
        return self.v[i[:, None] + i]


def correlated(v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """``y[i] = sum_j v[i + j] x[j]``, by Fourier transforms in a time that is nearly linear."""
    size = len(v)
    y = np.fft.ifft(np.fft.fft(v) * np.conj(np.fft.fft(np.conj(x), size)))
    return _like(y[: (size + 1) // 2], v, x)


def convolved(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """``v[k] = sum_{i + j = k} x[i] y[j]``, of length ``2 n - 1``."""
    size = 2 * len(x) - 1
    return _like(np.fft.ifft(np.fft.fft(x, size) * np.fft.fft(y, size)), x, y)


def _like(z: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A transform in the kind of the operands: real, and single, if both are."""
    dtype = np.result_type(x, y)
    return (z if dtype.kind == "c" else np.real(z)).astype(dtype)


def multiply(A: Hankel, x: np.ndarray) -> np.ndarray:
    """The product of a matrix and a vector."""
    return correlated(A.v, x)
