"""Rules for functions of matrices whose function of numbers is the user's.

With ``A = V Λ V⁻¹`` the derivative in the direction `E` is ``V (F ∘ (V⁻¹ E V)) V⁻¹``, where
``F_ij = (f(λ_i) - f(λ_j)) / (λ_i - λ_j)`` and ``F_ii = f'(λ_i)``, by AD; what `f` holds moves ``f(Λ)``.
Yu. L. Daleckii, S. G. Krein, "Integration and Differentiation of Functions of Hermitian Operators and
Applications to the Theory of Perturbations", 1956; N. J. Higham, "Functions of Matrices", 2008, section 3.2.
"""

from typing import Any

import numpy as np
import scipy.linalg

from chainrules.values.held_numbers import noted_call
from chainrules.values.iterables import zeros_if_zero
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    HasForwardsMode,
    HasReverseMode,
    NoDerivativeError,
    ProjectTo,
    RuleConfig,
    frule,
    frule_via_ad,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
)

funm = primitive(scipy.linalg.funm)
_eig = primitive(np.linalg.eig)
# Nearer eigenvalues, as parts of the largest, have the mean of their slopes; the error of either is 1e-11.
NEAR = 6e-6


class Decomposition:
    """The eigenvalues of a matrix, and its vectors."""

    def __init__(self, A: Any) -> None:
        self.w, self.V = _eig(A + 0j)
        condition = np.linalg.cond(primal_of(self.V)) if np.size(primal_of(self.w)) else 1.0
        if not condition * np.sqrt(np.finfo(float).eps) < 1.0:
            raise NoDerivativeError(
                f"scipy.linalg.funm: the condition number {condition} of the eigenvectors leaves no digits "
                "of the derivative, as of a matrix that has too few of them. Write `expm`, `logm` or another "
                "function with a rule."
            )

    def quotients(self, y: Any, slopes: Any) -> Any:
        """The divided differences of a function with these values and slopes."""
        steps = self.w[:, None] - self.w
        is_near = np.abs(primal_of(steps)) <= NEAR * np.max(np.abs(primal_of(self.w)), initial=0.0)
        means = 0.5 * (slopes[:, None] + slopes)
        return np.where(is_near, means, (y[:, None] - y) / np.where(is_near, 1.0, steps))

    def inner(self, E: Any) -> Any:
        """``V⁻¹ E V``."""
        return np.linalg.solve(self.V, E @ self.V)

    def outer(self, D: Any) -> Any:
        """``V D V⁻¹``."""
        return np.linalg.solve(self.V.T, (self.V @ D).T).T

    def adjoint_of_outer(self, Y_bar: Any) -> Any:
        """``Vᴴ Y_bar V⁻ᴴ``."""
        return np.conj(self.V.T) @ np.linalg.solve(np.conj(self.V), Y_bar.T).T

    def adjoint_of_inner(self, D_bar: Any) -> Any:
        """``V⁻ᴴ D_bar Vᴴ``."""
        return np.linalg.solve(np.conj(self.V.T), D_bar @ np.conj(self.V.T))


@frule.dispatch
def funm_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(scipy.linalg.funm),
    A: ArrayOperand,
    func: Any,
    *further: Any,
    **named: Any,
):
    Y, _ = noted_call(func, "scipy.linalg.funm", funm, A, func, *further, **named)
    value, found = Y[0] if isinstance(Y, tuple) else Y, Decomposition(A)
    y, slopes = frule_via_ad(config, (NO_TANGENT, np.ones_like(found.w)), func, found.w)
    _, y_dot = frule_via_ad(config, (tangents[2], NO_TANGENT), func, found.w)
    inner = found.quotients(y, zeros_if_zero(y, slopes)) * found.inner(zeros_if_zero(A, tangents[1]))
    Y_dot = found.outer(inner + np.diag(zeros_if_zero(y, y_dot)))
    Y_dot = ProjectTo(value)(Y_dot)
    return Y, tangent_of_results(Y, Y_dot, NO_TANGENT) if isinstance(Y, tuple) else Y_dot


@rrule.dispatch
def funm_rrule(
    config: RuleConfig[HasReverseMode],
    f: typeof_(scipy.linalg.funm),
    A: ArrayOperand,
    func: Any,
    *further: Any,
    **named: Any,
):
    Y, check = noted_call(func, "scipy.linalg.funm", funm, A, func, *further, **named)

    def funm_pullback(Y_bar):
        check()
        Y_bar = cotangents_of_results(Y, Y_bar)[0] if isinstance(Y, tuple) else Y_bar
        found = Decomposition(A)
        y, pull = rrule_via_ad(config, func, found.w)
        slopes = zeros_if_zero(y, pull(np.ones_like(y))[1])  # of a holomorphic function, conjugated
        D_bar = found.adjoint_of_outer(Y_bar + 0j)
        A_bar = found.adjoint_of_inner(np.conj(found.quotients(y, np.conj(slopes))) * D_bar)
        return NO_TANGENT, ProjectTo(A)(A_bar), pull(np.diagonal(D_bar))[0], *(NO_TANGENT for _ in further)

    return Y, funm_pullback
