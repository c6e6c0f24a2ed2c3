"""Hermitian eigenvalue problems with a second, positive definite matrix: brought to problems of one matrix.

With ``B = L Lᴴ``, as LAPACK does it, and eigenvectors ``Y`` of a Hermitian matrix ``C``:

    type 1,  A V = B V diag(w):   C = L⁻¹ A L⁻ᴴ,   V = L⁻ᴴ Y
    type 2,  A B V = V diag(w):   C = Lᴴ A L,      V = L⁻ᴴ Y
    type 3,  B A V = V diag(w):   C = Lᴴ A L,      V = L Y

Let ``P = Φ(L⁻¹ B_dot L⁻ᴴ)``, with the lower triangle ``Φ`` whose diagonal is halved. Then ``L_dot = L P``, so
that

    C_dot = L⁻¹ A_dot L⁻ᴴ - P C - C Pᴴ   or   Lᴴ A_dot L + Pᴴ C + C P
    V_dot = L⁻ᴴ (Y_dot - Pᴴ Y)           or   L (Y_dot + P Y)

The phase of ``Y`` is that of the eigenvectors of one matrix: see `chainrules.formulas.spectra.eigenvectors`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.formulas.matrices.hermitian import half
from chainrules.operations.triangular_systems import solve_lower
from chainrules.values.stacks import adjoint
from chainrules_core import AbstractZero


@dataclass(frozen=True)
class DefinitePencil:
    """A problem of two Hermitian matrices.

    Attributes
    ----------
    L
        The Cholesky factor of the second matrix.
    C
        The matrix of the problem of one matrix.
    type
        Which problem it is: 1, 2 or 3, as LAPACK numbers them.
    """

    L: Any
    C: Any
    type: int

    @classmethod
    def of(cls, A: Any, B: Any, type: int) -> "DefinitePencil":  # noqa: A002 - SciPy's name
        """The problem of two Hermitian matrices, or of each pair in stacks."""
        L = np.linalg.cholesky(B)
        C = _divided(L, A) if type == 1 else adjoint(L) @ A @ L
        return cls(L, C, type)

    def reduced(self, V: Any) -> Any:
        """The vectors ``Y`` for the vectors ``V``."""
        return solve_lower(self.L, V) if self.type == 3 else adjoint(self.L) @ V

    def expanded(self, Y: Any) -> Any:
        """The vectors ``V`` for the vectors ``Y``."""
        return self.L @ Y if self.type == 3 else solve_lower(self.L, Y, True)

    def factor_dot(self, B_dot: Any) -> Any:
        """``P``, for the Hermitian tangent of the second matrix."""
        return B_dot if isinstance(B_dot, AbstractZero) else half(_divided(self.L, B_dot))

    def push(self, A_dot: Any, P: Any) -> Any:
        """``C_dot``; either tangent may be a zero."""
        L, C = self.L, self.C
        if not isinstance(A_dot, AbstractZero):
            A_dot = _divided(L, A_dot) if self.type == 1 else adjoint(L) @ A_dot @ L
        if isinstance(P, AbstractZero):
            return A_dot
        right = C @ adjoint(P) if self.type == 1 else C @ P
        by_factor = right + adjoint(right)
        return A_dot - by_factor if self.type == 1 else A_dot + by_factor

    def push_vectors(self, Y: Any, Y_dot: Any, P: Any) -> Any:
        """``V_dot``."""
        if isinstance(P, AbstractZero):
            return self.expanded(Y_dot)
        return self.expanded(Y_dot + P @ Y if self.type == 3 else Y_dot - adjoint(P) @ Y)

    def pull_vectors(self, V_bar: Any) -> Any:
        """The cotangent of ``Y``."""
        if isinstance(V_bar, AbstractZero):
            return V_bar
        return adjoint(self.L) @ V_bar if self.type == 3 else solve_lower(self.L, V_bar)

    def pull_first(self, C_bar: Any) -> Any:
        """The cotangent of the first matrix, for the Hermitian cotangent of ``C``."""
        L = self.L
        return _multiplied(L, C_bar) if self.type == 1 else L @ C_bar @ adjoint(L)

    def pull_second(self, C_bar: Any, Y: Any, Y_bar: Any) -> Any:
        """The cotangent of the second matrix, for the Hermitian cotangent of ``C`` and the one of ``Y``."""
        P_bar = -2 * (C_bar @ self.C) if self.type == 1 else 2 * (self.C @ C_bar)
        if not isinstance(Y_bar, AbstractZero):
            P_bar = P_bar + (Y_bar @ adjoint(Y) if self.type == 3 else -(Y @ adjoint(Y_bar)))
        return _multiplied(self.L, half(P_bar))


def _divided(L: Any, X: Any) -> Any:
    """``L⁻¹ X L⁻ᴴ`` for Hermitian matrices `X`."""
    return solve_lower(L, adjoint(solve_lower(L, X)))


def _multiplied(L: Any, X: Any) -> Any:
    """``L⁻ᴴ X L⁻¹``."""
    return solve_lower(L, adjoint(solve_lower(L, adjoint(X), True)), True)
