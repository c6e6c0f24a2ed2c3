"""Which kind of matrix a result is: chosen by the diagonals that it reaches, and by its symmetry."""

from typing import Any

import numpy as np

from chainrules_core.structured.banded import Banded
from chainrules_core.structured.bidiagonal import Bidiagonal
from chainrules_core.structured.diagonal import Diagonal
from chainrules_core.structured.symmetric import Hermitian, Symmetric
from chainrules_core.structured.triangular import LowerTriangular, UpperTriangular
from chainrules_core.structured.tridiagonal import SymTridiagonal, Tridiagonal

_EQUAL_TO_THEIR_TRANSPOSE = (Diagonal, SymTridiagonal, Symmetric)


def are_symmetric(*matrices: Any) -> bool:
    """Whether the kinds of all of these say that they equal their transposes."""
    return all(isinstance(A, _EQUAL_TO_THEIR_TRANSPOSE) for A in matrices)


def are_hermitian(*matrices: Any) -> bool:
    """Whether the kinds of all of these say that they equal their conjugate transposes."""
    return all(
        isinstance(A, Hermitian) or (isinstance(A, _EQUAL_TO_THEIR_TRANSPOSE) and A.dtype.kind != "c")
        for A in matrices
    )


def from_bands(bands: dict[int, Any]) -> Banded:
    """The matrix with these diagonals: 0, and perhaps 1 and -1."""
    offsets = set(bands)
    if offsets == {0}:
        return Diagonal(bands[0])
    if len(offsets) == 2:
        return Bidiagonal(bands[0], bands[1], "U") if 1 in offsets else Bidiagonal(bands[0], bands[-1], "L")
    return Tridiagonal(bands[-1], bands[0], bands[1])


def from_full(full: Any, lo: int, hi: int) -> Any:
    """`full`, which reaches from diagonal `lo` to `hi`, as a triangular matrix if it is one."""
    if lo >= 0:
        return UpperTriangular(full)
    return LowerTriangular(full) if hi <= 0 else full


def between(A: Any, lo: int, hi: int) -> Any:
    """The elements of a structured matrix from diagonal `lo` to `hi`, with zeros elsewhere."""
    first, last = max(A.extent[0], lo), min(A.extent[1], hi)
    if isinstance(A, Banded) or (is_narrow(first, last) and first <= last):
        inside = range(first, last + 1)
        offsets = {0, *inside}
        if offsets == {-1, 1, 0} and are_symmetric(A):
            return SymTridiagonal(A.diagonal().copy(), A.diagonal(1).copy())
        bands = {k: A.diagonal(k) for k in sorted(offsets)}
        return from_bands(
            {k: band.copy() if k in inside else np.zeros_like(band) for k, band in bands.items()}
        )
    full = np.triu(np.tril(A.to_dense(), hi), lo)
    return from_full(full, first, last)


def is_narrow(lo: int, hi: int) -> bool:
    """Whether a banded matrix can reach from diagonal `lo` to `hi`."""
    return lo >= -1 and hi <= 1


def check_same_shape(operation: str, x: Any, y: Any) -> None:
    """Raise an error unless two matrices have the same shape."""
    if x.shape != y.shape:
        raise ValueError(f"{operation}: the operands have the shapes {x.shape} and {y.shape}.")


def as_array(x: Any) -> Any:
    """A list or tuple as an array; arrays of all kinds, and numbers, as they are."""
    return np.asarray(x) if isinstance(x, list | tuple) else x
