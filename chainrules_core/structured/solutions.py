"""Solutions of linear systems whose matrix is structured; the right-hand side may be too."""

from typing import Any

import numpy as np

from chainrules_core.arrays.sparse_arrays import SparseArray
from chainrules_core.structured.bidiagonal import Bidiagonal
from chainrules_core.structured.diagonal import Diagonal
from chainrules_core.structured.kinds import as_array, from_full
from chainrules_core.structured.operations import matmul, solve
from chainrules_core.structured.protocols import dense
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.triangular import Triangular


@solve.dispatch
def solve_objects(a: object, b: object) -> Any:
    """Whatever has no better method: NumPy's solution."""
    return np.linalg.solve(dense(as_array(a)), dense(as_array(b)))


@solve.dispatch
def solve_with_object(a: StructuredArray, b: object) -> Any:
    """For an ordinary right-hand side."""
    return _solve_dense(a, as_array(b))


def _solve_dense(a: StructuredArray, b: Any) -> Any:
    if not b.shape or b.shape[-2:][0] != len(a):
        raise ValueError(f"solve: a matrix of shape {a.shape} and a right-hand side of shape {b.shape}.")
    return np.linalg.solve(a.to_dense(), b) if len(b.shape) > 2 else a.solve_dense(b)


@solve.dispatch
def solve_with_structured(a: StructuredArray, b: StructuredArray) -> Any:
    """Triangular if both are triangular on the same side; bidiagonal matrices count as that."""
    x = _solve_dense(a, b.to_dense())
    if not isinstance(a, Diagonal | Bidiagonal | Triangular):
        return x
    lo, hi = min(a.extent[0], b.extent[0]), max(a.extent[1], b.extent[1])
    return a.like(x) if type(a) is type(b) and isinstance(a, Triangular) else from_full(x, lo, hi)


@solve.dispatch
def solve_diagonal_with_structured(a: Diagonal, b: StructuredArray) -> Any:
    """A matrix of the kind of ``a @ b``."""
    return matmul(a.inv(), b)


@solve.dispatch
def solve_with_sparse(a: StructuredArray, b: SparseArray) -> Any:
    """As sparse as `b` for a diagonal matrix, dense for others."""
    return matmul(a.inv(), b) if isinstance(a, Diagonal) else _solve_dense(a, b.toarray())
