"""Bases of the spaces of equal eigenvalues or singular values in which a direction is diagonal.

When a matrix moves in the direction ``A_dot``, equal eigenvalues separate, and their eigenvectors become
eigenvectors of the derivative within their space. A decomposition may return any basis of that space; in this
one the derivatives of values and vectors belong together, so that a function like ``V diag(g(w)) Vᴴ``, which
is the same for every basis, is differentiated right. T. Kato, "Perturbation theory for linear operators",
section II.2.3. A singular value that is zero moves to a singular value of the derivative between the two null
spaces.
"""

from typing import Any

import numpy as np

from chainrules.formulas.spectra.spectral_gaps import groups_of_equal, number_of_nonzero
from chainrules.values.stacks import adjoint, is_complex_array
from chainrules_core import may_hold, primal_of

# Eigenvectors of a general matrix that are nearer to dependence than this count as no basis.
_WORST_CONDITION = 1e8


def can_adapt(*arrays: Any) -> bool:
    """Whether a basis can be chosen by these arrays: they are finite, and nobody differentiates by them."""
    return all(primal_of(x) is x and not may_hold(~np.isfinite(x)) for x in arrays)


def turns_of_eigenvectors(w: Any, K: Any) -> Any:
    """The unitary matrices `Q` such that ``Qᴴ K Q`` is diagonal for equal eigenvalues, of each matrix."""
    return _turned_in_each(_turn, w, K)


def turns_of_general_eigenvectors(w: Any, K: Any) -> Any:
    """Matrices `Q` such that ``Q⁻¹ K Q`` is diagonal for equal eigenvalues; NaN where there are none."""
    return _turned_in_each(_general_turn, w, K)


def adapted_singular_vectors(A: Any, A_dot: Any, y: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    """The decomposition `y` of each matrix `A`, thin or full, with vectors that suit the direction."""
    U, s, V_adjoint = y
    shape = s.shape[:-1]
    U, V_adjoint = U.copy(), V_adjoint.copy()
    A_dot = np.broadcast_to(A_dot, A.shape)
    for k in np.ndindex(shape):
        U[k], V_adjoint[k] = _adapted_vectors(A[k], A_dot[k], U[k], s[k], V_adjoint[k])
    return U, s, V_adjoint


def _turned_in_each(turn: Any, w: Any, K: Any) -> Any:
    Q = np.zeros(K.shape, np.result_type(K, w))
    for k in np.ndindex(w.shape[:-1]):
        Q[k] = turn(w[k], K[k])
    return Q


def _turn(w: Any, K: Any) -> Any:
    Q = np.eye(len(w), dtype=K.dtype)
    for places in groups_of_equal(w):
        block = np.ix_(places, places)
        Q[block] = _eigenvectors(K[block])
    return Q


def _eigenvectors(K: Any) -> Any:
    """The eigenvectors; where the given basis is one of eigenvectors already, it is kept."""
    is_diagonal = np.count_nonzero(K - np.diag(np.diagonal(K))) == 0
    return np.eye(len(K)) if is_diagonal else np.linalg.eigh((K + adjoint(K)) / 2)[1]


def _general_turn(w: Any, K: Any) -> Any:
    Q = np.eye(len(w), dtype=np.result_type(K, w))
    for places in groups_of_equal(w):
        block = np.ix_(places, places)
        if np.count_nonzero(K[block] - np.diag(np.diagonal(K[block]))):
            vectors = np.linalg.eig(K[block])[1]
            if not vectors.imag.any():  # since NumPy 2.5 the kind does not depend on the values
                vectors = vectors.real
            is_basis = (
                is_complex_array(vectors) <= is_complex_array(Q)
                and np.linalg.cond(vectors) < _WORST_CONDITION
            )
            Q[block] = vectors if is_basis else np.nan
    return Q


def _adapted_vectors(A: Any, A_dot: Any, U: Any, s: Any, V_adjoint: Any) -> tuple[Any, Any]:
    rank = number_of_nonzero(s)
    U1, V1 = U[:, :rank], adjoint(V_adjoint[:rank])
    P = adjoint(U1) @ A_dot @ V1
    Q = _turn(s[:rank], (P + adjoint(P)) / 2)
    U, V_adjoint = U.copy(), V_adjoint.copy()
    U[:, :rank], V_adjoint[:rank] = U1 @ Q, adjoint(V1 @ Q)
    if rank < len(s):
        U_full, _, V_full_adjoint = np.linalg.svd(A)
        U0, V0_adjoint = U_full[:, rank:], V_full_adjoint[rank:]
        X, _, Y_adjoint = np.linalg.svd(adjoint(U0) @ A_dot @ adjoint(V0_adjoint))
        U[:, rank:] = (U0 @ X)[:, : U.shape[1] - rank]
        V_adjoint[rank:] = (Y_adjoint @ V0_adjoint)[: len(V_adjoint) - rank]
    return U, V_adjoint
