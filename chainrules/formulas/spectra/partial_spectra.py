"""The derivatives of some eigenpairs, or singular triplets, of a large matrix: one sparse system for each.

For ``A v = λ M v`` with a Hermitian `M` and ``vᴴ M v = 1``, as ARPACK has it:

    [A - λM  -Mv] [v_dot]   [(λ M_dot - A_dot) v]
    [(Mv)ᴴ     0] [λ_dot] = [-vᴴ M_dot v / 2    ]

The system is regular where λ is simple, whatever the other eigenvalues are: they need not be known. In
reverse, with the adjoint system for ``[v_bar, λ_bar]`` and its solution ``[p, c]``: ``A_bar = -p vᴴ`` and
``M_bar = conj(λ) p vᴴ - conj(c) v vᴴ / 2``. For singular triplets the same with ``[[0, A], [Aᴴ, 0]]``. The
cotangent of a Hermitian matrix is the Hermitian part: the matrix cannot move in other directions.

R. B. Nelson, "Simplified calculation of eigenvector derivatives", AIAA Journal 14 (9), 1976; A. L. Andrew,
K.-W. E. Chu and P. Lancaster, "Derivatives of eigenvalues and eigenvectors of matrix functions", SIAM Journal
on Matrix Analysis and Applications 14 (4), 1993.
"""

from typing import Any

import numpy as np
import scipy.sparse

from chainrules.formulas.matrices.sparse_products import conjugate_transpose
from chainrules.operations.sparse_patterns import (
    conjugated,
    fitted_to_pattern,
    is_sparse_operand,
    sample_product,
    stored_in_full,
)
from chainrules.values.reductions import shape_of
from chainrules_core import AbstractZero, ProjectTo, primal_of, primitive

_join = primitive(scipy.sparse.block_array)

# A cotangent that turns vectors by more than this, in proportion to its size, depends on their phase.
_TURN = 1e-6

# Of a dense matrix with a smaller part of elements that are not zero, such as a tridiagonal one, the sparse
# factors take less time.
_FEW = 0.05


def push_pair(
    pair: tuple[Any, Any], matrices: tuple[Any, Any], tangents: tuple[Any, Any], is_hermitian: bool
) -> Any:
    """The tangents of an eigenvalue and its vector.

    Parameters
    ----------
    pair
        The eigenvalue, and its vector of shape ``(n,)``.
    matrices, tangents
        `A` and `M`, and their tangents, which may be zeros. `M` is `None` for the identity.
    is_hermitian
        Whether `A` is.
    """
    eigenvalue, v = pair
    A_dot, M_dot = tangents
    right, last = (0.0, 0.0)
    if not isinstance(A_dot, AbstractZero):
        right = right - A_dot @ v
    if not isinstance(M_dot, AbstractZero):
        M_dot_v = M_dot @ v
        right = right + eigenvalue * M_dot_v
        last = -np.vdot(v, M_dot_v) / 2
    solution = _solve(_bordered(pair, matrices), np.append(right, last))
    return (np.real(solution[-1]) if is_hermitian else solution[-1]), solution[:-1]


def pull_pair(
    pair: tuple[Any, Any], matrices: tuple[Any, Any], bars: tuple[Any, Any], is_hermitian: bool
) -> tuple[Any, Any]:
    """The cotangents of `A` and `M` (or `None`), for the cotangents of an eigenvalue and its vector.

    Raises
    ------
    ValueError
        If the cotangent of the vector depends on its phase, which is arbitrary.
    """
    eigenvalue, v = pair
    A, M = matrices
    value_bar, v_bar = bars
    if isinstance(v_bar, AbstractZero):
        v_bar = np.zeros_like(primal_of(v))
    if isinstance(value_bar, AbstractZero):
        value_bar = 0.0
    refuse_turns(primal_of(v), primal_of(v_bar))
    system = conjugate_transpose(_bordered(pair, matrices))
    solution = _solve(system, np.append(v_bar, value_bar))
    p, c = solution[:-1], solution[-1]
    A_bar = _outer(A, -p, v, is_hermitian)
    if M is None:
        return A_bar, None
    return A_bar, _outer(M, np.conjugate(eigenvalue) * p - v * (np.conjugate(c) / 2), v, True)


def _bordered(pair: tuple[Any, Any], matrices: tuple[Any, Any]) -> Any:
    eigenvalue, v = pair
    A, M = map(_without_constant_zeros, matrices)
    Mv = v if M is None else M @ v
    if not (is_sparse_operand(A) or is_sparse_operand(M)):
        identity = np.eye(len(primal_of(v)), dtype=primal_of(v).dtype)
        shifted = A - (identity if M is None else M) * eigenvalue
        return _dense([[shifted, -Mv[:, None]], [np.conjugate(Mv)[None], np.zeros((1, 1))]])
    if M is None:
        M = scipy.sparse.eye_array(len(v), format="csc", dtype=primal_of(v).dtype)
    return _join(
        [[_sparse(A) - _sparse(M) * eigenvalue, _column(-Mv)], [_row(np.conjugate(Mv)), None]], format="csc"
    )


