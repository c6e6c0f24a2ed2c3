"""Tangents along the coordinates of their primal: the vectors that stand beside those of `to_vec`.

A tangent may leave fields out, hold zeros without a shape, and be natural where the primal is structured, so
its own `to_vec` need not be as long as its primal's. These vectors are.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import (
    AbstractThunk,
    AbstractZero,
    DimensionMismatchError,
    NotImplementedTangent,
    NoTangent,
    StructuralTangent,
    Tangent,
    unthunk,
)
from chainrules_core.fields import Backing, backing, backing_kind, field_names
from chainrules_testutils.to_vec import Vector, is_structure, to_vec


def tangent_to_vec(x: Any, x_dot: Any) -> Vector:
    """The tangent `x_dot` of `x` as a vector of the length of ``to_vec(x)``.

    Raises
    ------
    DimensionMismatchError
        If the tangent does not have the numbers that the primal has.
    DerivativeNotImplementedError
        If the tangent, or a part of it, is not implemented.
    """
    while isinstance(x_dot, AbstractThunk):
        x_dot = unthunk(x_dot)
    if isinstance(x_dot, NotImplementedTangent):
        raise x_dot.error()
    size = to_vec(x)[0].size
    if isinstance(x_dot, AbstractZero):
        return np.zeros(size)
    if is_structure(x) and isinstance(x_dot, StructuralTangent):
        return _concatenated(tangent_to_vec(field, field_dot) for field, field_dot in _pairs(x, x_dot))
    if isinstance(x, np.ndarray) and x.dtype.kind == "O":
        items_dot = np.broadcast_to(np.asarray(x_dot, dtype=object), x.shape).flat
        return _concatenated(map(tangent_to_vec, x.flat, items_dot))
    if _is_complex(x) and not _is_complex(x_dot):
        x_dot = x_dot + 0j
    vec: Vector = to_vec(x_dot)[0]
    if vec.size != size:
        raise DimensionMismatchError(
            f"a value with {size} real numbers ({type(x).__qualname__}) cannot have a tangent with {vec.size} "
            f"({type(x_dot).__qualname__})."
        )
    return vec


def perturbable(x: Any, x_dot: Any) -> Any:
    """Which coordinates of ``to_vec(x)`` can be perturbed: those where the tangent `x_dot` is not `NoTangent`."""
    size = to_vec(x)[0].size
    if isinstance(x_dot, NoTangent):
        return np.zeros(size, dtype=bool)
    if is_structure(x) and isinstance(x_dot, StructuralTangent):
        masks = [perturbable(field, field_dot) for field, field_dot in _pairs(x, x_dot)]
        return np.concatenate([np.zeros(0, dtype=bool), *masks])
    return np.ones(size, dtype=bool)


def tangent_from_vec(x: Any, vec: Vector, like: Any) -> Any:
    """The tangent of `x` that a vector spells; `NoTangent` where the tangent `like` is that.

    Numbers and arrays for numbers and arrays, in double precision; ``Tangent[P]`` for values with fields.
    """
    if isinstance(like, NoTangent):
        return like
    if is_structure(x):
        ends = np.cumsum([0, *(to_vec(field)[0].size for field, _ in _pairs(x, like))])
        parts = [
            tangent_from_vec(field, vec[start:end], field_like)
            for (field, field_like), start, end in zip(_pairs(x, like), ends, ends[1:], strict=False)
        ]
        return structural_tangent(x, parts)
    if isinstance(x, np.ndarray) and x.dtype.kind in "fciu":
        numbers = vec.view(np.complex128) if x.dtype.kind == "c" else vec
        return numbers.reshape(x.shape).copy()
    return to_vec(x)[1](vec)


def structural_tangent(x: Any, parts: list[Any]) -> Any:
    """The ``Tangent[type(x)]`` that holds `parts`, one for each of the fields of `x`."""
    kind, tangent_type = backing_kind(type(x)), Tangent[type(x)]
    if kind is Backing.POSITIONAL:
        return tangent_type(*parts)
    fields = dict(zip(field_names(x), parts, strict=True))
    return tangent_type(fields) if kind is Backing.MAPPING else tangent_type(**fields)


def _pairs(x: Any, x_dot: Any) -> list[tuple[Any, Any]]:
    """The fields of a structured value, and the tangent of each."""
    fields = backing(x)
    field_dot: Callable[[Any], Any] = (lambda _: x_dot) if isinstance(x_dot, AbstractZero) else x_dot.__getitem__
    return [(fields[name], field_dot(name)) for name in field_names(x)]


def _concatenated(vecs: Any) -> Vector:
    return np.concatenate([np.empty(0), *vecs])


def _is_complex(x: Any) -> bool:
    return isinstance(x, complex | np.complexfloating) or getattr(getattr(x, "dtype", None), "kind", "") == "c"
