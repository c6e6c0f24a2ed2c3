"""Rules for the attributes of sparse arrays: `getattr` with the name of one.

The stored numbers, ``A.data``, are differentiable in the formats that have them in one array, if each
position is stored once and in order; their places are not.
"""

from typing import Any

from chainrules.operations.sparse_entries import gathered, number_of_entries, numbered, with_entries
from chainrules.values.sparse import Sparse
from chainrules_core import (
    NO_TANGENT,
    SPARSE_FORMATS,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    project_onto_pattern,
    rrule,
    typeof_,
)

_WITH_DATA = ("csr", "csc", "coo", "bsr", "dia")
_WITHOUT_TANGENT = ("indices", "indptr", "offsets", "coords", "row", "col", "nnz", "format", "blocksize")


@frule.dispatch(precedence=1)  # more specific than a rule for arrays of all kinds
def getattr_frule(tangents: Any, f: typeof_(getattr), A: Sparse, name: str):
    if name in _WITHOUT_TANGENT:
        return getattr(primal_of(A), name), NO_TANGENT
    if not _has_data(A, name):
        return None
    A_dot = tangents[1]
    y_dot = getattr(project_onto_pattern(A_dot, ProjectTo(A)), name)
    return getattr(A, name), y_dot


@rrule.dispatch(precedence=1)
def getattr_rrule(f: typeof_(getattr), A: Sparse, name: str):
    if name in _WITHOUT_TANGENT:
        return getattr(primal_of(A), name), lambda y_bar: (NO_TANGENT, NO_TANGENT, NO_TANGENT)
    if not _has_data(A, name):
        return None
    y = getattr(A, name)
    project = ProjectTo(A)

    def data_pullback(y_bar):
        if not isinstance(y_bar, AbstractZero):
            entries_bar = gathered(y, y_bar, numbered(A).data, number_of_entries(A))
            y_bar = with_entries(entries_bar, project)
        return NO_TANGENT, y_bar, NO_TANGENT

    return y, data_pullback


def _has_data(A: Any, name: str) -> bool:
    matrix = primal_of(A)
    is_stored = name == "data" and matrix.format in _WITH_DATA
    return is_stored and SPARSE_FORMATS[matrix.format].canonical(matrix) is matrix
