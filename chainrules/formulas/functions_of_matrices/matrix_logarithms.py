"""The derivative of the logarithm of square matrices.

Square roots bring the matrix near to the identity, ``log A = 2ᵏ log A^(1/2ᵏ)``: the derivative of the root
``X`` in the direction ``E`` solves ``X L + L X = E``. There the derivative is an integral,

    L(I + Y, E) = ∫₀¹ (I + x Y)⁻¹ E (I + x Y)⁻¹ dx

of which a Gauss-Legendre formula of 7 points, and the derivatives of this formula, have all digits of a
double for ``‖Y‖₁ ≤ 0.16``; the value alone has them up to 0.26. N. J. Higham, "Functions of Matrices", 2008,
sections 11.2, 11.5 and theorem 11.7; A. H. Al-Mohy, N. J. Higham, S. D. Relton, "Computing the Fréchet
derivative of the matrix logarithm and estimating the condition number", SIAM Journal on Scientific Computing
35, 2013. The branch of the logarithm is that of the square roots, so that eigenvalues on the negative real
axis do no harm, as they would in a block matrix, in which they are double.
"""

from typing import Any

import numpy as np
from scipy.linalg import sqrtm

from chainrules.formulas.equations.sylvester_equations import derivative_of_root, singular_error
from chainrules.values.stacks import identity
from chainrules_core import primal_of, primitive

_sqrtm = primitive(sqrtm)

# The points on the interval from 0 to 1, and their weights: the formula is the Padé approximant of this
# order.
_POINTS, _WEIGHTS = (array / 2 for array in np.polynomial.legendre.leggauss(7))
_NEAR_IDENTITY = 0.16
# A regular double precision matrix is near after fewer roots; one with a zero eigenvalue never is.
_MOST_ROOTS = 100


def derivative_of_logarithm(A: Any, E: Any, name: str = "the logarithm") -> Any:
    """The derivative of the logarithm of each matrix `A` in the direction `E`.

    Parameters
    ----------
    A, E
        Shape ``(..., n, n)``.
    name
        The name of the function that is differentiated, for the error.

    Raises
    ------
    numpy.linalg.LinAlgError
        If a matrix is singular.
    """
    factor = 1.0
    for _ in range(_MOST_ROOTS):
        if _is_near_identity(primal_of(A)):
            break
        A = _sqrtm(A)
        E = derivative_of_root(A, E, name)
        factor = 2 * factor
    else:
        raise singular_error(name)
    unit = identity(A)
    Y = A - unit
    total: Any = 0
    for point, weight in zip(_POINTS, _WEIGHTS, strict=True):
        inverse = np.linalg.inv(unit + float(0.5 + point) * Y)
        total = total + float(weight) * (inverse @ E @ inverse)
    return factor * total


def _is_near_identity(A: Any) -> bool:
    distances = np.abs(A - identity(A)).sum(axis=-2).max(axis=-1, initial=0)
    return bool(np.all(distances <= _NEAR_IDENTITY))
