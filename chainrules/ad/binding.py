"""Closures kept as they are, for a later call: their variables may be assigned again meanwhile."""

import functools
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.structures import has_parts, parts_of, with_parts
from chainrules_core import backing, reconstruct

# Functions are looked for in these, and in dataclasses. Lists and dicts are shared with the program.
_LOOKED_INTO = (types.FunctionType, types.MethodType, functools.partial, tuple)


class Bound:
    """A function, to be called again with the variables that it sees now.

    Parameters
    ----------
    f
        A function, closure, partial, bound method or callable dataclass.
    """

    __slots__ = ("_f", "_seen", "_with_cells_of_its_own")

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f
        self._seen: list[tuple[types.CellType, Any]] = []
        self._with_cells_of_its_own = self._bound(f, {})

    def current(self) -> Callable[..., Any]:
        """The function itself while it sees the same variables; else one like it that sees the old ones."""
        is_same = all(_contents(cell) is contents for cell, contents in self._seen)
        return self._f if is_same else self._with_cells_of_its_own

    def _bound(self, x: Any, memo: dict[int, Any]) -> Any:
        """`x` with a copy of each closure in it, whose cells nobody else assigns to."""
        if id(x) in memo:  # recursive functions see themselves
            return memo[id(x)]
        if not has_parts(x) or not (isinstance(x, _LOOKED_INTO) or hasattr(type(x), "__dataclass_fields__")):
            return x
        memo[id(x)] = x
        if isinstance(x, types.FunctionType):
            return self._bound_closure(x, memo)
        parts = parts_of(x)
        copies = {key: self._bound(part, memo) for key, part in parts.items()}
        return with_parts(x, copies) if any(copies[key] is not parts[key] for key in parts) else x

    def _bound_closure(self, f: types.FunctionType, memo: dict[int, Any]) -> types.FunctionType:
        copy: types.FunctionType = reconstruct(f, backing(f))
        memo[id(f)] = copy
        for cell, own in zip(f.__closure__ or (), copy.__closure__ or (), strict=True):
            contents = _contents(cell)
            self._seen.append((cell, contents))
            if contents is not _EMPTY:
                own.cell_contents = self._bound(contents, memo)
        return copy


_EMPTY = object()


def _contents(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the variable is assigned later
        return _EMPTY
