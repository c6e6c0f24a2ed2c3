"""Rules for the constructors of structured arrays.

Each element of the matrix is an element of one field, or zero: the cotangent of an element of a field is the
sum of the cotangents of the elements of the matrix that it became. Elements that the constructor does not
look at have the cotangent zero.
"""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primal_of, rrule, to_natural, typeof_
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    Hermitian,
    LowerTriangular,
    StructuredArray,
    Symmetric,
    SymTridiagonal,
    Tridiagonal,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
    triangle,
)


def _constructor_rules(kind: Any) -> None:
    @frule.dispatch
    def constructor_frule(tangents: Any, f: typeof_(kind), *values: Any):
        y = kind(*values)
        return y, _tangent_with_fields(
            kind, [_field_tangent(x, dot) for x, dot in zip(values, tangents[1:], strict=True)]
        )

    @rrule.dispatch
    def constructor_rrule(f: typeof_(kind), *values: Any):
        y = kind(*values)
        projects = [ProjectTo(x) for x in values]
        project = ProjectTo(y)

        def constructor_pullback(y_bar):
            y_bar = project(to_natural(primal_of(y), y_bar))
            bars = _field_cotangents(kind, y_bar, *values[1:])
            return NO_TANGENT, *(to_field(bar) for to_field, bar in zip(projects, bars, strict=False))

        return y, constructor_pullback


for _kind in (
    *(Diagonal, Bidiagonal, Tridiagonal, SymTridiagonal, Symmetric, Hermitian),
    *(UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular),
):
    _constructor_rules(_kind)


def _field_tangent(x: Any, dot: Any) -> Any:
    """The tangent of a field; `x` itself for `uplo`, which has none."""
    if isinstance(x, str):
        return x
    return np.zeros_like(x) if isinstance(dot, AbstractZero) else dot


def _tangent_with_fields(kind: Any, dots: list[Any]) -> Any:
    """The tangent whose fields are the tangents of the fields."""
    if kind is UnitUpperTriangular:
        return UpperTriangular(triangle(dots[0], "U", strictly=True))
    if kind is UnitLowerTriangular:
        return LowerTriangular(triangle(dots[0], "L", strictly=True))
    return kind(*dots)


def _field_cotangents(kind: Any, y_bar: Any, *options: Any) -> tuple[Any, ...]:
    """The cotangents of the fields, given a cotangent of the matrix in its tangent space."""
    if kind is Diagonal:
        return (np.diagonal(y_bar),)
    if kind is Bidiagonal:
        return np.diagonal(y_bar), np.diagonal(y_bar, 1 if options[1] == "U" else -1), NO_TANGENT
    if kind is Tridiagonal:
        return np.diagonal(y_bar, -1), np.diagonal(y_bar), np.diagonal(y_bar, 1)
    if kind is SymTridiagonal:
        return np.diagonal(y_bar), 2 * np.diagonal(y_bar, 1)
    if kind in (Symmetric, Hermitian):
        full, uplo = _all_elements(y_bar), options[0] if options else "U"
        return triangle(full, uplo) + triangle(full, uplo, strictly=True), NO_TANGENT
    return (_all_elements(y_bar),)


def _all_elements(x: Any) -> Any:
    return x.full() if isinstance(x, StructuredArray) else x
