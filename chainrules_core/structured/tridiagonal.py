"""Tridiagonal matrices, and symmetric ones among them."""

from dataclasses import dataclass
from typing import Any, Self

from chainrules_core.structured.banded import Banded
from chainrules_core.structured.field_checks import vector


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tridiagonal(Banded):
    """A matrix with a main diagonal and the two beside it.

    Parameters
    ----------
    dl
        The diagonal below, of shape ``(n - 1,)``.
    d
        The main diagonal, of shape ``(n,)``.
    du
        The diagonal above, of shape ``(n - 1,)``.

    Raises
    ------
    DimensionMismatchError
        If the shapes do not fit each other.
    """

    dl: Any
    d: Any
    du: Any

    def __post_init__(self) -> None:
        beside = max(vector(self, "d").shape[0] - 1, 0)
        vector(self, "dl", beside)
        vector(self, "du", beside)

    def bands(self) -> dict[int, Any]:
        """The stored diagonals by their offset."""
        return {-1: self.dl, 0: self.d, 1: self.du}

    @property
    def T(self) -> "Tridiagonal":
        """The transpose."""
        return Tridiagonal(self.du, self.d, self.dl)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SymTridiagonal(Banded):
    """A tridiagonal matrix that equals its transpose; complex elements are not conjugated.

    Parameters
    ----------
    dv
        The main diagonal, of shape ``(n,)``.
    ev
        The diagonal above, which is also the one below, of shape ``(n - 1,)``.

    Raises
    ------
    DimensionMismatchError
        If the shapes do not fit each other.
    """

    dv: Any
    ev: Any

    def __post_init__(self) -> None:
        vector(self, "ev", max(vector(self, "dv").shape[0] - 1, 0))

    def bands(self) -> dict[int, Any]:
        """The stored diagonals by their offset."""
        return {-1: self.ev, 0: self.dv, 1: self.ev}

    @property
    def T(self) -> Self:
        """The matrix itself."""
        return self
