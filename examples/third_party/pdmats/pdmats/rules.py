"""The rules; loaded through the entry point.

With ``z = L⁻¹ x``: for ``y = zᵀ z``, ``z_bar = 2 y_bar z``, ``x_bar = L⁻ᵀ z_bar`` and
``L_bar = -tril(x_bar zᵀ)``. For ``y = log det (L Lᵀ)``, ``L_bar = 2 y_bar / diag(L)`` on the diagonal.
"""

from typing import Any

import numpy as np

from chainrules_core import NoTangent, ProjectTo, Tangent, frule, rrule, typeof_
from pdmats.matrix import PDMat, logdet, quad


def factor_of(A: PDMat, A_dot: Any) -> Any:
    """The tangent of the Cholesky factor; zeros for a zero."""
    return np.tril(A_dot.L) if isinstance(A_dot, Tangent | PDMat) else 0 * A.L


@frule.dispatch
def logdet_frule(tangents, f: typeof_(logdet), A: PDMat):
    return logdet(A), 2 * np.sum(np.diagonal(factor_of(A, tangents[1])) / np.diagonal(A.L))


@rrule.dispatch
def logdet_rrule(f: typeof_(logdet), A: PDMat):
    project_A = ProjectTo(A)

    def logdet_pullback(y_bar):
        L_bar = np.diag(2 * y_bar / np.diagonal(A.L))
        return NoTangent(), project_A(Tangent[PDMat](L=L_bar))

    return logdet(A), logdet_pullback


@frule.dispatch
def quad_frule(tangents, f: typeof_(quad), A: PDMat, x: np.ndarray):
    _, A_dot, x_dot = tangents
    z = np.linalg.solve(np.tril(A.L), x)
    z_dot = np.linalg.solve(np.tril(A.L), 0 * x + x_dot - factor_of(A, A_dot) @ z)
    return z @ z, 2 * (z @ z_dot)


@rrule.dispatch
def quad_rrule(f: typeof_(quad), A: PDMat, x: np.ndarray):
    z = np.linalg.solve(np.tril(A.L), x)
    project_A, project_x = ProjectTo(A), ProjectTo(x)

    def quad_pullback(y_bar):
        x_bar = np.linalg.solve(np.tril(A.L).T, 2 * y_bar * z)
        return NoTangent(), project_A(Tangent[PDMat](L=-np.outer(x_bar, z))), project_x(x_bar)

    return z @ z, quad_pullback
