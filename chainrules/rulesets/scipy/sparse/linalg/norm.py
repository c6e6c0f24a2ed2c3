"""Rules for the norm of a sparse matrix.

The Frobenius norm ``y`` has the gradient ``A / y``, and 0 where it is zero itself, as all norms have here.
"""

from typing import Any

from scipy.sparse.linalg import norm

from chainrules.operations.sparse_patterns import fitted_to_pattern, inner
from chainrules.values.sparse import Sparse
from chainrules_core import NO_TANGENT, frule, primal_of, primitive, rrule, typeof_

_norm = primitive(norm)


@frule.dispatch
def norm_frule(tangents: Any, f: typeof_(norm), A: Sparse, *options: Any, **named: Any):
    if not _is_of_all_elements(*options, **named):
        return None
    A_dot = tangents[1]
    y = _norm(A)
    return y, inner(A, A_dot).real * _reciprocal(y)


@rrule.dispatch
def norm_rrule(f: typeof_(norm), A: Sparse, *options: Any, **named: Any):
    if not _is_of_all_elements(*options, **named):
        return None
    y = _norm(A)

    def norm_pullback(y_bar):
        A_bar = fitted_to_pattern(A, A * (y_bar * _reciprocal(y)))
        return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

    return y, norm_pullback


def _is_of_all_elements(ord: Any = None, axis: Any = None) -> bool:  # noqa: A002 - SciPy's name
    """Whether it is the Frobenius norm; others are made of sums of rows or columns, or of singular values."""
    return ord in (None, "fro", "f") and axis is None


def _reciprocal(y: Any) -> Any:
    return 1 / y if primal_of(y) != 0 else 0.0
