"""Sparse linear systems by an LU decomposition that is computed once: both modes, and all orders, reuse it.

For ``A x = b``: ``A x_dot = b_dot - A_dot x``; ``Aᴴ b_bar = x_bar`` and ``A_bar = -b_bar xᴴ``, on the pattern
of `A`; for its adjoint likewise. The decomposition takes 25 to 40 times as long as a solution by it, at 10⁵
unknowns. M. B. Giles, "An extended collection of matrix derivative results for forward and reverse mode
algorithmic differentiation", 2008, section 2.3.1.
"""

import dataclasses
import warnings
from typing import Any

import numpy as np

from chainrules.operations.sparse_patterns import conjugated, sample_product
from chainrules.values.lazy_arrays import refuse_lazy_cotangent
from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    SparseArray,
    frule,
    primal_of,
    primitive,
    rrule,
    thunk,
    typeof_,
    unthunk,
)


@dataclasses.dataclass(frozen=True, eq=False)
class SparseFactors:
    """The LU decomposition of a sparse matrix.

    Parameters
    ----------
    decomposition
        What SciPy's `splu` returned; `None` for a singular matrix, whose solutions are NaN.
    dtype
        The precision of the decomposition.
    is_adjoint
        Whether systems with the adjoint of the matrix are solved.
    """

    decomposition: Any
    dtype: np.dtype[Any]
    is_adjoint: bool = False

    @property
    def adjoint(self) -> "SparseFactors":
        """For systems with the adjoint matrix."""
        return dataclasses.replace(self, is_adjoint=not self.is_adjoint)

    def solve(self, b: Any) -> Any:
        """The solution for a vector or for the columns of a matrix, real or complex."""
        refuse_lazy_cotangent("a sparse solver", b)
        if self.decomposition is None:
            return np.full(b.shape, np.nan, np.result_type(b, self.dtype))
        if np.iscomplexobj(b) and self.dtype.kind != "c":
            return self.solve(b.real) + 1j * self.solve(b.imag)
        return self.decomposition.solve(np.asarray(b, self.dtype), "H" if self.is_adjoint else "N")


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


@primitive
def solve_by_factors(A: Any, factors: Any, b: Any) -> Any:
    """The solution of ``A x = b``.

    Parameters
    ----------
    A
        A sparse matrix of shape ``(n, n)``, which has the tangent.
    factors
        Its decomposition; or, for ``Aᴴ x = b``, the adjoint of that.
    b
        An array of shape ``(n,)`` or ``(n, k)``.
    """
    return factors.solve(b)


@frule.dispatch
def solve_by_factors_frule(
    tangents: Any, f: typeof_(solve_by_factors), A: SparseArray, factors: SparseFactors, b: ArrayOperand
) -> tuple[Any, Any]:
    """The same matrix, with another right side."""
    _, A_dot, _, b_dot = map(unthunk, tangents)
    x = solve_by_factors(A, factors, b)
    right = b_dot
    if not isinstance(A_dot, AbstractZero):
        A_dot_x = (conjugated(np.transpose(A_dot)) if factors.is_adjoint else A_dot) @ x
        right = -A_dot_x if isinstance(b_dot, AbstractZero) else b_dot - A_dot_x
    return x, right if isinstance(right, AbstractZero) else solve_by_factors(A, factors, right)


@rrule.dispatch
def solve_by_factors_rrule(
    f: typeof_(solve_by_factors), A: SparseArray, factors: SparseFactors, b: ArrayOperand
) -> tuple[Any, Any]:
    """The adjoint matrix, with the cotangent as the right side."""
    x = solve_by_factors(A, factors, b)

    def solve_pullback(x_bar: Any) -> Any:
        b_bar = solve_by_factors(A, factors.adjoint, unthunk(x_bar))
        A_bar = thunk(lambda: pull_matrix(A, factors, b_bar, x))
        return NO_TANGENT, A_bar, NO_TANGENT, ProjectTo(b)(b_bar)

    return x, solve_pullback


def pull_matrix(A: Any, factors: SparseFactors, b_bar: Any, x: Any) -> Any:
    """The cotangent of the matrix, on its pattern, for the solution and the cotangent of the right side."""
    left, right = (x, b_bar) if factors.is_adjoint else (b_bar, x)
    return sample_product(-left, conjugated(right), ProjectTo(A))


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
            return solve_by_factors(self.A, self.factors, rhs)
        if trans == "H":
            return solve_by_factors(self.A, self.factors.adjoint, rhs)
        return conjugated(self.solve(conjugated(rhs), "H"))

    def __call__(self, rhs: Any) -> Any:
        """The solution of ``A x = rhs``."""
        return self.solve(rhs)

    @property
    def shape(self) -> Any:
        """The shape of the matrix."""
        return self.factors.decomposition.shape

    @property
    def nnz(self) -> Any:
        """How many entries the factors store."""
        return self.factors.decomposition.nnz
