"""Projection onto matrices that store only diagonals: the diagonals of the cotangent."""

from dataclasses import dataclass, field
from typing import Any

from chainrules_core.structured.bidiagonal import Bidiagonal
from chainrules_core.structured.cotangents import MatrixProjector
from chainrules_core.structured.diagonal import Diagonal
from chainrules_core.structured.parents import diagonal_of
from chainrules_core.structured.tridiagonal import SymTridiagonal, Tridiagonal
from chainrules_core.tangent_spaces.projection import ArrayProjector, Projector, ProjectTo


@dataclass(slots=True, unsafe_hash=True)
class DiagonalProjector(MatrixProjector):
    """Onto diagonal matrices.

    Parameters
    ----------
    n
        The number of rows.
    diag
        The projector of the diagonal.
    """

    primal_type = Diagonal

    n: int
    diag: Projector

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        if type(x_bar) is Diagonal and self.diag(x_bar.diag) is x_bar.diag:
            return x_bar
        return Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """The diagonal matrix with the diagonal of `x_bar`."""
        return Diagonal(self.diag(diagonal_of(self.fitted(x_bar))))


@dataclass(slots=True, unsafe_hash=True)
class BidiagonalProjector(MatrixProjector):
    """Onto bidiagonal matrices.

    Parameters
    ----------
    n
        The number of rows.
    dv, ev
        The projectors of the two diagonals.
    uplo
        ``"U"`` if the second is above the main diagonal, ``"L"`` if it is below.
    """

    primal_type = Bidiagonal

    n: int
    dv: Projector
    ev: Projector
    uplo: str
    _dtype: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._dtype = _common_dtype(self.dv, self.ev)

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        fits = (
            type(x_bar) is Bidiagonal
            and x_bar.dv.dtype == self._dtype
            and x_bar.ev.dtype == self._dtype
            and x_bar.dv.shape[0] == self.n
            and x_bar.uplo == self.uplo
        )
        return x_bar if fits else Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """The bidiagonal matrix with the same two diagonals of `x_bar`."""
        x_bar = self.fitted(x_bar)
        beside = diagonal_of(x_bar, 1 if self.uplo == "U" else -1)
        return Bidiagonal(self.dv(diagonal_of(x_bar)), self.ev(beside), self.uplo)


@dataclass(slots=True, unsafe_hash=True)
class TridiagonalProjector(MatrixProjector):
    """Onto tridiagonal matrices.

    Parameters
    ----------
    n
        The number of rows.
    dl, d, du
        The projectors of the three diagonals.
    """

    primal_type = Tridiagonal

    n: int
    dl: Projector
    d: Projector
    du: Projector
    _dtype: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._dtype = _common_dtype(self.dl, self.d, self.du)

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        fits = (
            type(x_bar) is Tridiagonal
            and x_bar.d.dtype == self._dtype
            and x_bar.dl.dtype == self._dtype
            and x_bar.du.dtype == self._dtype
            and x_bar.d.shape[0] == self.n
        )
        return x_bar if fits else Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """The tridiagonal matrix with these diagonals of `x_bar`."""
        x_bar = self.fitted(x_bar)
        below, main, above = (diagonal_of(x_bar, k) for k in (-1, 0, 1))
        return Tridiagonal(self.dl(below), self.d(main), self.du(above))


@dataclass(slots=True, unsafe_hash=True)
class SymTridiagonalProjector(MatrixProjector):
    """Onto symmetric tridiagonal matrices.

    Parameters
    ----------
    n
        The number of rows.
    dv, ev
        The projectors of the main diagonal and of the diagonals beside it.
    """

    primal_type = SymTridiagonal

    n: int
    dv: Projector
    ev: Projector
    _dtype: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._dtype = _common_dtype(self.dv, self.ev)

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        fits = (
            type(x_bar) is SymTridiagonal
            and x_bar.dv.dtype == self._dtype
            and x_bar.ev.dtype == self._dtype
            and x_bar.dv.shape[0] == self.n
        )
        return x_bar if fits else Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """The symmetric tridiagonal matrix nearest to `x_bar`: the two outer diagonals are averaged."""
        x_bar = self.fitted(x_bar)
        beside = (diagonal_of(x_bar, 1) + diagonal_of(x_bar, -1)) / 2
        return SymTridiagonal(self.dv(diagonal_of(x_bar)), self.ev(beside))


def _common_dtype(*parts: Projector) -> Any:
    """The dtype that all diagonals of a fitting cotangent have; else an object that equals no dtype.

    A cotangent's diagonals need only be compared with it: their lengths follow from the length of the main
    one.
    """
    dtypes = {part.dtype if isinstance(part, ArrayProjector) else None for part in parts}
    return next(iter(dtypes)) if len(dtypes) == 1 and None not in dtypes else ""


@ProjectTo.dispatch
def project_diagonal(x: Diagonal) -> Projector:
    """Diagonal matrices."""
    return DiagonalProjector(len(x), ProjectTo(x.diag))


@ProjectTo.dispatch
def project_bidiagonal(x: Bidiagonal) -> Projector:
    """Bidiagonal matrices."""
    return BidiagonalProjector(len(x), ProjectTo(x.dv), ProjectTo(x.ev), x.uplo)


@ProjectTo.dispatch
def project_tridiagonal(x: Tridiagonal) -> Projector:
    """Tridiagonal matrices."""
    return TridiagonalProjector(len(x), ProjectTo(x.dl), ProjectTo(x.d), ProjectTo(x.du))


@ProjectTo.dispatch
def project_sym_tridiagonal(x: SymTridiagonal) -> Projector:
    """Symmetric tridiagonal matrices."""
    return SymTridiagonalProjector(len(x), ProjectTo(x.dv), ProjectTo(x.ev))
