"""The derivatives of singular values, by a thin decomposition ``A = U diag(s) Vᴴ``.

``s_dot = Re diag(Uᴴ A_dot V)`` and ``A_bar = U diag(s_bar) Vᴴ``. A value that is zero has a kink there, at
which zero is taken.
"""

from typing import Any

import numpy as np

from chainrules.formulas.spectra.spectral_gaps import differentiable_part
from chainrules.values.stacks import adjoint, times_diagonal
from chainrules_core import primal_of


def push_singular_values(y: Any, A_dot: Any) -> Any:
    """The tangent of the singular values, by a thin decomposition."""
    U, s, V_adjoint = y
    s_dot = np.real(np.sum(np.conjugate(U) * (A_dot @ adjoint(V_adjoint)), axis=-2))
    # For a traced matrix it is kept: a smooth function of the values has a second derivative at zero.
    return differentiable_part(s_dot, s) if primal_of(U) is U else s_dot


def pull_singular_values(y: Any, s_bar: Any) -> Any:
    """The cotangent of the matrix for the cotangent of the singular values, by a thin decomposition."""
    U, s, V_adjoint = y
    return times_diagonal(U, differentiable_part(s_bar, s)) @ V_adjoint
