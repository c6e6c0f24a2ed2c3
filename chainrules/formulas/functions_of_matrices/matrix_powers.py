"""The derivative of integer powers of matrices.

The derivative of ``Aⁿ`` in the direction ``E`` is the sum of ``Aⁱ E Aⁿ⁻¹⁻ⁱ``. It is computed beside the
power, by repeated squaring; for negative ``n``, for the inverse. N. J. Higham, "Functions of Matrices", 2008,
section 3.2.
"""

from typing import Any

import numpy as np

from chainrules_core import primal_of


def derivative_of_power(A: Any, n: int, E: Any) -> Any:
    """The derivative of ``Aⁿ`` in the direction `E`, of each matrix of a stack."""
    if n == 0:
        return np.zeros_like(primal_of(E))
    if n < 0:
        A = np.linalg.inv(A)
        n, E = -n, -(A @ E @ A)
    return _power_and_derivative(A, n, E)[1]


def _power_and_derivative(A: Any, n: int, E: Any) -> tuple[Any, Any]:
    if n == 1:
        return A, E
    root, root_dot = _power_and_derivative(A, n // 2, E)
    Y, Y_dot = root @ root, root_dot @ root + root @ root_dot
    return (Y @ A, Y_dot @ A + Y @ E) if n % 2 else (Y, Y_dot)
