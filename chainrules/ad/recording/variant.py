"""A variant: the program that was generated from one recording, and when it may run."""

import inspect
import linecache
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chainrules.ad.recording.entry import Entry, entry_of
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.running import MISS, SCOPE
from chainrules.ad.recording.signature import leaves_of
from chainrules.ad.recording.source import Text, parameter_names
from chainrules.ad.recording.surroundings import Surroundings


@dataclass(slots=True, eq=False)
class Variant:
    """A generated program.

    Attributes
    ----------
    source
        Its text.
    enter
        Runs it for ``(args, kwargs)``, if they and all else are as they were.
    surroundings
        What has to be as it was, for the program to be right.
    operations, guards
        How many there are.
    seconds
        The time that recording and generating took.
    calls
        How often it answered.
    is_compared
        Whether its first answer to other arguments was compared with the plain result.
    """

    source: str
    program: Callable[..., Any]
    enter: Entry
    surroundings: Surroundings
    operations: int
    guards: int
    seconds: float
    calls: int = 0
    is_compared: bool = False

    def run(self, leaves: list[Any]) -> Any:
        """The result for other numbers and arrays; `MISS` where the program decides otherwise, or fails.

        The plain program says then what is right, and raises its own error.
        """
        try:
            return self.program(*leaves)
        except Exception:  # noqa: BLE001 - whatever it is, the plain program raises it again
            return MISS


def make_variant(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Variant:
    """Record a program, and generate straight-line source from what was written down.

    Raises
    ------
    NotRecordableError
        If a recording could not be believed.
    """
    began = time.perf_counter()
    recording = record_program(f, args, kwargs)
    needed = Needed(recording)
    text = Text(recording, needed, parameter_names(_names_of_leaves(f, args, kwargs)), SCOPE)
    name = f"<compiled {getattr(f, '__name__', 'function')} {id(recording):x}>"
    scope = text.scope
    exec(compile(text.source, name, "exec"), scope)  # noqa: S102 - we wrote it
    linecache.cache[name] = len(text.source), None, text.source.splitlines(keepends=True), name
    seconds = time.perf_counter() - began
    operations = sum(step in {"operation", "write"} for step in needed.kinds())
    program = scope["program"]
    enter = entry_of(program, args, kwargs, recording.surroundings)
    return Variant(text.source, program, enter, recording.surroundings, operations, text.guards, seconds)


def _names_of_leaves(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    """A name for each number and array in the arguments, by the parameters of `f`."""
    parameters: dict[str, inspect.Parameter] = {}
    try:
        parameters.update(inspect.signature(f).parameters)
        given = inspect.signature(f).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        given = {}
    positional: list[str] = []
    for name in given:
        if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
            positional += [name] * len(given[name])
        elif parameters[name].kind is not inspect.Parameter.VAR_KEYWORD:
            positional.append(name)
    positional = [name for name in positional if name not in kwargs] + ["x"] * len(args)
    named = [*zip(positional, args, strict=False), *kwargs.items()]
    return [made for name, x in named for made in _names_within(str(name), x)]


def _names_within(name: str, x: Any) -> list[str]:
    if isinstance(x, dict):
        return [made for key, part in x.items() for made in _names_within(str(key), part)]
    if isinstance(x, tuple | list):
        return [made for part in x for made in _names_within(name, part)]
    leaves: list[Any] = []
    leaves_of(x, leaves)
    return [name] * len(leaves)
