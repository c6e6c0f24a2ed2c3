"""Rules for the angles between subspaces.

With orthonormal bases ``Q`` and ``P`` of the column spaces of ``A`` and ``B``, the singular vectors of ``Qᴴ
P`` give principal vectors ``a = Q u`` and ``b = P v`` with ``cos θ = aᴴ b``. By the unit vectors ``r = (b - Q
Qᴴ b) / sin θ`` and ``q = (a - P Pᴴ a) / sin θ``, which are orthogonal to the one and the other space,

    θ_dot = -Re(rᴴ A_dot A⁺ a + qᴴ B_dot B⁺ b)

Å. Björck and G. H. Golub, "Numerical methods for computing angles between linear subspaces", Mathematics of
Computation 27 (1973). An angle has kinks at 0 and at a right angle, as a modulus has at 0. There zero is
taken, which is its derivative where spaces of these dimensions always have such an angle. Matrices whose
columns are dependent have spaces whose dimension jumps, and `numpy.linalg.LinAlgError` is raised.
"""

from typing import Any

import numpy as np
from scipy.linalg import subspace_angles

from chainrules.formulas.spectra.spectral_gaps import is_zero_value
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, as_rows, times_diagonal
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primal_of, primitive, rrule, typeof_

_subspace_angles = primitive(subspace_angles)


@frule.dispatch
def subspace_angles_frule(tangents: Any, f: typeof_(subspace_angles), A: ArrayOperand, B: ArrayOperand):
    y = _subspace_angles(A, B)
    y_dot: Any = sum(
        _rates(normal, X_dot @ foot)
        for (normal, foot), X_dot in zip(_normals_and_feet(A, B), tangents[1:], strict=True)
        if not isinstance(X_dot, AbstractZero)
    )
    return y, y_dot


@rrule.dispatch
def subspace_angles_rrule(f: typeof_(subspace_angles), A: ArrayOperand, B: ArrayOperand):
    y = _subspace_angles(A, B)
    projects = ProjectTo(A), ProjectTo(B)

    def subspace_angles_pullback(y_bar):
        pairs = zip(projects, _normals_and_feet(A, B), strict=True)
        return NO_TANGENT, *(
            project(-times_diagonal(normal, y_bar) @ adjoint(foot)) for project, (normal, foot) in pairs
        )

    return y, subspace_angles_pullback


def _rates(normal, moved):
    return -np.real(np.sum(np.conjugate(normal) * moved, axis=-2))


def _normals_and_feet(A, B):
    """For each matrix `r` and ``A⁺ a`` of each angle, as columns."""
    (Q, A_inverse), (P, B_inverse) = _basis(A), _basis(B)
    U, cosine, V_adjoint = np.linalg.svd(adjoint(Q) @ P, full_matrices=False)
    # SciPy's angles fall, as the singular values do, which are the cosines.
    a, b, cosine = (Q @ U)[..., ::-1], (P @ adjoint(V_adjoint))[..., ::-1], primal_of(cosine)[..., ::-1]
    is_right = cosine <= 100 * np.finfo(cosine.dtype).eps
    return (_normal(Q, b, is_right), A_inverse @ a), (_normal(P, a, is_right), B_inverse @ b)


def _normal(Q, b, is_right):
    """The directions of `b` from their projections; zero at kinks. SciPy's small angles are less precise."""
    distance = b - Q @ (adjoint(Q) @ b)
    square = np.sum(np.real(distance * np.conjugate(distance)), axis=-2)
    sine = np.sqrt(primal_of(square))
    has_kink = is_right | (sine <= 100 * np.finfo(sine.dtype).eps)
    return np.where(as_rows(has_kink), 0.0, distance / as_rows(np.sqrt(np.where(has_kink, 1.0, square))))


def _basis(A):
    """An orthonormal basis of the columns, and the pseudo-inverse.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the columns are dependent.
    """
    Q, R = np.linalg.qr(A)
    m, n = primal_of(A).shape[-2:]
    if n > m or np.any(is_zero_value(np.linalg.svd(primal_of(R), compute_uv=False))):
        raise np.linalg.LinAlgError(
            "scipy.linalg.subspace_angles has no derivative by a matrix whose columns are dependent: the "
            "dimension of its space jumps"
        )
    return Q, np.linalg.solve(R, adjoint(Q))
