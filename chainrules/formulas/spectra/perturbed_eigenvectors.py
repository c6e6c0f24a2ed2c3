"""One eigenvector of each symmetric matrix ``D + t E``, and how both it and its eigenvalue change with t.

With ``(D + t E) V = V diag(λ)`` and V orthogonal, v the eigenvector of λ_i ::

    λ_i' = vᵀ E v,   v' = Σ_{j≠i} v_j (v_jᵀ E v) / (λ_i - λ_j)

T. Kato, "Perturbation theory for linear operators", 1966, section II.2; the first is the theorem of Hellmann
and Feynman.
"""

from typing import Any, NamedTuple

import numpy as np


class Perturbation(NamedTuple):
    """The eigenvector, of shape (..., n), and the derivatives by t of it and of its eigenvalue."""

    vector: Any
    vector_slope: Any
    value_slope: Any


def perturbation(D: Any, E: Any, t: Any, index: Any) -> Perturbation:
    """The perturbation of the eigenvalue that is at `index` in ascending order.

    Parameters
    ----------
    D, E
        Symmetric matrices of shape (..., n, n), whose eigenvalues for this t are distinct.
    t
        Numbers of shape (...), which may be traced.
    index
        Integers of shape (...).
    """
    values, vectors = np.linalg.eigh(D + t[..., None, None] * E)
    is_own = np.arange(D.shape[-1]) == index[..., None]
    vector = np.sum(vectors * is_own[..., None, :], axis=-1)
    value = np.sum(values * is_own, axis=-1)
    couplings = np.sum(vectors * (E @ vector[..., None]), axis=-2)
    shares = couplings * ~is_own / (value[..., None] - values + is_own)
    return Perturbation(vector, (vectors @ shares[..., None])[..., 0], np.sum(couplings * is_own, axis=-1))
