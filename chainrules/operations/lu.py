"""The LU factorization of one matrix of plain numbers, by LAPACK, for all that is asked of the matrix.

NumPy factors a matrix at each call of `solve`, `slogdet` or `inv`. The rules of these need two of them, and
the inverse by factors that are there takes half the time.
"""

from typing import Any

import numpy as np

# What LAPACK calls the precisions that it knows.
PREFIXES = {"f": "s", "d": "d", "F": "c", "D": "z"}

_BLOCK = 64  # columns that LAPACK inverts at once, for which it wants room


def is_plain(A: Any) -> bool:
    """Whether LAPACK and BLAS know what to do with an array: one matrix of numbers in memory."""
    return type(A) is np.ndarray and A.ndim == 2 and A.size > 0 and A.dtype.char in PREFIXES


class LU:
    """The factors of a square matrix ``A = P L U``, for which `is_plain` holds.

    Attributes
    ----------
    is_singular
        Whether there is a zero on the diagonal of ``U``.
    """

    __slots__ = ("_factors", "_lapack", "_pivots", "_prefix", "is_singular")

    def __init__(self, A: Any) -> None:
        # Importing it takes long, and only who differentiates linear algebra needs it.
        from scipy.linalg import lapack  # noqa: PLC0415 - as said above

        self._lapack: Any = lapack
        self._prefix = PREFIXES[A.dtype.char]
        self._factors, self._pivots, place = self._routine("getrf")(A)
        self.is_singular = place > 0

    def _routine(self, name: str) -> Any:
        return getattr(self._lapack, self._prefix + name)

    def solve(self, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``, for vectors or columns `B` of the precision of the matrix."""
        return self._routine("getrs")(self._factors, self._pivots, B, trans=2 if by_adjoint else 0)[0]

    def inverse(self) -> Any:
        """``A⁻¹``.

        Raises
        ------
        numpy.linalg.LinAlgError
            If the matrix is singular.
        """
        if self.is_singular:
            raise np.linalg.LinAlgError("Singular matrix")
        n = len(self._pivots)
        return self._routine("getri")(self._factors, self._pivots, lwork=_BLOCK * n)[0]

    def slogdet(self) -> tuple[Any, Any]:
        """The sign of the determinant, and the logarithm of its modulus, in the precision of the matrix."""
        diagonal = self._factors.diagonal()
        moduli = np.abs(diagonal)
        if self.is_singular:
            return diagonal.dtype.type(0), moduli.dtype.type(-np.inf)
        swaps = np.count_nonzero(self._pivots != np.arange(len(self._pivots)))
        # Not by a division for real numbers, of which infinite ones have a sign too.
        sign = np.prod(diagonal / moduli if diagonal.dtype.kind == "c" else np.sign(diagonal))
        return (-sign if swaps % 2 else sign), np.sum(np.log(moduli))


def lu_of(A: Any) -> LU | None:
    """The factorization of a square matrix of plain numbers; `None` for anything else."""
    return LU(A) if is_plain(A) and A.shape[0] == A.shape[1] else None
