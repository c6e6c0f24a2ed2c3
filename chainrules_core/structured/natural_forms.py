"""The natural and the structural form of the cotangents of structured arrays."""

from collections.abc import Callable
from typing import Any

from plum import Signature

from chainrules_core.fields import backing, field_names
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


def _natural_of_fields(x: Any, x_bar: Any) -> Any:
    """The matrix with these diagonals, or the multiple of the identity by this number."""
    fields = {name: x.uplo if name == "uplo" else _given(x, x_bar, name) for name in field_names(x)}
    return ProjectTo(x)(type(x)(**fields))


def _natural_of_sym_tridiagonal(x: Any, x_bar: Any) -> Any:
    """The matrix with this main diagonal, and half of the others."""
    return ProjectTo(x)(Bidiagonal(_given(x, x_bar, "dv"), _given(x, x_bar, "ev"), "U"))


def _natural_of_triangle(x: Any, x_bar: Any) -> Any:
    """The triangle of the array; of a symmetric matrix the mean of that and its mirror image."""
    strictly = isinstance(x, Triangular) and x.has_unit_diagonal
    return ProjectTo(x)(triangle(_given(x, x_bar, "data"), x.uplo, strictly=strictly))


_NATURAL: dict[Callable[..., Any], tuple[type[Any], ...]] = {
    _natural_of_fields: (Diagonal, Bidiagonal, Tridiagonal, UniformScaling),
    _natural_of_sym_tridiagonal: (SymTridiagonal,),
    _natural_of_triangle: (
        *(UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular),
        *(Symmetric, Hermitian),
    ),
}
for _function, _kinds in _NATURAL.items():
    for _kind in _kinds:
        # One method for each kind, since the structural tangent has to be of the primal's very class.
        to_natural.register(_function, signature=Signature(_kind, Tangent[_kind]))  # type: ignore[valid-type]  # made at run time
