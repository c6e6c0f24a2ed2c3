"""Sparse linear systems by an LU decomposition that is computed once: both modes, and all orders, reuse it.

See `chainrules.operations.linear_systems`; the cotangent of the matrix is on its pattern. The decomposition
takes far longer than a solution by it.
"""

import dataclasses
import warnings
from typing import Any

import numpy as np

from chainrules.operations.linear_systems import LinearSystem, solution
from chainrules.operations.sparse_patterns import conjugated, sample_product
from chainrules.values.lazy_arrays import refuse_lazy_cotangent
from chainrules.values.recorded_calls import in_one_line
from chainrules.values.reductions import shape_of
from chainrules_core import ProjectTo, not_implemented, primal_of


@dataclasses.dataclass(frozen=True, eq=False)
class SparseFactors:
    """The LU decomposition of a sparse matrix.

    Parameters
    ----------
    decomposition
        What SciPy's `splu` returned; `None` for a singular matrix, whose solutions are NaN.
    dtype
        The precision of the decomposition.
    """

    decomposition: Any
    dtype: np.dtype[Any]

    def solve(self, B: Any, by_adjoint: bool = False) -> Any:
        """``A⁻¹ B`` or ``A⁻ᴴ B``, for a vector or for the columns of a matrix, real or complex."""
        refuse_lazy_cotangent("a sparse solver", B)
        return _solved(self, B, by_adjoint)

    def solved(self, B: Any, by_adjoint: bool) -> Any:
        """The same, of plain columns."""
        if self.decomposition is None:
            return np.full(B.shape, np.nan, np.result_type(B, self.dtype))
        if np.iscomplexobj(B) and self.dtype.kind != "c":
            return self.solved(B.real, by_adjoint) + 1j * self.solved(B.imag, by_adjoint)
        return self.decomposition.solve(np.asarray(B, self.dtype), "H" if by_adjoint else "N")


@in_one_line
def _solved(factors: SparseFactors, B: Any, by_adjoint: bool) -> Any:
    return factors.solved(B, by_adjoint)


def factors_of(A: Any, *others: Any, **options: Any) -> SparseFactors:
    """The decomposition of a matrix, in the precision that it has together with other arrays.

    Parameters
    ----------
    A
        A square sparse matrix, or a carrier of one.
    *others
        Such as the right side.
    **options
        Those of `scipy.sparse.linalg.splu`.

    Raises
    ------
    RuntimeError
        If a pivot is exactly zero.
    """
    # It takes long to import, and only whoever differentiates sparse systems needs it.
    from scipy.sparse.linalg import splu  # noqa: PLC0415 - as said above

    dtype = np.result_type(*(primal_of(x).dtype for x in (A, *others)))
    dtype = dtype if dtype.kind in "fc" else np.dtype(float)
    return SparseFactors(splu(primal_of(A).tocsc().astype(dtype), **options), dtype)


def factors_or_nan(A: Any, b: Any, **options: Any) -> SparseFactors:
    """The decomposition of a matrix; solutions by it are NaN if the matrix is singular.

    Warns
    -----
    MatrixRankWarning
        If the matrix is exactly singular, as `scipy.sparse.linalg.spsolve` does.
    """
    try:
        return factors_of(A, b, **options)
    except RuntimeError as error:
        from scipy.sparse.linalg import MatrixRankWarning  # noqa: PLC0415 - as above

        if "singular" not in str(error):
            raise
        warnings.warn("Matrix is exactly singular", MatrixRankWarning, stacklevel=3)
        return SparseFactors(None, np.result_type(primal_of(A).dtype, np.float32))


class SparseEntries:
    """A sparse matrix as it is, whose cotangent stands on its pattern: see `Reading`."""

    def push(self, A: Any, A_dot: Any, X: Any, by_adjoint: bool = False) -> Any:
        """``A_dot X`` or ``A_dotᴴ X``."""
        return (conjugated(np.transpose(A_dot)) if by_adjoint else A_dot) @ X

    def pull(self, A: Any, U: Any, V: Any) -> Any:
        """``U Vᴴ`` on the pattern of the matrix; of vectors for one column, which is quicker."""
        if shape_of(V)[-1] == 1:
            U, V = U[..., 0], V[..., 0]
        return sample_product(U, conjugated(V), ProjectTo(A))


_ENTRIES = SparseEntries()


def sparse_system(factors: SparseFactors) -> LinearSystem:
    """The systems with a sparse matrix of which these are the factors, for `solution`."""
    return LinearSystem(_ENTRIES, factors)


@dataclasses.dataclass(frozen=True, eq=False)
class SparseLU:
    """A matrix together with its decomposition: the result of `scipy.sparse.linalg.splu` by its rules.

    It solves systems as SciPy's `SuperLU` does, by `solve`; and when it is called, as the result of SciPy's
    `factorized` is. Its tangent is the tangent of the matrix. The factors themselves have no derivatives.
    """

    A: Any
    factors: SparseFactors

    def solve(self, rhs: Any, trans: str = "N") -> Any:
        """The solution of ``A x = rhs``, ``Aᵀ x = rhs`` (``trans="T"``) or ``Aᴴ x = rhs`` (``trans="H"``)."""
        if trans == "N":
            return solution(self.A, rhs, sparse_system(self.factors))
        if trans == "H":
            return solution(self.A, rhs, sparse_system(self.factors), True)
        return conjugated(self.solve(conjugated(rhs), "H"))

    def __call__(self, rhs: Any) -> Any:
        """The solution of ``A x = rhs``."""
        return self.solve(rhs)

    def __getattr__(self, name: str) -> Any:
        """Say that the factors have no derivatives; the permutations are constants."""
        if name in {"L", "U"}:
            raise not_implemented(
                f"`splu(A).{name}`: write `scipy.linalg.lu` of the dense matrix, or `splu(A).solve(b)`"
            ).error()
        if name in {"perm_r", "perm_c"}:
            return getattr(self.factors.decomposition, name)
        raise AttributeError(f"the result of splu(A) has no attribute {name!r}")

    @property
    def shape(self) -> Any:
        """The shape of the matrix."""
        return self.factors.decomposition.shape

    @property
    def nnz(self) -> Any:
        """How many entries the factors store."""
        return self.factors.decomposition.nnz
