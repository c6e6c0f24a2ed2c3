"""Results that hold named tuples and dataclasses of the user's, and tangents of such objects."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.recording.signature import is_named_tuple, is_record, with_fields
from chainrules_core import StructuralTangent


def in_containers(x: Any) -> tuple[Any, Callable[[Any], Any] | None]:
    """A result with a tuple or a dict in the place of each of these, and what makes them anew.

    Parameters
    ----------
    x
        What a program returns.

    Returns
    -------
    held
        The same in built-in containers.
    make
        A function of such a result that returns what the program does; `None` if there are none of these.
    """
    cls = type(x)
    if isinstance(x, StructuralTangent):
        held, inner = in_containers(x.__tangent_backing__)
        return held, lambda y: cls.__tangent_from__(y if inner is None else inner(y))
    if is_record(x):
        held, inner = in_containers(dict(vars(x)))
        return held, lambda y: with_fields(cls, y if inner is None else inner(y))
    if is_named_tuple(cls):
        held, inner = in_containers(tuple(x))
        return held, lambda y: cls(*(y if inner is None else inner(y)))
    if cls in (tuple, list):
        parts = [in_containers(part) for part in x]
        makers = [make or _itself for _, make in parts]
        held = cls(part for part, _ in parts)
        is_plain = all(make is None for _, make in parts)
        return held, None if is_plain else lambda y: cls(f(part) for f, part in zip(makers, y, strict=True))
    if cls is dict:
        values, make = in_containers([*x.values()])
        held = dict(zip(x, values, strict=True))
        return held, None if make is None else lambda y: dict(zip(y, make([*y.values()]), strict=True))
    return x, None


def _itself(x: Any) -> Any:
    return x
