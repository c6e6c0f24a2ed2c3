"""The forms in which a cotangent may reach a pullback: with zeros in its fields, natural."""

from collections.abc import Iterator
from typing import Any

from chainrules_core import (
    AbstractZero,
    StructuralTangent,
    ZeroTangent,
    backing,
    describe_value,
    primal_type,
    scale_tangent,
)
from chainrules_testutils.values.natural_forms import structural_cotangent
from chainrules_testutils.values.parts import parts
from chainrules_testutils.values.tangent_to_vec import structural_tangent, tangent_to_vec
from chainrules_testutils.values.to_vec import is_structure, to_vec


def with_zero_fields(y: Any, y_bar: Any) -> Iterator[tuple[str, Any, Any]]:
    """For each field of a structural cotangent two that are equal: zeros and `ZeroTangent()` there.

    An AD system passes the second where nothing depends on the field.

    Yields
    ------
    name
        The name of the field in messages.
    explicit, implicit
        The two cotangents.
    """
    if not (isinstance(y_bar, StructuralTangent) and is_structure(y)):
        return
    fields = {name: y_bar[name] for name in parts(y)}
    for name, field_bar in fields.items():
        if not isinstance(field_bar, AbstractZero):
            explicit, implicit = (
                structural_tangent(y, list({**fields, name: zero}.values()))
                for zero in (scale_tangent(0.0, field_bar), ZeroTangent())
            )
            yield f"field {name}" if isinstance(backing(y_bar), dict) else f"item {name}", explicit, implicit


def other_form(y: Any, y_bar: Any) -> tuple[str, Any]:
    """The name of the check that pulls back the other form of a cotangent, and that form or `None`."""
    structural = structural_cotangent(y, y_bar)
    if structural is not None:
        return "pulling back a structural cotangent", structural
    return "pulling back a natural cotangent", natural(y, y_bar)


def form_advice(y_bar: Any) -> str:
    """Advice for a pullback that takes a cotangent with parts for something else; empty for others."""
    if not isinstance(y_bar, StructuralTangent):
        return ""
    fields = backing(y_bar)
    if not isinstance(fields, dict):
        part = "y_bar[0]"
    else:
        name = next(iter(fields), "name")
        part = f"y_bar[{name!r}]" if issubclass(primal_type(y_bar), dict) else f"y_bar.{name}"
    return (
        f"It was given a {describe_value(y_bar)}, the cotangent of a result with parts: take these, `{part}`."
    )


def natural(y: Any, y_bar: Any) -> Any:
    """The cotangent as a value like `y`; `None` unless `y` has fields and can be added, like a vector.

    A class whose values can be added may be its own tangent space, and then AD systems accumulate its values
    as cotangents. Containers are not: adding them is concatenation. Nor are matrices that store a part
    of their elements: their natural cotangents are for all elements, with other numbers than structural ones,
    which only `to_natural` knows.
    """
    is_vector = hasattr(type(y), "__add__") and not (
        isinstance(y, tuple | list | dict) or hasattr(y, "shape")
    )
    if not (is_vector and is_structure(y) and isinstance(y_bar, StructuralTangent)):
        return None
    return to_vec(y)[1](tangent_to_vec(y, y_bar))
