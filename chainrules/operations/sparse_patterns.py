"""Elements of products and of cotangents at the places where a sparse array stores entries, and nowhere else.

These functions are linear, or linear in each factor, and their rules are made of themselves and of products:
so the rules of sparse arrays can be differentiated, any number of times, in memory that is linear in the
number of entries.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse

from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    SparseArray,
    SparseProjector,
    entries_at,
    frule,
    primal_of,
    primitive,
    project_onto_pattern,
    rrule,
    thunk,
    typeof_,
)

# How many numbers a step may expand to, however few are stored.
_AT_LEAST = 2**16


def is_sparse_operand(x: Any) -> bool:
    """Whether `x` is one of SciPy's sparse arrays, or a carrier of one."""
    return isinstance(primal_of(x), SparseArray)


def fitted_to_pattern(x: Any, x_bar: Any) -> Any:
    """Bring a cotangent into the tangent space of `x`, sparse or not; of carriers too."""
    project = ProjectTo(x)
    if isinstance(project, SparseProjector):
        return project_onto_pattern(x_bar, project)
    # A sum, since that has a rule, and is dense.
    return project(x_bar + np.zeros_like(primal_of(x)) if is_sparse_operand(x_bar) else x_bar)


def stored_in_full(x: Any) -> Any:
    """A dense matrix as a sparse one that stores each of its elements: a zero moves as any other one does."""
    m, n = np.shape(x)
    elements = np.reshape(np.transpose(x), (-1,))
    return _in_csc((elements, np.tile(np.arange(m), n), m * np.arange(n + 1)), shape=(m, n))


_in_csc = primitive(scipy.sparse.csc_array)


# --- The elements of an array --------------------------------------------------------------------


@frule.dispatch
def sample_frule(
    tangents: Any, f: typeof_(project_onto_pattern), x: ArrayOperand, project: SparseProjector
) -> tuple[Any, Any]:
    """The projection of the tangent."""
    return project_onto_pattern(x, project), project_onto_pattern(tangents[1], project)


@rrule.dispatch
def sample_rrule(
    f: typeof_(project_onto_pattern), x: ArrayOperand, project: SparseProjector
) -> tuple[Any, Any]:
    """The cotangent, in the form of the cotangents of `x`."""

    def sample_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, fitted_to_pattern(x, y_bar), NO_TANGENT

    return project_onto_pattern(x, project), sample_pullback


# --- The inner product -----------------------------------------------------------------------------


@primitive
def inner(A: Any, B: Any) -> Any:
    """The sum of ``conj(A) * B``, element by element, of two sparse arrays of one shape."""
    return A.conjugate().multiply(B).sum()


@frule.dispatch
def inner_frule(tangents: Any, f: typeof_(inner), A: SparseArray, B: SparseArray) -> tuple[Any, Any]:
    """The product rule."""
    _, A_dot, B_dot = tangents
    terms = [
        inner(*pair)
        for pair, dot in (((A_dot, B), A_dot), ((A, B_dot), B_dot))
        if not isinstance(dot, AbstractZero)
    ]
    return inner(A, B), sum(terms[1:], start=terms[0]) if terms else NO_TANGENT


@rrule.dispatch
def inner_rrule(f: typeof_(inner), A: SparseArray, B: SparseArray) -> tuple[Any, Any]:
    """Each is the other, scaled: on its own pattern."""

    def inner_pullback(y_bar: Any) -> Any:
        A_bar = thunk(lambda: fitted_to_pattern(A, B * np.conjugate(y_bar)))
        return NO_TANGENT, A_bar, thunk(lambda: fitted_to_pattern(B, A * y_bar))

    return inner(A, B), inner_pullback


# --- The elements of a product -------------------------------------------------------------------


@primitive
def sample_product(U: Any, V: Any, project: Any) -> Any:
    """``U @ V.T`` on a pattern, for matrices, or the outer product of vectors.

    Parameters
    ----------
    U, V
        Matrices of shapes ``(n, k)`` and ``(m, k)``, each dense or sparse; or two vectors, ``(n,)`` and
        ``(m,)``.
    project
        The projector of a sparse array of shape ``(n, m)``.

    Returns
    -------
    sparse array
        An array of the class, the dtype and the pattern that `project` projects onto. Memory is linear in the
        numbers that it and the factors store; time is linear in the number of products that its entries are
        sums of.
    """
    if isinstance(V, SparseArray):
        entries = _expanded(U, V, *project.position)
    elif isinstance(U, SparseArray):
        entries = _expanded(V, U, *reversed(project.position))
    elif V.ndim == 1:
        entries = _products_of_vectors(U, V, project)
    else:
        entries = _products_of_rows(U, V, *project.position)
    return project(project.with_entries(entries))


