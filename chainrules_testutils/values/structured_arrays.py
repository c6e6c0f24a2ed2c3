"""Structured arrays: the free numbers of a matrix, and its tangents along them.

The vector of a matrix holds its coordinates in an orthonormal basis of its tangent space, with the inner
product of matrices. A number that stands for two elements, such as a number above the diagonal of a symmetric
matrix, is in the vector √2 times. So for two tangents, ``sum(vec_1 * vec_2)`` is the inner product of the
matrices, and finite differences along these coordinates find the natural cotangent: the gradient in the space
of matrices, not the gradient by the fields. Real and imaginary parts of elements that cannot change are left
out.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import AbstractZero, ProjectTo, StructuralTangent, field_names, zero_tangent
from chainrules_core.structured import (
    Banded,
    Hermitian,
    LowerTriangular,
    Mirrored,
    StructuredArray,
    SymTridiagonal,
    Triangular,
    UpperTriangular,
    triangle,
)
from chainrules_testutils.values.parts import is_sparse
from chainrules_testutils.values.to_vec import Back, RealVector, checked, to_vec

_TWICE = np.sqrt(2.0)


# --- Coordinates ---------------------------------------------------------------------------------


@to_vec.dispatch
def banded_to_vec(x: Banded) -> Any:
    """The stored diagonals, one after the other."""
    arrays = x.arrays()
    scales = [_TWICE if isinstance(x, SymTridiagonal) and place == 1 else 1.0 for place in range(len(arrays))]
    vecs, back_of_arrays = zip(*map(to_vec, arrays), strict=True)
    ends = np.cumsum([vec.size for vec in vecs])[:-1]

    def back(moved: RealVector) -> Any:
        new = (back(part) for back, part in zip(back_of_arrays, np.split(moved, ends), strict=True))
        return x.map_arrays(lambda _: next(new))

    return _scaled(np.concatenate(vecs), back, np.repeat(scales, [vec.size for vec in vecs]))


@to_vec.dispatch
def triangle_to_vec(x: Triangular | Mirrored) -> Any:
    """The triangle that is looked at."""
    on_diagonal, elements, with_elements = _looked_at(x)
    vec, back_of_elements = to_vec(elements)
    is_complex = elements.dtype.kind == "c"
    on_diagonal = np.repeat(on_diagonal, 2 if is_complex else 1)
    is_free = np.ones(vec.size, dtype=bool)
    if isinstance(x, Hermitian) and is_complex:
        is_free[1::2] = ~on_diagonal[1::2]
    scales = np.where(on_diagonal | isinstance(x, Triangular), 1.0, _TWICE)

    def back(moved: RealVector) -> Any:
        parts_of_elements = np.zeros(vec.size)
        parts_of_elements[is_free] = moved
        return x.map_arrays(lambda _: with_elements(back_of_elements(parts_of_elements)))

    return _scaled(vec[is_free], back, scales[is_free])


def _scaled(vec: RealVector, back: Back, scales: RealVector) -> tuple[RealVector, Back]:
    scaled = scales * vec

    def back_of_scaled(moved: RealVector) -> Any:
        # Where nothing has moved, no bit changes.
        return back(np.where(moved == scaled, vec, moved / scales))

    return scaled, checked(back_of_scaled, vec.size)


def _looked_at(x: Any) -> tuple[Any, Any, Callable[[Any], Any]]:
    """The elements that a triangular or symmetric matrix looks at, in three parts.

    Whether each is on the diagonal, the elements themselves, and the function that makes an array of others,
    with zeros elsewhere; of a sparse array the pattern stays.
    """
    if is_sparse(x.data):
        entries = x.data.tocoo(copy=True)
        entries.sum_duplicates()
        is_stored = _is_looked_at(x, entries.row, entries.col)

        def with_entries(elements: Any) -> Any:
            new = entries.copy()
            new.data = np.zeros(entries.data.shape, elements.dtype)
            new.data[is_stored] = elements
            return new.asformat(x.data.format)

        return (entries.row == entries.col)[is_stored], entries.data[is_stored], with_entries

    rows, columns = np.nonzero(_is_looked_at(x, *np.indices(x.shape)))

    def with_elements(elements: Any) -> Any:
        new = np.zeros(x.shape, elements.dtype)
        new[rows, columns] = elements
        return new

    return rows == columns, x.data[rows, columns], with_elements


def _is_looked_at(x: Any, rows: Any, columns: Any) -> Any:
    strictly = isinstance(x, Triangular) and x.has_unit_diagonal
    beyond = columns - rows if x.uplo == "U" else rows - columns
    return beyond >= (1 if strictly else 0)


# --- Tangents ------------------------------------------------------------------------------------


def as_coordinates(x: StructuredArray, x_dot: Any) -> StructuredArray:
    """A matrix of the kind of `x` with the coordinates of the tangent `x_dot`, natural or dense."""
    tangent = ProjectTo(x)(x_dot)
    if isinstance(x, Triangular | Mirrored):
        tangent = x.like(tangent.data if hasattr(tangent, "data") else tangent.to_dense())
    coordinates: StructuredArray = tangent.astype(x.dtype) if x.dtype.kind == "c" else tangent
    return coordinates


def as_tangent(moved: StructuredArray) -> StructuredArray:
    """The natural tangent with the coordinates of the matrix `moved`."""
    if not (isinstance(moved, Triangular) and moved.has_unit_diagonal):
        return moved
    kind = UpperTriangular if moved.uplo == "U" else LowerTriangular
    return kind(triangle(moved.data, moved.uplo, strictly=True))


def pushed_fields(x: StructuredArray, x_dot: StructuralTangent[Any]) -> Any:
    """The natural form of a structural tangent in forward mode, which holds the tangents of the fields."""
    fields = iter([x_dot[name] for name in field_names(x) if name != "uplo"])

    def moved(array: Any) -> Any:
        field = next(fields)
        return zero_tangent(array) if isinstance(field, AbstractZero) else field

    return as_tangent(x.map_arrays(moved))
