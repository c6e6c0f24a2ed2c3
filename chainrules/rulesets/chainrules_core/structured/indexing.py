"""Rules for the elements of structured arrays, by `operator.getitem`.

The cotangent of elements is a matrix that is zero elsewhere, projected onto the kind of the array.
"""

import operator
from typing import Any

import numpy as np

from chainrules.formulas.matrices.structured_diagonals import with_one_diagonal
from chainrules.operations.scatter import scatter
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, rrule, thunk, typeof_
from chainrules_core.structured import Banded, StructuredArray


@frule.dispatch
def getitem_frule(tangents: Any, f: typeof_(operator.getitem), A: StructuredArray, index: Any):
    return A[index], tangents[1][index]


@rrule.dispatch
def getitem_rrule(f: typeof_(operator.getitem), A: StructuredArray, index: Any):
    y = A[index]
    project_y, project_A = ProjectTo(y), ProjectTo(A)
    matrix = primal_of(A)

    def getitem_pullback(y_bar):
        y_bar = project_y(y_bar)
        return NO_TANGENT, thunk(lambda: project_A(_with_elements(matrix, index, y_bar))), NO_TANGENT

    return y, getitem_pullback


def _with_elements(A: Any, index: Any, y_bar: Any) -> Any:
    """A matrix in the shape of `A` with these elements."""
    if not (isinstance(A, Banded) and _is_one_element(index)):
        like = np.broadcast_to(A.dtype.type(0), A.shape)
        return scatter(y_bar, like, index)
    # No more memory than the matrix takes.
    row, column = (operator.index(i) % len(A) for i in index)
    diagonal = scatter(y_bar, A.diagonal(column - row), min(row, column))
    return with_one_diagonal(A, diagonal, column - row)


def _is_one_element(index: Any) -> bool:
    return isinstance(index, tuple) and len(index) == 2 and all(hasattr(i, "__index__") for i in index)
