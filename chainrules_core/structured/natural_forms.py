"""The natural and the structural form of the cotangents of structured arrays."""

from typing import Any

from chainrules_core.fields import backing
from chainrules_core.structured.banded import Banded
from chainrules_core.structured.bidiagonal import Bidiagonal
from chainrules_core.structured.diagonal import Diagonal
from chainrules_core.structured.parents import triangle
from chainrules_core.structured.symmetric import Hermitian, Mirrored, Symmetric
from chainrules_core.structured.triangular import (
    LowerTriangular,
    Triangular,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
)
from chainrules_core.structured.tridiagonal import SymTridiagonal, Tridiagonal
from chainrules_core.structured.uniform_scaling import UniformScaling
from chainrules_core.tangent_spaces.natural_tangents import to_natural, to_structural
from chainrules_core.tangent_spaces.projection import ProjectTo
from chainrules_core.tangent_spaces.zero_tangent import zero_tangent
from chainrules_core.tangents.abstract_zero import AbstractZero, NoTangent
from chainrules_core.tangents.structural_tangent import Tangent

# --- Natural to structural: a number that stands for two elements has the cotangents of both ----------


def _structural(x: Any, fields: dict[str, Any]) -> Any:
    which = {"uplo": NoTangent()} if "uplo" in backing(x) else {}
    tangent_class: Any = Tangent[type(x)]  # type: ignore[misc] # made at run time
    return tangent_class(**fields, **which)


@to_structural.dispatch
def structural_of_banded(x: Banded, x_bar: object) -> Any:
    """The diagonals of the matrix."""
    natural = ProjectTo(x)(x_bar)
    if isinstance(natural, AbstractZero):
        return natural
    fields = {name: field for name, field in backing(natural).items() if name != "uplo"}
    if isinstance(x, SymTridiagonal):
        fields["ev"] = 2 * fields["ev"]
    return _structural(x, fields)


@to_structural.dispatch
def structural_of_triangular(x: Triangular, x_bar: object) -> Any:
    """The triangle that is stored."""
    natural = ProjectTo(x)(x_bar)
    return natural if isinstance(natural, AbstractZero) else _structural(x, {"data": natural.full()})


@to_structural.dispatch
def structural_of_symmetric(x: Mirrored, x_bar: object) -> Any:
    """The triangle that is stored, plus the mirror image of the other one."""
    natural = ProjectTo(x)(x_bar)
    if isinstance(natural, AbstractZero):
        return natural
    full = natural.full()
    return _structural(x, {"data": triangle(full, x.uplo) + triangle(full, x.uplo, strictly=True)})


@to_structural.dispatch
def structural_of_scaling(x: UniformScaling, x_bar: object) -> Any:
    """The number."""
    natural = ProjectTo(x)(x_bar)
    return natural if isinstance(natural, AbstractZero) else _structural(x, {"factor": natural.factor})


# --- Structural to natural: the elements go where the fields are read, and are projected from there ---


def _given(x: Any, x_bar: Any, name: str) -> Any:
    field = getattr(x_bar, name)
    return zero_tangent(getattr(x, name)) if isinstance(field, AbstractZero) else field


@to_natural.dispatch
def natural_of_diagonal(x: Diagonal, x_bar: Tangent[Diagonal]) -> Any:
    """The matrix with this diagonal."""
    return ProjectTo(x)(Diagonal(_given(x, x_bar, "diag")))


@to_natural.dispatch
def natural_of_bidiagonal(x: Bidiagonal, x_bar: Tangent[Bidiagonal]) -> Any:
    """The matrix with these diagonals."""
    return ProjectTo(x)(Bidiagonal(_given(x, x_bar, "dv"), _given(x, x_bar, "ev"), x.uplo))


@to_natural.dispatch
def natural_of_tridiagonal(x: Tridiagonal, x_bar: Tangent[Tridiagonal]) -> Any:
    """The matrix with these diagonals."""
    return ProjectTo(x)(Tridiagonal(*[_given(x, x_bar, name) for name in ("dl", "d", "du")]))


@to_natural.dispatch
def natural_of_sym_tridiagonal(x: SymTridiagonal, x_bar: Tangent[SymTridiagonal]) -> Any:
    """The matrix with this main diagonal, and half of the others."""
    return ProjectTo(x)(Bidiagonal(_given(x, x_bar, "dv"), _given(x, x_bar, "ev"), "U"))


def _natural_of_triangle(x: Any, x_bar: Any) -> Any:
    strictly = isinstance(x, Triangular) and x.has_unit_diagonal
    return ProjectTo(x)(triangle(_given(x, x_bar, "data"), x.uplo, strictly=strictly))


@to_natural.dispatch
def natural_of_upper(x: UpperTriangular, x_bar: Tangent[UpperTriangular]) -> Any:
    """The triangle of the array."""
    return _natural_of_triangle(x, x_bar)


@to_natural.dispatch
def natural_of_lower(x: LowerTriangular, x_bar: Tangent[LowerTriangular]) -> Any:
    """The triangle of the array."""
    return _natural_of_triangle(x, x_bar)


@to_natural.dispatch
def natural_of_unit_upper(x: UnitUpperTriangular, x_bar: Tangent[UnitUpperTriangular]) -> Any:
    """The triangle of the array, without its diagonal."""
    return _natural_of_triangle(x, x_bar)


@to_natural.dispatch
def natural_of_unit_lower(x: UnitLowerTriangular, x_bar: Tangent[UnitLowerTriangular]) -> Any:
    """The triangle of the array, without its diagonal."""
    return _natural_of_triangle(x, x_bar)


@to_natural.dispatch
def natural_of_symmetric(x: Symmetric, x_bar: Tangent[Symmetric]) -> Any:
    """The mean of the triangle of the array and its mirror image."""
    return _natural_of_triangle(x, x_bar)


@to_natural.dispatch
def natural_of_hermitian(x: Hermitian, x_bar: Tangent[Hermitian]) -> Any:
    """The mean of the triangle of the array and its mirror image."""
    return _natural_of_triangle(x, x_bar)


@to_natural.dispatch
def natural_of_scaling(x: UniformScaling, x_bar: Tangent[UniformScaling]) -> Any:
    """The multiple of the identity."""
    return ProjectTo(x)(UniformScaling(_given(x, x_bar, "factor")))
