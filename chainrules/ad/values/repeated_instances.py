"""Instances of ordinary classes that hold themselves, or that another value holds at two places.

Tangents are trees. Were such an instance taken apart, the function would be given two instances in the place
of one, and the sum of a primal and its tangent would hold two as well.
"""

import sys
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from chainrules.ad.values.structures import Path, has_parts, holds, parts_of, spelled
from chainrules_core import is_attribute_holder


class Repeated(NamedTuple):
    """An instance that holds numbers, and that a value holds twice.

    Attributes
    ----------
    holder
        The value.
    instance
        The instance.
    first, again
        The paths from the value to the instance.
    """

    holder: Any
    instance: Any
    first: Path
    again: Path

    def __str__(self) -> str:
        """As in messages: ``a Model, whose `.encoder` and `.layers[1]` are one Layer``."""
        name, again = type(self.holder).__name__, spelled(self.holder, self.again)
        if self.instance is self.holder:
            return f"a {name}, whose `{again}` is itself"
        first = spelled(self.holder, self.first)
        return f"a {name}, whose `{first}` and `{again}` are one {type(self.instance).__name__}"


def is_instance(x: Any) -> bool:
    """Whether `x` is an instance of an ordinary class.

    A dataclass is a value, which may be held twice, and so is a linear operator of SciPy: ``A.T @ A``.
    """
    cls = x.__class__
    return (
        not hasattr(cls, "__dataclass_fields__") and is_attribute_holder(cls) and not is_operator(cls)
    )  # quicker in this order


def is_operator(cls: type) -> bool:
    """Whether instances of a class are SciPy's linear operators."""
    return issubclass(cls, getattr(sys.modules.get("scipy.sparse.linalg"), "LinearOperator", ()))


def repeated_instance(x: Any, is_number: Callable[[Any], bool]) -> Repeated | None:
    """An instance with numbers that `x` holds at two places; `None` if there is none."""
    found: dict[int, Path] = {}
    weak: list[tuple[Any, Path]] = []  # weak references to instances count too
    pending: list[tuple[Any, Path, tuple[int, ...]]] = [(x, (), ())]
    while pending:
        value, path, holders = pending.pop()
        if isinstance(value, weakref.ref):
            weak.append((value(), path))
        if is_number(value) or not has_parts(value):
            continue
        if is_instance(value):
            if id(value) not in found:
                found[id(value)] = path
            elif holds(value, is_number):
                return Repeated(x, value, found[id(value)], path)
            else:
                continue
        elif id(value) in holders:
            continue  # a container that holds itself is refused by whoever takes it apart
        holders = *holders, id(value)
        pending.extend((part, (*path, key), holders) for key, part in reversed([*parts_of(value).items()]))
    for value, path in weak:
        if id(value) in found and holds(value, is_number):
            return Repeated(x, value, found[id(value)], path)
    return None
