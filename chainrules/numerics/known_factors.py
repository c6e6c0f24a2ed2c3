"""Factorizations whose factors are given, as SciPy returns them."""

from typing import Any

from chainrules.numerics.factorizations import LU, BandedCholesky, Cholesky


class KnownCholesky(Cholesky):
    """A factor that is given."""

    __slots__ = ()

    def __init__(self: Any, factor: Any, is_lower: bool) -> None:
        self._char, self._factor, self._is_lower = factor.dtype.char, factor, is_lower


class KnownLU(LU):
    """Factors that are given, as SciPy's `lu_factor` returns them."""

    __slots__ = ()

    def __init__(self: Any, factors: Any, pivots: Any) -> None:
        self._char, self._factors, self._pivots = factors.dtype.char, factors, pivots
        self.is_singular = False  # a division by zero shows itself


class KnownBandedCholesky(BandedCholesky):
    """A factor that is given, as SciPy's `cholesky_banded` returns it."""

    __slots__ = ()

    def __init__(self: Any, factor: Any, is_lower: bool) -> None:
        self._factor, self._is_lower = factor, is_lower
