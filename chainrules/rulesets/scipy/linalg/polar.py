"""Rules for the polar decomposition.

By the singular values, ``A = W S Vᴴ``, the decomposition is ``A = U P`` or ``A = P U`` with ``U = W Vᴴ``, and

    U_dot = W X Vᴴ + (1 - W Wᴴ) A_dot V S⁻¹ Vᴴ + W S⁻¹ Wᴴ A_dot (1 - V Vᴴ)
    X[i, j] = (K - Kᴴ)[i, j] / (s[i] + s[j]),   K = Wᴴ A_dot V

This linear map is its own adjoint. ``P`` is ``Uᴴ A`` or ``A Uᴴ``. N. J. Higham, "Functions of Matrices",
2008, section 8.2. If the matrix is rank-deficient there is no derivative, and `numpy.linalg.LinAlgError` is
raised. Derivatives of these rules are those of `numpy.linalg.svd`, which are NaN where singular values are
equal.
"""

from typing import Any

import numpy as np
from scipy.linalg import polar

from chainrules.formulas.spectra.spectral_gaps import is_zero_value, sums
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, as_rows
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, frule, primitive, rrule, typeof_

_polar = primitive(polar)


@frule.dispatch
def polar_frule(tangents, f: typeof_(polar), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    y = U, _ = _polar(A, *options, **named)
    U_dot = _turned(A, A_dot)
    if _is_right(*options, **named):
        return y, tangent_of_results(y, U_dot, adjoint(U_dot) @ A + adjoint(U) @ A_dot)
    return y, tangent_of_results(y, U_dot, A @ adjoint(U_dot) + A_dot @ adjoint(U))


@rrule.dispatch
def polar_rrule(f: typeof_(polar), A: ArrayOperand, *options, **named):
    y = U, _ = _polar(A, *options, **named)
    project = ProjectTo(A)

    def polar_pullback(y_bar):
        U_bar, P_bar = cotangents_of_results(y, y_bar)
        A_bar = ZeroTangent()
        if not isinstance(P_bar, AbstractZero):
            is_right = _is_right(*options, **named)
            A_bar = U @ P_bar if is_right else P_bar @ U
            U_bar = U_bar + (A @ adjoint(P_bar) if is_right else adjoint(P_bar) @ A)
        if not isinstance(U_bar, AbstractZero):
            A_bar = A_bar + _turned(A, U_bar)
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return y, polar_pullback


def _is_right(side: str = "right") -> bool:
    return side == "right"


def _turned(A: Any, A_dot: Any) -> Any:
    """The tangent of the unitary factor.

    Raises
    ------
    numpy.linalg.LinAlgError
        If a singular value is zero.
    """
    W, s, V_adjoint = np.linalg.svd(A, full_matrices=False)
    if np.any(is_zero_value(s)):
        raise np.linalg.LinAlgError("The polar decomposition of a rank-deficient matrix has no derivative")
    V, W_adjoint = adjoint(V_adjoint), adjoint(W)
    rows, columns = W_adjoint @ A_dot, A_dot @ V
    K = rows @ V
    by_columns = (columns - W @ K) / as_rows(s)
    by_rows = (rows - K @ V_adjoint) / s[..., None]
    return W @ ((K - adjoint(K)) / sums(s) @ V_adjoint + by_rows) + by_columns @ V_adjoint
