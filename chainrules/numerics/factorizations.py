"""Matrices that are factored once, by LAPACK, for all the systems that are solved with them.

A factorization has ``solve(B, by_adjoint)``, the solution of ``A X = B`` or ``Aᴴ X = B`` for columns `B`. The
matrix and the columns are plain arrays, and in one precision, which `factored_in` brings about.
"""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from chainrules.numerics.lapack import is_for_lapack, lapack_routine
from chainrules.values.recorded_calls import in_one_line
from chainrules.values.stacks import adjoint, conjugate

_BLOCK = 64  # columns that LAPACK inverts at once, for which it wants room

# The ratio of the smallest and the largest pivot below which the condition of a matrix is computed. That
# takes time, and matrices without a small pivot are hardly ever ill-conditioned.
_SMALL_PIVOT = 1e-5


class Factorization(Protocol):
    """What solves systems with one matrix, and with its adjoint."""

    def solve(self, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``."""


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
        self.check_regular()
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

    def is_regular(self: Any) -> bool:
        """Whether the diagonal of ``U`` holds neither zeros nor numbers that are not finite."""
        return not self.is_singular and bool(np.isfinite(self._factors.diagonal()).all())

    def check_regular(self: Any) -> None:
        """Raise `numpy.linalg.LinAlgError` if the matrix is singular."""
        if self.is_singular:
            raise np.linalg.LinAlgError("Singular matrix")

    def warn_of_condition(self: Any, A: Any) -> None:
        """Warn, as SciPy does, if the matrix `A` that was factored is ill-conditioned."""
        if _has_small_pivot(self._factors):
            _warn_of_condition(self._routine("gecon")(self._factors, np.linalg.norm(A, 1))[0], self._char)


class Cholesky:
    """The factor of a Hermitian positive definite matrix, of which one triangle is read.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is not positive definite.
    """

    __slots__ = ("_char", "_factor", "_is_lower")

    def __init__(self: Any, A: Any, is_lower: bool) -> None:
        self._char, self._is_lower = A.dtype.char, is_lower
        self._factor, place = lapack_routine("potrf", self._char)(A, lower=is_lower, clean=False)
        _check_minors(place)

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B``: the matrix is its own adjoint."""
        return lapack_routine("potrs", self._char)(self._factor, B, lower=self._is_lower)[0]

    def warn_of_condition(self: Any, read: Callable[[], Any]) -> None:
        """Warn, as SciPy does, if the Hermitian matrix that was factored, ``read()``, is ill-conditioned."""
        if _has_small_pivot(self._factor, 2):
            uplo = "L" if self._is_lower else "U"
            routine = lapack_routine("pocon", self._char)
            _warn_of_condition(routine(self._factor, np.linalg.norm(read(), 1), uplo=uplo)[0], self._char)


class Triangular:
    """A triangular matrix, whose other triangle is not read; nothing is left to factor.

    Raises
    ------
    numpy.linalg.LinAlgError
        If there is a zero on the diagonal.
    """

    __slots__ = ("_by_rows", "_char", "_is_lower", "_is_unit", "_matrix")

    def __init__(self: Any, A: Any, is_lower: bool, is_unit: bool = False) -> None:
        # LAPACK stores columns. A matrix that is stored by rows is its own transpose there: no copy is made.
        self._by_rows = A.flags.c_contiguous
        self._matrix = A.T if self._by_rows else A
        self._char, self._is_lower, self._is_unit = A.dtype.char, is_lower, is_unit
        if not is_unit and np.count_nonzero(A.diagonal()) < len(A):
            raise np.linalg.LinAlgError("Singular matrix")

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``."""
        if not self._by_rows:
            return self._solve(B, 2 if by_adjoint else 0)
        return conjugate(self._solve(conjugate(B), 0)) if by_adjoint else self._solve(B, 1)

    def _solve(self: Any, B: Any, trans: int) -> Any:
        is_lower = self._is_lower != self._by_rows
        routine = lapack_routine("trtrs", self._char)
        return routine(self._matrix, B, lower=is_lower, trans=trans, unitdiag=self._is_unit)[0]


class BandedLU:
    """The factors of a matrix with few diagonals, of which row `k` of `bands` holds the one at ``upper - k``.

    Where `has_room`, this is row ``lower + k``, and LAPACK's columns are overwritten.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is singular.
    """

    __slots__ = ("_factors", "_lower", "_pivots", "_upper")

    def __init__(self: Any, bands: Any, lower: int, upper: int, has_room: bool = False) -> None:
        self._lower, self._upper = lower, upper
        if not has_room:
            with_room = np.zeros((lower + len(bands), bands.shape[1]), bands.dtype, order="F")
            with_room[lower:] = bands
            bands = with_room
        routine = lapack_routine("gbtrf", bands.dtype.char)
        self._factors, self._pivots, place = routine(bands, lower, upper, overwrite_ab=True)
        if place > 0:
            raise np.linalg.LinAlgError("Singular matrix")

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``."""
        routine = lapack_routine("gbtrs", self._factors.dtype.char)
        trans = 2 if by_adjoint else 0
        return routine(self._factors, self._lower, self._upper, B, self._pivots, trans=trans)[0]

    def least_pivot(self: Any) -> float:
        """The least pivot as a share of the largest."""
        pivots = np.abs(self._factors[self._lower + self._upper])
        return float(np.min(pivots, initial=np.inf) / np.max(pivots, initial=1e-300))


class BandedCholesky:
    """The factor of a positive definite matrix with few diagonals, of which those of one triangle are stored.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is not positive definite.
    """

    __slots__ = ("_factor", "_is_lower")

    def __init__(self: Any, bands: Any, is_lower: bool) -> None:
        self._is_lower = is_lower
        self._factor, place = lapack_routine("pbtrf", bands.dtype.char)(bands, lower=is_lower)
        _check_minors(place)

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B``: the matrix is its own adjoint."""
        return lapack_routine("pbtrs", self._factor.dtype.char)(self._factor, B, lower=self._is_lower)[0]


class Unfactored:
    """A stack of matrices, or matrices without elements, for NumPy, which factors them for each system."""

    __slots__ = ("_matrices",)

    def __init__(self: Any, matrices: Any) -> None:
        self._matrices = matrices

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``."""
        return np.linalg.solve(adjoint(self._matrices) if by_adjoint else self._matrices, B)


class Stack:
    """A stack of matrices, each with its own factorization, in an array of these."""

    __slots__ = ("_factorizations",)

    def __init__(self: Any, factorize: Callable[..., Factorization], *stacks: tuple[Any, int]) -> None:
        shape = np.broadcast_shapes(*(A.shape[: A.ndim - axes] for A, axes in stacks))
        spread = [np.broadcast_to(A, shape + A.shape[A.ndim - axes :]) for A, axes in stacks]
        self._factorizations: Any = np.empty(shape, dtype=object)
        for place in np.ndindex(shape):
            self._factorizations[place] = factorize(*(A[place] for A in spread))

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``, of stacks that broadcast."""
        shape = np.broadcast_shapes(self._factorizations.shape, B.shape[:-2])
        factorizations: Any = np.broadcast_to(self._factorizations, shape)
        columns = np.broadcast_to(B, shape + B.shape[-2:])
        X = np.swapaxes(np.empty((*shape, *columns.shape[:-3:-1]), columns.dtype), -1, -2)
        for place in np.ndindex(shape):
            X[place] = factorizations[place].solve(columns[place], by_adjoint)
        return X


def of_each(factorize: Callable[..., Factorization], *stacks: tuple[Any, int]) -> Factorization:
    """The factorization of one matrix, or of each matrix of a stack.

    Parameters
    ----------
    factorize
        From the arrays of one matrix to its factorization.
    *stacks
        Pairs of an array, and how many of its axes, the last ones, belong to one matrix.
    """
    if all(A.ndim == axes for A, axes in stacks):
        return factorize(*(A for A, _ in stacks))
    return Stack(factorize, *stacks)


class Transposed:
    """The factorization of the transpose of a matrix that is factored: ``A⁻ᵀ B`` is conj(A⁻ᴴ conj(B))."""

    __slots__ = ("_factorization",)

    def __init__(self: Any, factorization: Factorization) -> None:
        self._factorization = factorization

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻ᵀ B``, or the inverse of the conjugate of `A` times `B`."""
        return conjugate(self._factorization.solve(conjugate(B), not by_adjoint))


class Stored(NamedTuple):
    """A factorization whose solutions are stored by rows, or by columns, as LAPACK's are."""

    factorization: Factorization
    by_rows: bool

    def solve(self, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``."""
        X = self.factorization.solve(B, by_adjoint)
        return _by_rows(X) if self.by_rows else np.swapaxes(_by_rows(np.swapaxes(X, -1, -2)), -1, -2)


_by_rows = in_one_line(np.ascontiguousarray)


class InPrecision:
    """A factorization that takes columns of any dtype, real and complex ones, stacks of them, and none."""

    __slots__ = ("_dtype", "_factorization")

    def __init__(self: Any, factorization: Factorization, dtype: Any) -> None:
        self._factorization, self._dtype = factorization, dtype

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``, in the precision of the factors."""
        return _solved(self, B, by_adjoint)

    def solved(self: Any, B: Any, by_adjoint: bool) -> Any:
        """The same, of plain columns."""
        if B.dtype.kind != "c" or self._dtype.kind == "c":
            return self._solve(B if B.dtype == self._dtype else B.astype(self._dtype), by_adjoint)
        # A real matrix, which solves for real and imaginary parts at once.
        X = self._solve(np.concatenate((B.real, B.imag), axis=-1).astype(self._dtype), by_adjoint)
        count = B.shape[-1]
        return X[..., :count] + 1j * X[..., count:]

    def _solve(self: Any, B: Any, by_adjoint: bool) -> Any:
        if not B.size:
            return B
        if B.ndim == 2 or isinstance(self._factorization, Stack | Unfactored):
            return self._factorization.solve(B, by_adjoint)
        # One matrix, which solves for all columns of the stack at once.
        rows = np.moveaxis(B, -2, 0)
        X = self._factorization.solve(np.reshape(rows, (len(rows), -1)), by_adjoint)
        # The columns stay together in memory, as in SciPy's stacks of what LAPACK returns.
        return np.swapaxes(np.reshape(X.T, (*rows.shape[1:], len(rows))), -1, -2)


@in_one_line
def _solved(factors: InPrecision, B: Any, by_adjoint: bool) -> Any:
    return factors.solved(B, by_adjoint)


def factored_in_precision(A: Any, B: Any, factorize: Callable[[Any], Factorization]) -> Factorization:
    """The factorization of a matrix in the precision that it has together with the columns `B`.

    Parameters
    ----------
    A, B
        Plain arrays of numbers of any kind.
    factorize
        From the matrix, in a precision of LAPACK, to its factorization.

    Raises
    ------
    ValueError
        If there are not as many rows of `B` as columns of `A`. (LAPACK would solve for the first rows.)
    """
    if B.shape[-2:][0] != A.shape[-1]:
        raise ValueError(
            f"The shapes of a matrix, {A.shape}, and of its right side, {B.shape}, do not fit each other: "
            "rows of the right side are equations."
        )
    made: Factorization = _in_precision(A, lapack_dtype(A, B), factorize)
    return made


@in_one_line
def _in_precision(A: Any, dtype: Any, factorize: Callable[[Any], Factorization]) -> Factorization:
    return InPrecision(factorize(A if A.dtype == dtype else A.astype(dtype)), dtype)


def lapack_dtype(A: Any, B: Any) -> Any:
    """The dtype in which SciPy has LAPACK factor `A` for columns `B`: the precision of both together.

    Unlike in SciPy, the factors of a real matrix stay real where the columns are complex.
    """
    is_single = np.result_type(A.dtype, B.dtype).char in "efF"
    return np.dtype(("F" if is_single else "D") if A.dtype.kind == "c" else ("f" if is_single else "d"))


def factored(A: Any, factorize: Callable[[Any], Factorization], read: Callable[[Any], Any]) -> Factorization:
    """Factorise one matrix by LAPACK; a stack, of ``read(A)``, is left to NumPy."""
    return factorize(A) if is_for_lapack(A) else Unfactored(read(A))


def _check_minors(place: int) -> None:
    if place > 0:
        raise np.linalg.LinAlgError(f"{place}-th leading minor of the array is not positive definite")


def _has_small_pivot(factors: Any, power: int = 1) -> bool:
    pivots = np.abs(factors.diagonal()) ** power
    return bool(pivots.min() <= _SMALL_PIVOT * pivots.max())


def _warn_of_condition(reciprocal: float, char: str) -> None:
    """Warn if the reciprocal condition number is rounding in the precision of the matrix."""
    if not reciprocal >= np.finfo(char).eps:
        from scipy.linalg import LinAlgWarning  # noqa: PLC0415 - whoever gets here has imported it

        warnings.warn(
            f"Ill-conditioned matrix (rcond={reciprocal:.6g}): result may not be accurate.",
            LinAlgWarning,
            stacklevel=2,
        )
