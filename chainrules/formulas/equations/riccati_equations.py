"""The derivatives of the solutions of algebraic Riccati equations.

In continuous time ``X``, in discrete time ``X`` with other coefficients, solves

    Eᴴ X A + Aᴴ X E - (Eᴴ X B + S) R⁻¹ (Bᴴ X E + Sᴴ) + Q = 0
    Aᴴ X A - Eᴴ X E - (Aᴴ X B + S) (R + Bᴴ X B)⁻¹ (Bᴴ X A + Sᴴ) + Q = 0

With the feedback ``K``, which is the product of the last two factors before ``Q``, the closed loop ``F = A -
B K``, and a change of the coefficients, whose Hermitian part ``W + Wᴴ`` is meant by ``herm W``, the tangent
solves

    Eᴴ X_dot F + Fᴴ X_dot E + D = 0,   D = Q_dot + Kᴴ R_dot K + herm(Eᴴ X M - S_dot K) + herm(E_dotᴴ X F)
    Fᴴ X_dot F - Eᴴ X_dot E + D = 0,   D = Q_dot + Kᴴ R_dot K + herm(Fᴴ X M - S_dot K) - herm(E_dotᴴ X E)

where ``M = A_dot - B_dot K``. Both are Lyapunov equations for ``F E⁻¹``. In reverse, the cotangent ``G`` of
``D`` solves the adjoint equation. T.-C. Kao, G. Hennequin, "Automatic differentiation of Sylvester, Lyapunov,
and algebraic Riccati equations", arXiv:2011.11430.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.formulas.equations.sylvester_equations import in_one_kind
from chainrules.values.stacks import adjoint, identity
from chainrules_core import AbstractZero


@dataclass(frozen=True)
class Riccati:
    """A solved equation.

    Attributes
    ----------
    X
        The solution.
    K, F, E
        The feedback, the closed loop, and the coefficient `E`, which may be the identity.
    is_discrete
        In which time.
    solve
        ``solve(A, Q)`` is the solution of the Lyapunov equation ``A Y + Y Aᴴ + Q = 0``, or ``A Y Aᴴ - Y + Q =
        0``.
    """

    X: Any
    K: Any
    F: Any
    E: Any
    is_discrete: bool
    solve: Callable[[Any, Any], Any]

    @classmethod
    def of(cls, X: Any, coefficients: Any, is_discrete: bool, solve: Callable[[Any, Any], Any]) -> "Riccati":
        """From the solution, and ``A, B, Q, R, E, S``, of which the last two may be `None`."""
        A, B, _, R, E, S = coefficients
        E = identity(A) if E is None else E
        coupling = adjoint(B) @ X @ (A if is_discrete else E)
        coupling = coupling if S is None else coupling + adjoint(S)
        K = np.linalg.solve(R + adjoint(B) @ X @ B if is_discrete else R, coupling)
        return cls(X, K, A - B @ K, E, is_discrete, solve)

    def push(self, dots: Any) -> Any:
        """``X_dot``, for the tangents of all coefficients, of which any may be a zero."""
        A_dot, B_dot, Q_dot, R_dot, E_dot, S_dot = dots
        X, K, F = self.X, self.K, self.F
        before, sign = (F, -1.0) if self.is_discrete else (self.E, 1.0)
        W = adjoint(before) @ X @ (A_dot - B_dot @ K) - S_dot @ K
        if not isinstance(E_dot, AbstractZero):
            W = W + sign * (adjoint(E_dot) @ X @ (self.E if self.is_discrete else F))
        D = Q_dot + adjoint(K) @ R_dot @ K
        D = D if isinstance(W, AbstractZero) else D + W + adjoint(W)
        if isinstance(D, AbstractZero):
            return D
        inverse = np.linalg.inv(self.E)
        X_dot = self.solve(*in_one_kind(adjoint(F @ inverse), adjoint(inverse) @ D @ inverse))
        return 0.5 * (X_dot + adjoint(X_dot))

    def pull(self, X_bar: Any) -> tuple[Any, ...]:
        """The cotangents of all coefficients; those of ``Q`` and ``R`` are Hermitian."""
        inverse = np.linalg.inv(self.E)
        Y = self.solve(*in_one_kind(self.F @ inverse, 0.5 * (X_bar + adjoint(X_bar))))
        X, K, G = self.X, self.K, inverse @ Y @ adjoint(inverse)
        before = self.F if self.is_discrete else self.E
        A_bar = 2.0 * (X @ before @ G)
        E_bar = -2.0 * (X @ self.E @ G) if self.is_discrete else 2.0 * (X @ self.F @ G)
        GK = G @ adjoint(K)
        return A_bar, -(A_bar @ adjoint(K)), G, K @ GK, E_bar, -2.0 * GK
