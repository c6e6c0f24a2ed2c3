"""Diagonal matrices."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from chainrules_core.structured.banded import Banded
from chainrules_core.structured.determinants import slogdet_of
from chainrules_core.structured.field_checks import vector


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Diagonal(Banded):
    """A diagonal matrix.

    Parameters
    ----------
    diag
        Its main diagonal, of shape ``(n,)``.

    Raises
    ------
    DimensionMismatchError
        If `diag` is no vector.

    Examples
    --------
    >>> from chainrules_core.structured import Diagonal
    >>> D = Diagonal([1.0, 2.0])
    >>> D @ D + D
    Diagonal(array([2., 6.]))
    >>> D @ np.ones(2)
    array([1., 2.])
    """

    diag: Any

    def __post_init__(self) -> None:
        vector(self, "diag")

    def bands(self) -> dict[int, Any]:
        """The stored diagonals by their offset."""
        return {0: self.diag}

    @property
    def T(self) -> Self:
        """The matrix itself."""
        return self

    def times_dense(self, y: Any) -> Any:
        """``self @ y`` for an ordinary array `y`."""
        return self.diag * y if len(y.shape) == 1 else self.diag[:, np.newaxis] * y

    def solve_dense(self, b: Any) -> Any:
        """`solve` for an ordinary array `b`."""
        self._check_regular()
        return b / self.diag if len(b.shape) == 1 else b / self.diag[:, np.newaxis]

    def inv(self) -> "Diagonal":
        """The inverse."""
        self._check_regular()
        return Diagonal(1 / self.diag)

    def det(self) -> Any:
        """The determinant."""
        return np.prod(self.diag)

    def slogdet(self) -> tuple[Any, Any]:
        """The sign of the determinant, of modulus one, and the logarithm of its modulus."""
        return slogdet_of(1, self.diag)

    def _check_regular(self) -> None:
        if isinstance(self.diag, np.ndarray) and not np.all(self.diag):
            raise np.linalg.LinAlgError("Singular matrix")
