"""Rules for the solution of linear systems; see `chainrules.operations.linear_systems`.

The structure that the caller assumes says which elements of the matrix SciPy reads: one triangle of a
symmetric or Hermitian matrix, or the elements near the diagonal. The cotangent stands on these. Where nothing
is assumed, SciPy looks for a structure in all elements, and the cotangent stands on all.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import bandwidth, ishermitian, solve

from chainrules.formulas.matrix_readings import (
    DIAGONAL,
    HERMITIAN,
    LOWER,
    SYMMETRIC,
    TRIDIAGONAL,
    UPPER,
    WHOLE,
    TransposedReading,
)
from chainrules.operations.factorizations import (
    LU,
    BandedLU,
    Cholesky,
    Transposed,
    Triangular,
    factored,
    factored_in_precision,
)
from chainrules.operations.linear_systems import LinearSystem, pull_solution, push_solution
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, frule, primal_of, rrule, typeof_


@frule.dispatch
def solve_frule(tangents, f: typeof_(solve), A: ArrayOperand, B: ArrayOperand, *options, **named):
    return push_solution(tangents, A, B, _system_of(A, B, *options, **named))


@rrule.dispatch
def solve_rrule(f: typeof_(solve), A: ArrayOperand, B: ArrayOperand, *options, **named):
    X, pull = pull_solution(A, B, _system_of(A, B, *options, **named))

    def solve_pullback(X_bar):
        return *pull(X_bar), *(NO_TANGENT for _ in options)

    return X, solve_pullback


class _Structure(NamedTuple):
    """What is read of a matrix, and how it is factored.

    Attributes
    ----------
    reading
        How the matrix is read, which says where its cotangent stands.
    factorize
        From an array for LAPACK to the factorization.
    """

    reading: Any
    factorize: Any


def _by_lu(A):
    lu = LU(A)
    lu.check_regular()
    lu.warn_of_condition(A)
    return lu


def _by_finding_structure(A):
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


def _by_cholesky(A, is_lower):
    cholesky = Cholesky(A, is_lower)
    cholesky.warn_of_condition(HERMITIAN[is_lower].matrix(A))
    return cholesky


def _by_bands(A, below, above):
    bands = np.zeros((below + above + 1, len(A)), A.dtype)
    for offset in range(-below, above + 1):
        bands[above - offset, max(offset, 0) : len(A) + min(offset, 0)] = A.diagonal(offset)
    return BandedLU(bands, below, above)


def _structure(assumed, is_lower: bool, is_complex: bool) -> _Structure:
    """The structure of the name `assumed`, of a real or complex matrix.

    Raises
    ------
    ValueError
        If SciPy does not know the structure either.
    """
    match assumed:
        case None:
            return _Structure(WHOLE, _by_finding_structure)
        case "gen" | "general":
            return _Structure(WHOLE, _by_lu)
        case "banded":
            return _Structure(WHOLE, lambda A: _by_bands(A, *bandwidth(A)))
        case "diagonal":
            return _Structure(DIAGONAL, lambda A: _by_bands(A, 0, 0))
        case "tridiagonal":
            return _Structure(TRIDIAGONAL, lambda A: _by_bands(A, min(len(A) - 1, 1), min(len(A) - 1, 1)))
        case "lower triangular":
            return _Structure(LOWER, lambda A: Triangular(A, True))
        case "upper triangular":
            return _Structure(UPPER, lambda A: Triangular(A, False))
        case "pos" | "positive definite":
            return _Structure(HERMITIAN[is_lower], lambda A: _by_cholesky(A, is_lower))
        case "her" | "hermitian" | "sym" | "symmetric":
            is_hermitian = is_complex and assumed.startswith("her")
            reading = (HERMITIAN if is_hermitian else SYMMETRIC)[is_lower]
            return _Structure(reading, lambda A: _by_lu(reading.matrix(A)))
    raise ValueError(f"{assumed} is not a recognized matrix structure")


def _system_of(  # noqa: PLR0913, PLR0917 - SciPy's signature
    A,
    B,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a=None,
    transposed: bool = False,
) -> LinearSystem:
    """The system, as the options say; what may be overwritten is not.

    Raises
    ------
    ValueError
        If the matrix is not square, or an element is not finite, or for an unknown structure.
    NotImplementedError
        For the transpose of a complex matrix, as SciPy does.
    """
    A, B = primal_of(A), primal_of(B)
    if A.shape[-2:] != A.shape[-1:] * 2:
        raise ValueError(f"scipy.linalg.solve: expected a square matrix, got the shape {A.shape}")
    if check_finite:
        np.asarray_chkfinite(A)
        np.asarray_chkfinite(B)
    structure = _structure(assume_a, lower, A.dtype.kind == "c")
    reading = structure.reading
    if transposed and np.result_type(A, B).kind == "c":
        raise NotImplementedError("scipy.linalg.solve cannot solve transposed systems of complex matrices")
    factorization = factored_in_precision(A, B, lambda A: factored(A, structure.factorize, reading.matrix))
    if transposed:
        return LinearSystem(TransposedReading(reading), Transposed(factorization))
    return LinearSystem(reading, factorization)
