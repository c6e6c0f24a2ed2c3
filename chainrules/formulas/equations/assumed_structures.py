"""The structures that SciPy assumes a square matrix to have: what is read of it, and how it is factored."""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import bandwidth, ishermitian

from chainrules.formulas.matrices.matrix_readings import (
    DIAGONAL,
    HERMITIAN,
    LOWER,
    SYMMETRIC,
    TRIDIAGONAL,
    UPPER,
    WHOLE,
)
from chainrules.numerics.factorizations import LU, BandedLU, Cholesky, Triangular


class Structure(NamedTuple):
    """What is read of a matrix, and how it is factored.

    Attributes
    ----------
    reading
        How the matrix is read, which says where its cotangent stands.
    factorize
        From an array for LAPACK to the factorization.
    check_stack
        Raises where a matrix of a stack cannot have the structure.
    """

    reading: Any
    factorize: Any
    check_stack: Any = None


def _by_lu(A: Any) -> Any:
    lu = LU(A)
    lu.check_regular()
    lu.warn_of_condition(A)
    return lu


def _by_finding_structure(A: Any) -> Any:
    """Triangles are solved as they are, and positive definite matrices by their Cholesky factor."""
    below, above = bandwidth(A)
    if not below or not above:
        return Triangular(A, is_lower=not above)
    if ishermitian(A) and np.all(A.diagonal().real > 0):
        try:
            return _by_cholesky(A, False)
        except np.linalg.LinAlgError:
            pass  # it is indefinite
    return _by_lu(A)


def _by_cholesky(A: Any, is_lower: bool) -> Any:
    cholesky = Cholesky(A, is_lower)
    cholesky.warn_of_condition(lambda: HERMITIAN[is_lower].matrix(A))
    return cholesky


def _by_bands(A: Any, below: int, above: int) -> Any:
    bands = np.zeros((below + above + 1, len(A)), A.dtype)
    for offset in range(-below, above + 1):
        bands[above - offset, max(offset, 0) : len(A) + min(offset, 0)] = A.diagonal(offset)
    return BandedLU(bands, below, above)


def _by_near_bands(A: Any) -> Any:
    reach = min(len(A) - 1, 1)
    return _by_bands(A, reach, reach)


_WITHOUT_TRIANGLES: dict[str | None, Structure] = {
    None: Structure(WHOLE, _by_finding_structure),
    **dict.fromkeys(("gen", "general"), Structure(WHOLE, _by_lu)),
    "banded": Structure(WHOLE, lambda A: _by_bands(A, *bandwidth(A))),
    "diagonal": Structure(DIAGONAL, lambda A: _by_bands(A, 0, 0)),
    "tridiagonal": Structure(TRIDIAGONAL, _by_near_bands),
    "lower triangular": Structure(LOWER, lambda A: Triangular(A, True)),
    "upper triangular": Structure(UPPER, lambda A: Triangular(A, False)),
}


def structure_of(assumed: Any, is_lower: bool, is_complex: bool) -> Structure:
    """The structure of the name `assumed`, of a real or complex matrix, one triangle of which may be read.

    Raises
    ------
    ValueError
        If SciPy does not know the structure either.
    """
    if assumed in _WITHOUT_TRIANGLES:
        return _WITHOUT_TRIANGLES[assumed]
    if assumed in {"pos", "positive definite"}:
        return Structure(HERMITIAN[is_lower], lambda A: _by_cholesky(A, is_lower), np.linalg.cholesky)
    if assumed not in {"her", "hermitian", "sym", "symmetric"}:
        raise ValueError(f"{assumed} is not a recognized matrix structure")
    is_hermitian = is_complex and assumed.startswith("her")
    reading = (HERMITIAN if is_hermitian else SYMMETRIC)[is_lower]
    return Structure(reading, lambda A: _by_lu(reading.matrix(A)))