@frule.dispatch
def sample_product_frule(
    tangents: Any, f: typeof_(sample_product), U: ArrayOperand, V: ArrayOperand, project: SparseProjector
) -> tuple[Any, Any]:
    """The product rule."""
    _, U_dot, V_dot, _ = tangents
    terms = [
        sample_product(*factors, project)
        for factors, dot in (((U_dot, V), U_dot), ((U, V_dot), V_dot))
        if not isinstance(dot, AbstractZero)
    ]
    return sample_product(U, V, project), sum(terms[1:], start=terms[0]) if terms else NO_TANGENT


@rrule.dispatch
def sample_product_rrule(
    f: typeof_(sample_product), U: ArrayOperand, V: ArrayOperand, project: SparseProjector
) -> tuple[Any, Any]:
    """The cotangent is on the pattern, and is multiplied by the other factor."""

    def sample_product_pullback(y_bar: Any) -> Any:
        y_bar = project_onto_pattern(y_bar, project)

        @thunk
        def U_bar() -> Any:  # noqa: N802 - the cotangent of a matrix
            return fitted_to_pattern(U, y_bar @ conjugated(V))

        @thunk
        def V_bar() -> Any:  # noqa: N802 - likewise
            return fitted_to_pattern(V, np.transpose(y_bar) @ conjugated(U))

        return NO_TANGENT, U_bar, V_bar, NO_TANGENT

    return sample_product(U, V, project), sample_product_pullback


def conjugated(A: Any) -> Any:
    """The complex conjugate; a real array itself."""
    return np.conjugate(A) if primal_of(A).dtype.kind == "c" else A


# --- How -----------------------------------------------------------------------------------------


def _products_of_vectors(u: Any, v: Any, project: SparseProjector) -> Any:
    # Repeating along the compressed axis is quicker than indexing with the rows, or the columns.
    if project.format in ("csr", "csc"):
        indices, indptr = project.pattern
        compressed, other = (u, v) if project.format == "csr" else (v, u)
        x, y = np.repeat(compressed, np.diff(indptr)), other[indices]
    else:
        i, j = project.position
        x, y = u[i], v[j]
    # In memory that is there already, where the product fits into it.
    return np.multiply(x, y, out=x) if x.dtype == y.dtype else x * y


def _products_of_rows(U: Any, V: Any, i: Any, j: Any) -> Any:
    """The inner product of row `i` of `U` and row `j` of `V`, for each of these pairs."""
    entries = np.zeros(i.size, np.result_type(U, V))
    step = max(1, max(U.size + V.size, _AT_LEAST) // max(i.size, 1))
    for start in range(0, U.shape[1], step):
        columns = slice(start, start + step)
        entries += np.einsum("ek,ek->e", U[:, columns][i], V[:, columns][j])
    return entries


def _expanded(U: Any, V: Any, i: Any, j: Any) -> Any:
    """As `_products_of_rows`, for a sparse `V`: one product for each entry in the rows of `V`."""
    V = V.tocsr()
    entries = np.zeros(i.size, np.result_type(U.dtype, V.dtype))
    lengths = np.diff(V.indptr)[j]
    for part in _chunks(lengths, max(V.nnz, i.size, _AT_LEAST)):
        length = lengths[part]
        pair = np.repeat(np.arange(length.size), length)
        before = np.cumsum(length) - length
        place = np.arange(pair.size) + np.repeat(V.indptr[j[part]] - before, length)
        at = i[part][pair], V.indices[place]
        of_U = entries_at(U, at) if isinstance(U, SparseArray) else U[at]
        np.add.at(entries[part], pair, of_U * V.data[place])
    return entries


def _chunks(lengths: Any, at_once: int) -> Iterator[slice]:
    """Consecutive parts, each as long as fits into `at_once`, and at least one element."""
    ends = np.cumsum(lengths)
    start = 0
    while start < lengths.size:
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + at_once, side="right")))
        yield slice(start, stop)
        start = stop
