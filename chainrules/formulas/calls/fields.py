"""Reading a field of an object: both modes. In reverse, the other fields of the object have no cotangent."""

from collections.abc import Callable
from typing import Any

from chainrules_core import (
    NO_TANGENT,
    NoTangent,
    NoTangentProjector,
    ProjectTo,
    StructuralTangent,
    Tangent,
    field_names,
    primal_of,
)


def push_field(x: Any, name: str, x_dot: Any) -> tuple[Any, Any] | None:
    """The field `name` of `x`, and its tangent, from the tangent of `x`; `None` if there is no such field."""
    if name not in field_names(primal_of(x)):
        return None
    y = getattr(x, name)
    y_dot = x_dot[name] if isinstance(x_dot, StructuralTangent) else getattr(x_dot, name)
    return y, NO_TANGENT if isinstance(ProjectTo(y), NoTangentProjector) else y_dot


def pull_field(x: Any, name: str) -> tuple[Any, Callable[[Any], Any]] | None:
    """The field `name` of `x`, and the function from its cotangent to the cotangent of `x`; or `None`."""
    if name not in field_names(primal_of(x)):
        return None
    y = getattr(x, name)
    project = ProjectTo(y)

    def field_pullback(y_bar: Any) -> Any:
        y_bar = project(y_bar)
        tangent_class: Any = Tangent[type(primal_of(x))]  # type: ignore[misc]  # made at run time
        return y_bar if isinstance(y_bar, NoTangent) else tangent_class(**{name: y_bar})

    return y, field_pullback
