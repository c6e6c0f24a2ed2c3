"""Bidiagonal matrices."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core.structured.banded import Banded
from chainrules_core.structured.field_checks import check_uplo, vector
from chainrules_core.structured.triangular import LowerTriangular, Triangular, UpperTriangular


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bidiagonal(Banded):
    """A matrix with a main diagonal and one diagonal beside it.

    Parameters
    ----------
    dv
        The main diagonal, of shape ``(n,)``.
    ev
        The diagonal beside it, of shape ``(n - 1,)``.
    uplo
        ``"U"`` if that is the one above, ``"L"`` if it is the one below.

    Raises
    ------
    DimensionMismatchError
        If the shapes do not fit each other.
    ValueError
        If `uplo` is neither.

    Examples
    --------
    >>> from chainrules_core.structured import Bidiagonal
    >>> Bidiagonal([1.0, 2.0], [3.0], "U").to_dense()
    array([[1., 3.],
           [0., 2.]])
    """

    dv: Any
    ev: Any
    uplo: str

    def __post_init__(self) -> None:
        vector(self, "ev", max(vector(self, "dv").shape[0] - 1, 0))
        check_uplo(self)

    def bands(self) -> dict[int, Any]:
        """The stored diagonals by their offset."""
        return {0: self.dv, 1: self.ev} if self.uplo == "U" else {-1: self.ev, 0: self.dv}

    def inv(self) -> Triangular:
        """The inverse, which is triangular."""
        inverse = self.solve_dense(np.eye(len(self), dtype=self.dtype))
        return UpperTriangular(inverse) if self.uplo == "U" else LowerTriangular(inverse)

    @property
    def T(self) -> "Bidiagonal":
        """The transpose."""
        return Bidiagonal(self.dv, self.ev, "L" if self.uplo == "U" else "U")
