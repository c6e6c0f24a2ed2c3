"""Functions that a program asks for the class of a value, or for attributes by their names.

What is asked for is noted as what follows a dot is.
"""

import dataclasses
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.recording.entering import ATTRIBUTES_REFUSED
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import Tape
from chainrules.ad.traced.traced_classes import TRACED
from chainrules_core.speed import value_for_dispatch

Asking = Callable[[Callable[..., Any], Tape, Surroundings], Callable[..., Any]]


def _class_of(f: Callable[..., Any], tape: Tape, surroundings: Surroundings) -> Callable[..., Any]:
    """`type`, which makes no class here."""

    def call(*args: Any) -> Any:
        if len(args) != 1:
            raise tape.refuse("it makes a class")
        is_carried = is_recorded(args[0]) or type(args[0]) in TRACED
        return type(value_for_dispatch(args[0])) if is_carried else f(*args)

    return call


def _reading(f: Callable[..., Any], tape: Tape, surroundings: Surroundings) -> Callable[..., Any]:
    """`getattr` or `hasattr`."""

    def call(x: Any, name: Any, *default: Any) -> Any:
        plain = value_for_dispatch(x)
        if name in ATTRIBUTES_REFUSED or (plain is not x and str(name).startswith("__")):
            raise tape.refuse(f"it has to do with `{name}`")
        surroundings.note_attributes({name})
        if isinstance(x, types.ModuleType):
            surroundings.note(x, x.__name__)
        return f(x, name, *default)

    return call


def _having(f: Callable[..., Any], tape: Tape, surroundings: Surroundings) -> Callable[..., Any]:
    """`hasattr`, which the class of a value answers."""
    reading = _reading(f, tape, surroundings)

    def call(x: Any, name: Any) -> Any:
        plain = value_for_dispatch(x)
        return hasattr(type(plain), name) if plain is not x and name in _OF_ARRAYS else reading(x, name)

    return call


_OF_ARRAYS = frozenset({"__array_namespace__", "__array__", "__len__", "__iter__", "__array_function__"})


def _setting(f: Callable[..., Any], tape: Tape, surroundings: Surroundings) -> Callable[..., Any]:
    """`setattr`, of what the program made itself."""

    def call(x: Any, name: Any, value: Any) -> None:
        if name in ATTRIBUTES_REFUSED or str(name).startswith("__"):
            raise tape.refuse(f"it has to do with `{name}`")
        surroundings.note_attributes({name})
        surroundings.note_written({name})
        f(x, name, value)

    return call


def _decorating(f: Callable[..., Any], tape: Tape, surroundings: Surroundings) -> Callable[..., Any]:
    """`dataclasses.dataclass`, of a class that the program made itself."""

    def call(cls: Any = None, /, **options: Any) -> Any:
        if cls is None:
            return functools.partial(call, **options)
        if surroundings.holds(cls):
            raise tape.refuse(f"it changes the class {cls.__name__}, which it can also reach from outside")
        return f(cls, **options)

    return call


def _making_readers(f: Callable[..., Any], tape: Tape, surroundings: Surroundings) -> Callable[..., Any]:
    """`operator.attrgetter` or `operator.methodcaller`, whose instances read by these names."""

    def call(*names: Any, **kwargs: Any) -> Any:
        read = {part for name in names if type(name) is str for part in name.split(".")}
        for name in sorted(read):
            if name.startswith("__"):
                raise tape.refuse(f"it has to do with `{name}`")
        surroundings.note_attributes(read)
        return f(*names, **kwargs)

    return call


# Never forgotten. By the function that asks: what is called in its place.
_ASKING: dict[Any, Asking] = {
    type: _class_of,
    getattr: _reading,
    hasattr: _having,
    setattr: _setting,
    dataclasses.dataclass: _decorating,
    operator.attrgetter: _making_readers,
    operator.methodcaller: _making_readers,
}


def asking_of(f: Any) -> Asking | None:
    """What makes the function that is called in the place of one that asks; `None` for all others."""
    is_known = isinstance(f, type | types.BuiltinFunctionType) or f is dataclasses.dataclass
    return _ASKING.get(f) if is_known else None