def push_triplet(triplet: tuple[Any, Any, Any], A: Any, A_dot: Any) -> tuple[Any, Any, Any]:
    """The tangents of a left singular vector, the singular value, and the right vector."""
    u, _, v = triplet
    right = np.append(np.append(-(A_dot @ v), -(conjugate_transpose(A_dot) @ u)), 0.0)
    solution = _solve(_bordered_twice(triplet, A), right)
    n = shape_of(u)[0]
    return solution[:n], np.real(solution[-1]), solution[n:-1]


def pull_triplet(triplet: tuple[Any, Any, Any], A: Any, bars: tuple[Any, Any, Any]) -> Any:
    """The cotangent of the matrix, for the cotangents of a singular value and its vectors.

    Raises
    ------
    ValueError
        If the cotangents of the vectors depend on their common phase, which is arbitrary.
    """
    u, _, v = triplet
    vectors = np.append(u, v)
    u_bar, s_bar, v_bar = (
        np.zeros_like(primal_of(x)) if isinstance(bar, AbstractZero) else bar
        for x, bar in zip(triplet, bars, strict=True)
    )
    vectors_bar = np.append(u_bar, v_bar)
    refuse_turns(primal_of(vectors), primal_of(vectors_bar))
    solution = _solve(conjugate_transpose(_bordered_twice(triplet, A)), np.append(vectors_bar, s_bar))
    n = shape_of(u)[0]
    return _outer(A, -solution[:n], v, False) + _outer(A, -u, solution[n:-1], False)


def _bordered_twice(triplet: tuple[Any, Any, Any], A: Any) -> Any:
    u, s, v = triplet
    A = _without_constant_zeros(A)
    if not is_sparse_operand(A):
        left, right = (np.eye(shape_of(x)[0], dtype=primal_of(x).dtype) * -s for x in (u, v))
        last = np.conjugate(u)[None], np.conjugate(v)[None], np.zeros((1, 1))
        return _dense([[left, A, -u[:, None]], [conjugate_transpose(A), right, -v[:, None]], last])
    identities = [
        scipy.sparse.eye_array(shape_of(x)[0], format="csc", dtype=primal_of(x).dtype) for x in (u, v)
    ]
    return _join(
        [
            [identities[0] * -s, A, _column(-u)],
            [conjugate_transpose(A), identities[1] * -s, _column(-v)],
            [_row(np.conjugate(u)), _row(np.conjugate(v)), None],
        ],
        format="csc",
    )


def _outer(A: Any, x: Any, y: Any, is_hermitian: bool) -> Any:
    """``x yᴴ``, or its Hermitian part, on the pattern of `A`."""
    if is_hermitian:
        return (_outer(A, x, y, False) + _outer(A, y, x, False)) / 2
    if is_sparse_operand(A):
        return sample_product(x, conjugated(y), ProjectTo(A))
    return fitted_to_pattern(A, x[:, None] * conjugated(y))


def refuse_turns(v: Any, v_bar: Any) -> None:
    """Raise if a cotangent depends on the phase of a vector.

    Raises
    ------
    ValueError
        If it does: the phase is arbitrary.
    """
    if np.iscomplexobj(v) and abs(np.vdot(v, v_bar).imag) > _TURN * np.linalg.norm(v_bar) * np.linalg.norm(v):
        raise ValueError(
            "What is differentiated depends on the phases of eigenvectors or singular vectors, which are "
            "arbitrary. Compute with what they have in common, such as `abs(v)` or `v[:, None] * v.conj()`."
        )


def _solve(system: Any, right: Any) -> Any:
    if not is_sparse_operand(system):
        return np.linalg.solve(system, right)
    from scipy.sparse.linalg import spsolve  # noqa: PLC0415 - it takes long to import, and few need it

    return primitive(spsolve)(system, right)


def _without_constant_zeros(A: Any) -> Any:
    """A dense matrix of few elements as a sparse one; a traced one, whose zeros move, itself."""
    is_plain = isinstance(A, np.ndarray)
    return scipy.sparse.csc_array(A) if is_plain and np.count_nonzero(A) < _FEW * A.size else A


def _dense(blocks: Any) -> Any:
    return np.concatenate([np.concatenate(row, axis=1) for row in blocks])


def _sparse(A: Any) -> Any:
    return A if is_sparse_operand(A) else stored_in_full(A)


def _column(x: Any) -> Any:
    return stored_in_full(np.reshape(x, (-1, 1)))


def _row(x: Any) -> Any:
    return stored_in_full(np.reshape(x, (1, -1)))
