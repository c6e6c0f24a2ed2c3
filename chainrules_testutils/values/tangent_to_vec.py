"""Tangents along the coordinates of their primal: vectors beside the vectors of `to_vec`.

A tangent may leave fields out, hold zeros without a shape, and be natural where the primal is structured, so
its own `to_vec` need not be as long as its primal's. These vectors are.

The two forms of a structured array's tangent do not hold the same numbers as the forms of its cotangent:
where two elements are one number, a structural tangent has the tangent of that number, a structural cotangent
the sum of the cotangents of both elements. Their vectors are made from the natural form.
"""

from typing import Any

import numpy as np

from chainrules_core import (
    AbstractZero,
    Backing,
    DimensionMismatchError,
    NoTangent,
    NotImplementedTangent,
    StructuralTangent,
    Tangent,
    backing_kind,
    unthunk_fully,
)
from chainrules_core.structured import StructuredArray
from chainrules_testutils.values.natural_forms import natural_cotangent, natural_tangent
from chainrules_testutils.values.parts import is_sparse, parts, places_of_entries, with_parts
from chainrules_testutils.values.structured_arrays import as_coordinates, as_tangent
from chainrules_testutils.values.to_vec import RealVector, is_structure, to_vec


def cotangent_to_vec(x: Any, x_bar: Any) -> RealVector:
    """The cotangent `x_bar` of `x` as a vector of the length of ``to_vec(x)``; see `tangent_to_vec`."""
    return tangent_to_vec(x, natural_cotangent(x, x_bar))


def tangent_to_vec(x: Any, x_dot: Any) -> RealVector:
    """The tangent `x_dot` of `x` as a vector of the length of ``to_vec(x)``.

    Raises
    ------
    DimensionMismatchError
        If the tangent does not have the numbers that the primal has.
    DerivativeNotImplementedError
        If the tangent, or a part of it, is not implemented.
    """
    x_dot = unthunk_fully(x_dot)
    if isinstance(x_dot, NotImplementedTangent):
        raise x_dot.error()
    size = to_vec(x)[0].size
    if isinstance(x_dot, AbstractZero):
        return np.zeros(size)
    if _goes_by_parts(x, x_dot):
        return np.concatenate([np.empty(0), *(tangent_to_vec(*pair) for pair in _pairs(x, x_dot))])
    if isinstance(x, StructuredArray):
        x_dot = as_coordinates(x, natural_tangent(x, x_dot))
    elif isinstance(x_dot, StructuredArray):
        x_dot = x_dot.to_dense()  # a tangent of an ordinary array with few elements other than zero
    if is_sparse(x):
        x_dot = _at_entries_of(x, x_dot)
    if _is_complex(x) and not _is_complex(x_dot):
        x_dot = x_dot + 0j
    vec: RealVector = to_vec(x_dot)[0]
    if vec.size != size:
        raise DimensionMismatchError(
            f"a {type(x).__qualname__} with {size} real numbers cannot have as its tangent a "
            f"{type(x_dot).__qualname__} with {vec.size}.{_advice(x, x_dot)}"
        )
    return vec


def perturbable(x: Any, x_dot: Any) -> Any:
    """Which coordinates of ``to_vec(x)`` can be perturbed: `x_dot` is not `NoTangent` there."""
    size = to_vec(x)[0].size
    if isinstance(x_dot, NoTangent):
        return np.zeros(size, dtype=bool)
    if _goes_by_parts(x, x_dot):
        masks = [perturbable(field, field_dot) for field, field_dot in _pairs(x, x_dot)]
        return np.concatenate([np.zeros(0, dtype=bool), *masks])
    return np.ones(size, dtype=bool)


def tangent_from_vec(x: Any, like: Any, vec: RealVector) -> Any:
    """The tangent of `x` that a vector spells; `NoTangent` where the tangent `like` has it.

    Numbers and arrays for numbers and arrays, in double precision; ``Tangent[P]`` for values with fields;
    structured arrays for structured arrays.
    """
    if isinstance(like, NoTangent):
        return like
    if is_structure(x) or _is_object_array(x):
        pairs = _pairs(x, like)
        ends = np.cumsum([to_vec(part)[0].size for part, _ in pairs])[:-1]
        vecs = np.split(vec, ends)
        return structural_tangent(
            x, [tangent_from_vec(*pair, vec) for pair, vec in zip(pairs, vecs, strict=True)]
        )
    if isinstance(x, np.ndarray) and x.dtype.kind in "fciu":
        numbers = vec.view(np.complex128) if x.dtype.kind == "c" else vec
        return numbers.reshape(x.shape).copy()
    moved = to_vec(x)[1](vec)
    return as_tangent(moved) if isinstance(moved, StructuredArray) else moved


def structural_tangent(x: Any, tangents: list[Any]) -> Any:
    """The tangent of `x` that holds `tangents`, one for each of its parts: a ``Tangent[type(x)]``."""
    named = dict(zip(parts(x), tangents, strict=True))
    if _is_object_array(x):
        return with_parts(x, named)
    kind = backing_kind(type(x))
    tangent_type: Any = Tangent[type(x)]  # type: ignore[misc]  # a class made at run time
    if kind is Backing.POSITIONAL:
        return tangent_type(*tangents)
    return tangent_type(named) if kind is Backing.MAPPING else tangent_type(**named)


def _goes_by_parts(x: Any, x_dot: Any) -> bool:
    if _is_object_array(x):
        return isinstance(x_dot, np.ndarray) and x_dot.shape == x.shape
    return is_structure(x) and isinstance(x_dot, StructuralTangent)


def _pairs(x: Any, x_dot: Any) -> list[tuple[Any, Any]]:
    """The parts of a value, and the tangent of each."""
    if isinstance(x_dot, StructuralTangent | np.ndarray | AbstractZero):
        return [(part, x_dot[name]) for name, part in parts(x).items()]
    tangents = parts(x_dot)
    return [(part, tangents[name]) for name, part in parts(x).items()]


def _at_entries_of(x: Any, x_dot: Any) -> Any:
    """The elements of a tangent, sparse or dense, where the sparse array `x` has its entries."""
    entries, dense = x.tocoo(copy=True), x_dot.toarray() if is_sparse(x_dot) else np.asarray(x_dot)
    entries.sum_duplicates()  # the order of `to_vec`
    if dense.shape != x.shape:
        raise DimensionMismatchError(
            f"a sparse array of shape {x.shape} cannot have a tangent of {dense.shape}."
        )
    return dense[places_of_entries(entries)]


def _is_object_array(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "O"


def _advice(x: Any, x_dot: Any) -> str:
    if not _is_complex(x_dot) or _is_complex(x):
        return ""
    return " It is complex, and the other real: `ProjectTo(x)` takes the real part."


def _is_complex(x: Any) -> bool:
    return isinstance(x, complex) or getattr(getattr(x, "dtype", None), "kind", "") == "c"
