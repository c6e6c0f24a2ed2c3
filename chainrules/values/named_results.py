"""Functions with several results, such as NumPy's decompositions: their tangents, and parts of cotangents."""

from typing import Any

from chainrules_core import AbstractZero, StructuralTangent, Tangent, backing


def results_like(y: Any, *parts: Any) -> Any:
    """Results in the container of `y`: a tuple, a named one too, or the list that SciPy has for stacks."""
    return type(y)(*parts) if hasattr(y, "_fields") else type(y)(parts)


def tangent_of_results(y: tuple[Any, ...] | list[Any], *parts: Any) -> Any:
    """The tangent of the tuple or list `y`, with these parts, under the names that `y` has for them."""
    kind: Any = Tangent[type(y)]  # type: ignore[misc] # made at run time
    return kind(**dict(zip(y._fields, parts, strict=True))) if hasattr(y, "_fields") else kind(*parts)


def cotangents_of_results(y: tuple[Any, ...] | list[Any], y_bar: Any) -> tuple[Any, ...]:
    """The cotangents of the parts of `y`.

    Parameters
    ----------
    y
        The results; SciPy returns those of stacks in a list.
    y_bar
        Their cotangent: a `Tangent`, by name or by position; a tuple, a named one too; or a zero. Any part
        may be a zero.
    """
    if isinstance(y_bar, AbstractZero):
        return tuple(y_bar for _ in y)
    if isinstance(y_bar, StructuralTangent) and not isinstance(backing(y_bar), tuple):
        return tuple(getattr(y_bar, name) for name in getattr(y, "_fields", ()))
    return tuple(y_bar)
