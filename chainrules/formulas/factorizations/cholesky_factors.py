"""The derivatives of the Cholesky decomposition.

Write ``A = L Lᴴ``, and let ``Φ(X)`` be the lower triangle of ``X`` with its diagonal halved. Then

    L_dot = L Φ(L⁻¹ A_dot L⁻ᴴ)
    A_bar = L⁻ᴴ Φ(Lᴴ L_bar) L⁻¹

where ``A`` is the Hermitian matrix that is read from one triangle of the argument, and the cotangent is
brought back to that triangle. For an upper factor, from the upper triangle, ``L`` is its adjoint. I. Murray,
"Differentiation of the Cholesky decomposition", arXiv:1602.07527.
"""

from typing import Any

from chainrules.formulas.matrices.hermitian import half, hermitian_from, onto_triangle
from chainrules.operations.triangular_systems import solve_lower
from chainrules.values.stacks import adjoint


def push_cholesky(y: Any, A_dot: Any, is_lower: bool) -> Any:
    """The tangent of the factor `y`, for the tangent of the array that is read."""
    L = y if is_lower else adjoint(y)
    right = adjoint(solve_lower(L, hermitian_from(A_dot, is_lower)))
    L_dot = L @ half(solve_lower(L, right))
    return L_dot if is_lower else adjoint(L_dot)


def pull_cholesky(y: Any, y_bar: Any, is_lower: bool) -> Any:
    """The cotangent of the array, on the triangle that is read, for the cotangent of the factor `y`."""
    L, L_bar = (y, y_bar) if is_lower else (adjoint(y), adjoint(y_bar))
    right = adjoint(solve_lower(L, half(adjoint(L) @ L_bar), True))
    return onto_triangle(solve_lower(L, right, True), is_lower)
