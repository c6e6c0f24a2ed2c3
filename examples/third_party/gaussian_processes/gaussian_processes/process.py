"""The functions.

C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning" (2006), equations 2.23
to 2.30.
"""

from typing import Any

import numpy as np

from chainrules_core import primitive


def distances(X: np.ndarray, Y: np.ndarray, lengths: np.ndarray) -> Any:
    """The squares of the distances between rows, and the differences, each column in units of its length."""
    differences = (X[:, None] - Y) / lengths
    return np.sum(differences**2, axis=-1), differences


@primitive
def squared_exponential(X: np.ndarray, Y: np.ndarray, height: float, lengths: np.ndarray) -> np.ndarray:
    """The covariance ``height² exp(-d² / 2)`` of each row of `X` with each of `Y`."""
    return height**2 * np.exp(-0.5 * distances(X, Y, lengths)[0])


@primitive
def log_evidence(K: np.ndarray, y: np.ndarray, noise: float) -> float:
    """The logarithm of the probability of `y`, with the covariance ``K + noise² I``."""
    return evidence(*solved(K, y, noise), y)


def solved(K: np.ndarray, y: np.ndarray, noise: float) -> Any:
    """The Cholesky factor of the covariance, and the solution of a system with it."""
    # Both triangles count, of which a Cholesky decomposition reads one.
    L = np.linalg.cholesky(0.5 * (K + K.T) + noise**2 * np.eye(len(y)))
    return L, np.linalg.solve(L.T, np.linalg.solve(L, y))


def evidence(L: Any, alpha: Any, y: Any) -> Any:
    """The logarithm of the probability, from these."""
    return -0.5 * (y @ alpha) - np.sum(np.log(np.diagonal(L))) - 0.5 * len(y) * np.log(2 * np.pi)


def forecast(K: Any, K_new: Any, K_between: Any, y: Any, noise: float) -> Any:
    """The mean and the variance at new points, given their covariances with the old ones, row by row."""
    L, alpha = solved(K, y, noise)
    half = np.linalg.solve(L, K_between.T)
    return K_between @ alpha, np.diagonal(K_new) - np.sum(half**2, axis=0)
