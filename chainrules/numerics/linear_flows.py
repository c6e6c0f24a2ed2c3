"""Linear differential equations ``s' = J(t) s + φ(t)`` on given steps, and their adjoints.

By collocation ``K_i = J_i (s_k + h Σ_j a_ij K_j) + φ_i`` at the points of a step, and ``s_(k+1) = s_k +
h Σ_i b_i K_i``. With ``W = (I - h A ⊗ J)⁻ᵀ (h b ⊗ I)``, whose rows belong to the points of the step,

    s_(k+1) = M s_k + Wᵀ φ,    λ_k = Mᵀ λ_(k+1) + s̄_k,    φ̄ = W λ_(k+1),    Mᵀ = I + Jᵀ W.

The second is the adjoint of the first to rounding. J. M. Sanz-Serna, "Symplectic Runge-Kutta Schemes for
Adjoint Equations, Automatic Differentiation, Optimal Control, and More", SIAM Review 58, 2016.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.numerics.collocation import Collocation


class Flow(NamedTuple):
    """The steps of a linear differential equation.

    Attributes
    ----------
    M_transposed
        Shape ``(steps, m, m)``: from a cotangent after a step to the one before it.
    W
        Shape ``(steps, s, m, m)``: from a cotangent after a step to those of ``φ`` at its points.
    """

    M_transposed: Any
    W: Any

    def forwards(self, s: Any, forcing: Any) -> Any:
        """The solution at all ends of steps, from its start and ``φ`` with shape ``(steps, s, m)``."""
        added = np.einsum("kiab,kia->kb", self.W, forcing)
        found = [s]
        for k in range(len(added)):
            s = s @ self.M_transposed[k] + added[k]
            found.append(s)
        return np.stack(found)

    def backwards(self, s_bar: Any) -> tuple[Any, Any]:
        """The cotangents of the start and of ``φ``, from those of the solution at all ends of steps."""
        n = len(s_bar) - 1
        adjoint, after = s_bar[n], []
        for k in range(n - 1, -1, -1):
            after.append(adjoint)
            adjoint = self.M_transposed[k] @ adjoint + s_bar[k]
        return adjoint, np.einsum("kiab,kb->kia", self.W, np.stack(after[::-1]))


def flow(J: Any, h: Any, collocation: Collocation) -> Flow:
    """The steps, from ``J`` at all their points, with shape ``(steps, s, m, m)``, and their lengths."""
    steps, s, m, _ = J.shape
    long, A = np.reshape(h, (-1, 1, 1, 1)), collocation.integrals
    # The transpose of ``I - h A ⊗ J``: its rows belong to the columns of ``A`` and ``J``.
    by_points = np.expand_dims(np.transpose(long * J, (0, 3, 1, 2)), 1) * A.T[:, None, :, None]
    matrices = np.eye(s * m) - np.reshape(by_points, (steps, s * m, s * m))
    by_weights = np.reshape(long * np.multiply.outer(collocation.weights, np.eye(m)), (steps, s * m, m))
    W, J = np.linalg.solve(matrices, by_weights), np.reshape(J, (steps, s * m, m))
    return Flow(np.eye(m) + np.swapaxes(J, 1, 2) @ W, np.reshape(W, (steps, s, m, m)))
