"""The LU factorization of one plain matrix by LAPACK, for everything that a rule needs of the matrix.

NumPy factors a matrix at each call of `solve`, `slogdet` or `inv`. The rules of these functions need two
factorizations, and an inverse from known factors takes half the time.
"""

from typing import Any

import numpy as np

from chainrules.operations.lapack import is_for_lapack, lapack_routine

_BLOCK = 64  # columns that LAPACK inverts at once, for which it wants room


class LU:
    """The factors of a square matrix ``A = P L U``, which `is_for_lapack` holds for.

    Attributes
    ----------
    is_singular
        Whether there is a zero on the diagonal of ``U``.
    """

    __slots__ = ("_char", "_factors", "_pivots", "is_singular")

    def __init__(self: Any, A: Any) -> None:
        self._char = A.dtype.char
        self._factors, self._pivots, place = self._routine("getrf")(A)
        self.is_singular = place > 0

    def _routine(self: Any, name: str) -> Any:
        return lapack_routine(name, self._char)

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``, for vectors or columns `B` in the precision of the matrix."""
        return self._routine("getrs")(self._factors, self._pivots, B, trans=2 if by_adjoint else 0)[0]

    def inverse(self: Any) -> Any:
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

    def slogdet(self: Any) -> tuple[Any, Any]:
        """The sign of the determinant, and the logarithm of its modulus, in the precision of the matrix."""
        diagonal = self._factors.diagonal()
        moduli = np.abs(diagonal)
        if self.is_singular:
            return diagonal.dtype.type(0), moduli.dtype.type(-np.inf)
        swaps = np.count_nonzero(self._pivots != np.arange(len(self._pivots)))
        # Not by a division for real numbers: infinite ones have a sign too.
        sign = np.prod(diagonal / moduli if diagonal.dtype.kind == "c" else np.sign(diagonal))
        return (-sign if swaps % 2 else sign), np.sum(np.log(moduli))


def lu_of(A: Any, columns: int = 1) -> LU | None:
    """The factorization of a square matrix in a plain array; `None` for anything else.

    Parameters
    ----------
    A
        A matrix, or anything else.
    columns
        The least number of columns for which the factorization pays.
    """
    if A.__class__ is not np.ndarray or not is_for_lapack(A):
        return None
    return LU(A) if columns <= A.shape[0] == A.shape[1] else None
