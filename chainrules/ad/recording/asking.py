"""Functions that a program asks for the class of a value, or for attributes by their names.

What is asked for is noted as what follows a dot is.
"""

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


def _setting(f: Callable[..., Any], tape: Tape, surroundings: Surroundings) -> Callable[..., Any]:
    """`setattr`, of what the program made itself."""

    def call(x: Any, name: Any, value: Any) -> None:
        if name in ATTRIBUTES_REFUSED or str(name).startswith("__"):
            raise tape.refuse(f"it has to do with `{name}`")
        surroundings.note_attributes({name})
        surroundings.note_written({name})
        f(x, name, value)

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
    hasattr: _reading,
    setattr: _setting,
    operator.attrgetter: _making_readers,
    operator.methodcaller: _making_readers,
}


def asking_of(f: Any) -> Asking | None:
    """What makes the function that is called in the place of one that asks; `None` for all others."""
    return _ASKING.get(f) if isinstance(f, type | types.BuiltinFunctionType) else None
