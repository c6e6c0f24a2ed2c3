"""Instances of the user's classes: their attributes are noted as the program names them.

So an object may keep what it learns, counts and logs beside what the program reads. An attribute is read by
its name in the code, by `getattr`, or by a library that asks for those of arrays. Whatever reads attributes
otherwise makes all of them be noted.
"""

import abc
import types
from collections.abc import Callable, Iterable, KeysView
from typing import Any

import numpy as np

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.recording.places import is_users, is_users_class
from chainrules.ad.recording.same import ABSENT, has_same_items, is_same
from chainrules.ad.recording.signature import objects_in


class Instances:
    """The attributes of instances that are within reach.

    Parameters
    ----------
    note_value
        Notes what an attribute holds, given its name.
    containers
        Where the dicts are noted of which all may be read.
    """

    def __init__(self, note_value: Callable[[Any, str], None], containers: list[tuple[Any, Any]]) -> None:
        self._note_value, self._containers = note_value, containers
        self._values: dict[tuple[int, str], tuple[dict[str, Any], str, Any]] = {}
        self._held: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._absent: dict[int, set[str]] = {}
        self._read = set(_ASKED_BY_LIBRARIES)
        self._is_whole = False

    def note(self, held: dict[str, Any]) -> None:
        """Note the attributes of an instance."""
        self._held.append((held, held.copy()))
        self._note_in(held, self._read)
        if self._is_whole:
            self._note_all(held)

    def note_names(self, names: set[str]) -> None:
        """Note what follows a dot somewhere in the program."""
        self._read.update(names)
        for held, _ in list(self._held):
            self._note_in(held, names)

    def note_whole(self) -> None:
        """Note all attributes, now and from here on."""
        if not self._is_whole:
            self._is_whole = True
            for held, _ in list(self._held):
                self._note_all(held)

    def _note_all(self, held: dict[str, Any]) -> None:
        self._containers.append((held, held.copy()))
        for name, value in list(held.items()):
            self._note_value(value, name)

    def given_to(self, f: Any, chosen: Callable[..., Any]) -> Callable[..., Any]:
        """What was chosen for a function, which may read all attributes if it is not the user's."""
        function = f.__func__ if type(f) is types.MethodType else f
        if type(f) is types.BuiltinFunctionType and type(f.__self__) is str and f.__name__ in _FORMATTING:
            self.note_whole()
        is_users_own = type(function) is not types.FunctionType or is_users(function)
        if is_users_own and not isinstance(f, Derived):
            return chosen

        def call(*args: Any, **kwargs: Any) -> Any:
            if any(is_users_class(type(x)) for x in objects_in((args, kwargs))):
                self.note_whole()
            return chosen(*args, **kwargs)

        return call

    def _note_in(self, held: dict[str, Any], names: set[str]) -> None:
        self._absent.setdefault(id(held), set()).update(names - held.keys())
        for name in sorted(held.keys() & names):
            if (id(held), name) not in self._values:
                self._values[id(held), name] = held, name, held[name]
                self._note_value(held[name], name)

    @property
    def values(self) -> Iterable[tuple[dict[str, Any], str, Any]]:
        """A dict of attributes, the name of one, and what it held."""
        return self._values.values()

    @property
    def absent(self) -> list[tuple[KeysView[str], frozenset[str]]]:
        """The names of the attributes, beside those that the program may have missed there."""
        return [(held.keys(), frozenset(self._absent[id(held)])) for held, _ in self._held]

    def difference(self) -> str | None:
        """What is not as it was, of what is read; `None` if everything is."""
        for held, name, then in self.values:
            if not is_same(held.get(name, ABSENT), then):
                return f"the attribute `{name}` of an object has another value"
        for names, absent in self.absent:
            if not names.isdisjoint(absent):
                return f"an object was given the attribute `{min(absent & names)}`"
        return None

    def is_changed(self) -> bool:
        """Whether an attribute is not as it was, read or not: the program itself has just changed it."""
        return not all(has_same_items(held, then) for held, then in self._held)

    def restore(self) -> None:
        """Put all attributes back as they were."""
        for held, then in self._held:
            if not has_same_items(held, then):
                held.clear()
                held.update(then)


_FORMATTING = frozenset({"format", "format_map"})
# NumPy's functions in Python ask what they are given for these.
_ASKED_BY_LIBRARIES = frozenset(dir(np.ndarray))


def is_read_by_names(cls: type) -> bool:
    """Whether attributes of the instances of a class are read by code that names them.

    Functions that were made of text, such as those of dataclasses, may go through all.
    """
    return type(cls) in (type, abc.ABCMeta) and not any(
        isinstance(member, types.FunctionType) and _is_of_text(member)
        for base in cls.__mro__
        if is_users_class(base)
        for member in vars(base).values()
    )


def _is_of_text(f: types.FunctionType) -> bool:
    filename = f.__code__.co_filename
    return filename.startswith("<") and not filename.startswith(("<doctest", "<ipython"))
