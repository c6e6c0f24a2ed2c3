"""What a remembered lookup is keyed by: types, dtypes and ranks, or nothing at all."""

import enum
import typing
from typing import Any

import plum

from chainrules_core.dispatch.parameters import is_union


class Memory(enum.IntEnum):
    """The things that decide between the methods of a table: the later ones cost more to remember."""

    BY_TYPE = enum.auto()
    """The types of the arguments: all annotations are faithful, in plum's word."""

    BY_ARRAY = enum.auto()
    """In addition the dtype and the number of axes of arrays: some annotation is `Array[...]`."""

    NEVER = enum.auto()
    """The values of the arguments: some annotation is, for example, `tuple[int, ...]` or a `Literal`."""

    def key(self, config: Any, leading: tuple[Any, ...], args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The key under which the answer for arguments of these types is remembered."""
        classes = (type(config), *map(type, leading), *map(type, args))
        if self is Memory.BY_TYPE:
            return classes
        return classes + tuple((getattr(x, "dtype", None), getattr(x, "ndim", None)) for x in args)


def memory_of(signature: plum.Signature) -> Memory:
    """How answers may be remembered where a method has this signature."""
    if signature.is_faithful:
        return Memory.BY_TYPE
    hints = [*signature.types, *([signature.varargs] if signature.has_varargs else [])]
    return max(map(_memory_of_hint, hints))


def _memory_of_hint(hint: Any) -> Memory:
    if plum.is_faithful(hint):
        return Memory.BY_TYPE
    if getattr(hint, "depends_only_on_dtype_and_ndim", False):
        return Memory.BY_ARRAY
    members = typing.get_args(hint) if is_union(hint) else ()
    return max(map(_memory_of_hint, members), default=Memory.NEVER)
