"""Closures kept as they are, for a later call: their variables may be assigned again meanwhile.

So may the items of the lists and dicts, and the attributes of the objects, that a function holds, and the
items of lists and dicts that are global names in it. It may put there itself what it computes once: a second
call would find that, and not compute it.
"""

import contextlib
import functools
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from chainrules.ad.values.plain_values import FREQUENT
from chainrules.ad.values.repeated_instances import is_instance
from chainrules.ad.values.structures import parts_of, with_parts
from chainrules_core import reconstruct

# Functions are looked for in these, and in dataclasses. Lists and dicts are shared with the program.
_LOOKED_INTO = (types.MethodType, functools.partial, tuple)
_CONTAINERS = frozenset({list, dict})


class Bound:
    """A function, to be called again with the variables that it sees now.

    Parameters
    ----------
    f
        A function, closure, partial, bound method or callable dataclass.
    holders
        Other lists and dicts that are to hold the same.
    """

    __slots__ = ("_cells", "_contents", "_f", "_seen")

    def __init__(self, f: Callable[..., Any], holders: Iterable[Any] = ()) -> None:
        self._f = f
        # By number (`id`) each value that is looked into, itself, and its parts as they are now.
        self._seen: dict[int, tuple[Any, Mapping[Any, Any]]] = {}
        # The cells of all variables, with their values as they are now.
        self._cells: list[tuple[types.CellType, Any]] = []
        # By number each list, dict and object that it holds, itself, and what it holds now.
        self._contents: dict[int, tuple[Any, Any]] = {}
        self._look_into(f)
        for holder in holders:
            self._look_into_contents(holder)

    def current(self) -> Callable[..., Any]:
        """The function itself while it sees the same; else one like it that sees what it saw."""
        for cell, seen in self._cells:
            try:
                now = cell.cell_contents
            except ValueError:
                now = _NOT_ASSIGNED
            if now is not seen:
                changed: Callable[..., Any] = self._restored(self._f, {})
                return changed
        return self._f

    @contextlib.contextmanager
    def holding_what_it_held(self) -> Iterator[None]:
        """Lists, dicts and objects hold what they held when this was made; afterwards what they do now."""
        now = [(x, _contents_of(x)) for x, _ in self._contents.values()]
        for x, contents in self._contents.values():
            _put(x, contents)
        try:
            yield
        finally:
            for x, contents in now:
                _put(x, contents)

    def variables(self) -> list[Any]:
        """The values of the variables that it sees."""
        return [value for _, value in self._cells]

    def _look_into(self, x: Any) -> None:
        if x.__class__ in FREQUENT or id(x) in self._seen:  # recursive functions see themselves
            return
        if isinstance(x, types.FunctionType):
            parts: Mapping[Any, Any] = _variables(x)
            if parts:
                self._cells.extend(zip(x.__closure__ or (), parts.values(), strict=True))
            for name in x.__code__.co_names:
                if x.__globals__.get(name).__class__ in _CONTAINERS:
                    self._look_into_contents(x.__globals__[name])
        elif isinstance(x, _LOOKED_INTO) or hasattr(type(x), "__dataclass_fields__"):
            parts = parts_of(x)
        else:
            self._look_into_contents(x)
            return
        if not parts:
            return
        self._seen[id(x)] = x, parts
        for part in parts.values():
            self._look_into(part)

    def _look_into_contents(self, x: Any) -> None:
        if id(x) in self._contents or not (x.__class__ in _CONTAINERS or is_instance(x)):
            return
        contents = _contents_of(x)
        self._contents[id(x)] = x, contents
        for part in contents if x.__class__ is list else contents.values():
            self._look_into(part)

    def _restored(self, x: Any, memo: dict[int, Any]) -> Any:
        """`x` with a copy of each closure in it, whose cells nobody else assigns to."""
        if id(x) in memo:
            return memo[id(x)]
        if id(x) not in self._seen:
            return x
        memo[id(x)] = x
        _, parts = self._seen[id(x)]
        if isinstance(x, types.FunctionType):
            return self._restored_closure(x, parts, memo)
        copies = {key: self._restored(part, memo) for key, part in parts.items()}
        return with_parts(x, copies) if any(copies[key] is not parts[key] for key in parts) else x

    def _restored_closure(
        self, f: types.FunctionType, seen: Mapping[Any, Any], memo: dict[int, Any]
    ) -> types.FunctionType:
        copy: types.FunctionType = reconstruct(f, {})
        memo[id(f)] = copy
        for cell, value in zip(copy.__closure__ or (), seen.values(), strict=True):
            if value is not _NOT_ASSIGNED:
                cell.cell_contents = self._restored(value, memo)
        return copy


_NOT_ASSIGNED = object()


def _contents_of(x: Any) -> Any:
    """The items of a list or a dict, or the attributes of an object, in a container of their own."""
    return (x if x.__class__ in _CONTAINERS else vars(x)).copy()


def _put(x: Any, contents: Any) -> None:
    if x.__class__ is list:
        x[:] = contents
    else:
        held = x if x.__class__ is dict else vars(x)
        held.clear()
        held.update(contents)


def _variables(f: types.FunctionType) -> dict[str, Any]:
    """The variables that a function closes over, with their values at the moment."""
    variables: dict[str, Any] = {}
    if f.__closure__ is None:
        return variables
    for name, cell in zip(f.__code__.co_freevars, f.__closure__, strict=True):
        try:
            variables[name] = cell.cell_contents
        except ValueError:  # it is assigned later
            variables[name] = _NOT_ASSIGNED
    return variables
