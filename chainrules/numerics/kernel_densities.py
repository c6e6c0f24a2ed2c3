"""Densities that are sums of normal ones around the points of a sample.

M. P. Wand and M. C. Jones, "Kernel Smoothing" (1995), (4.1).
"""

from math import log, pi
from typing import Any

import numpy as np


def log_kernel_density(x: Any, dataset: Any, weights: Any, root: Any) -> Any:
    """``log Σᵢ wᵢ N(x; dᵢ, L Lᵀ)`` at each column of `x`.

    Parameters
    ----------
    x, dataset
        Matrices whose columns are points.
    weights
        Of the points of the dataset.
    root
        The Cholesky factor ``L`` of the covariance of each kernel.
    """
    whitening = np.linalg.inv(root)
    differences = (whitening @ x)[:, None, :] - (whitening @ dataset)[:, :, None]
    exponents = -0.5 * np.sum(differences**2, axis=0)
    largest = np.max(exponents, axis=0)
    total = np.sum(weights[:, None] * np.exp(exponents - largest), axis=0)
    log_scale = np.sum(np.log(np.diagonal(root))) + 0.5 * log(2.0 * pi) * x.shape[0]
    return np.log(total) + largest - log_scale
