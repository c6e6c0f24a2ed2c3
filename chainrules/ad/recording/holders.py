"""Functions of Python's library that hold functions of the program's: what is called in their place.

They are those that `contextlib.contextmanager`, `functools.singledispatch` and `functools.lru_cache` make,
the methods of loggers, which write nothing where their level is off, and functions that call others unseen.
"""

import abc
import contextlib
import functools
import gc
import logging
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.unentered import without_constants
from chainrules.ad.recording.distributions import computes, is_distribution
from chainrules.ad.recording.generators import Generators
from chainrules.ad.recording.permitted import asks_nobody, calls_back, reason_against
from chainrules.ad.recording.places import is_of_package
from chainrules.ad.recording.recorded import holds_recorded, is_recorded
from chainrules.ad.recording.same import is_same, is_unchanging
from chainrules.ad.recording.silencing import Silencing
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import Tape, are_same_arrays
from chainrules.ad.traced.tracing import is_traced, untraced
from chainrules.ad.writing.fillable import CONSTANTS
from chainrules_core.speed import value_for_dispatch

_Call = Callable[..., Any]


class Holders:
    """Such functions, while a program is recorded.

    Parameters
    ----------
    tape, surroundings
        What is recorded, and what is noted.
    watch
        What to call in the place of a function that they hold, and of what was chosen for it.

    Attributes
    ----------
    silencing
        Blocks that ignore warnings.
    is_asking
        Whether a function runs that has been recorded already, for what it keeps.
    """

    def __init__(self, tape: Tape, surroundings: Surroundings, watch: Callable[[Any, Any], Any]) -> None:
        self._tape, self._surroundings, self._watch = tape, surroundings, watch
        self._results: dict[Any, tuple[Any, Any]] = {}
        self._cells: dict[int, Any] = {}
        self._generators, self.silencing = Generators(tape), Silencing(tape)
        self.is_asking = False

    def call_of(self, f: Any, chosen: Any) -> _Call | None:
        """What is called in the place of such a function or method; `None` for all others."""
        if calls_back(f) and reason_against(f) is None:
            return self._asking_callables(self.recorded_whole(f, chosen) if asks_nobody(f) else chosen)
        instead = self._generators.call_of(f) or self.silencing.call_of(f)
        if instead is not None:
            return instead
        if f is np.linspace or f is np.logspace or f is np.geomspace:
            return self._counting(chosen)
        if type(f) is types.MethodType and is_distribution(f.__self__) and computes(f.__func__):
            self._surroundings.note_answer(getattr, type(f.__self__), f.__name__)
            return functools.partial(self.recorded_whole(f.__func__, chosen.__func__), f.__self__)
        function, given = (f.__func__, (f.__self__,)) if type(f) is types.MethodType else (f, ())
        if type(function) is functools._lru_cache_wrapper:
            return functools.partial(self._kept, function, *given)
        make = _BY_CODE.get(id(function.__code__)) if type(function) is types.FunctionType else None
        return None if make is None else functools.partial(make(self, function), *given)

    def recorded_whole(self, f: Any, chosen: Any) -> _Call:
        """`f`, which asks none of its arguments, so that recorded ones are looked for."""

        def call(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = without_constants(args, kwargs)
            given = (*args, *kwargs.values())
            if any(map(holds_recorded, given)) and not is_traced(given):
                return self._tape.operation(f, args, kwargs)
            return chosen(*args, **kwargs)

        return call

    def _managing(self, f: Any) -> _Call:
        """One of `contextlib.contextmanager`."""
        chosen = self._chosen(self._held(f, "func"))
        return lambda *args, **kwargs: contextlib._GeneratorContextManager(chosen, args, kwargs)

    def _dispatching(self, f: Any) -> _Call:
        """One of `functools.singledispatch`."""

        def call(x: Any, *args: Any, **kwargs: Any) -> Any:
            dispatch = self._held(f, "dispatch")
            self._surroundings.note(self._held(dispatch, "registry"), f.__name__)
            self._surroundings.registrations = abc.get_cache_token()
            return self._chosen(dispatch(type(value_for_dispatch(x))))(x, *args, **kwargs)

        return call

    def _logging(self, f: Any) -> _Call:
        """A method of a logger, which asks for its level."""

        def call(logger: Any, *args: Any, **kwargs: Any) -> Any:
            asks = f is logging.Logger.isEnabledFor
            level = args[0] if asks or f.__name__ == "log" else _LEVELS.get(f.__name__, logging.ERROR)
            self._surroundings.note(logger, "the logger")
            is_on = self._surroundings.note_answer(logging.Logger.isEnabledFor, logger, level)
            if is_on and not asks:
                raise self._tape.refuse("it logs a message, which may be done around a compiled function")
            return is_on if asks else None

        return call

    def _kept(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """One of `functools.lru_cache`: what it keeps, if its function would return the same now."""
        if is_traced((args, kwargs)):
            return self._chosen(f.__wrapped__)(*args, **kwargs)
        args, kwargs = tuple(map(self._decided, args)), {k: self._decided(x) for k, x in kwargs.items()}
        key = id(f), functools._make_key(args, kwargs, True)
        if key not in self._results:
            if not any(x is f.__wrapped__ for x in gc.get_referents(f)):
                raise self._tape.refuse(f"`{f.__name__}` holds another function than it says")
            self._surroundings.note(f, f.__name__)
            new = untraced(self._chosen(f.__wrapped__)(*args, **kwargs), CONSTANTS)[0]
            self.is_asking = True
            try:
                with np.errstate(all="ignore"):
                    kept = f(*args, **kwargs)
                if not _is_equal(new, kept):
                    raise self._tape.refuse(f"`{f.__name__}` keeps a result that it would not return now")
                if not is_unchanging(kept):
                    self._surroundings.note(kept, f.__name__)
                    self._surroundings.note_answer(functools.partial(f, *args, **kwargs))
            finally:
                self.is_asking = False
            self._results[key] = f, kept
        return self._results[key][1]

    def _asking_callables(self, chosen: Any) -> _Call:
        """What was chosen, where the functions that it is given are permitted: it may call them unseen."""

        def call(*args: Any, **kwargs: Any) -> Any:
            given = [*args, *kwargs.values()]
            for f in [f for x in given for f in (x if type(x) in (list, tuple) else [x])]:
                reason = reason_against(f) if callable(f) else None
                if reason is not None:
                    raise self._tape.refuse(reason, is_of_package(f))
            return chosen(*args, **kwargs)

        return call

    def _counting(self, chosen: Any) -> _Call:
        """What was chosen, given the numbers of its results, by which its rule computes too."""

        def call(*args: Any, **kwargs: Any) -> Any:
            named = {name: self._counted(x) if name == "num" else x for name, x in kwargs.items()}
            return chosen(*args[:2], *map(self._counted, args[2:]), **named)

        return call

    def _counted(self, x: Any) -> Any:
        is_whole = is_recorded(x) and isinstance(x._plain, int | np.integer)
        return self._tape.guard("number", x, x._plain) if is_whole else x

    def _decided(self, x: Any) -> Any:
        """An argument by which results are kept: of a whole number that is recorded the number."""
        x = self._counted(x)
        if holds_recorded(x):
            raise self._tape.refuse("a function that keeps its results is given a recorded value")
        return x

    def _held(self, f: Any, name: str) -> Any:
        cell = f.__closure__[f.__code__.co_freevars.index(name)]
        if id(cell) not in self._cells:
            self._cells[id(cell)] = cell
            self._surroundings.functions.append((f, f.__code__, f.__defaults__, f.__kwdefaults__))
            self._surroundings.cells.append((cell, cell.cell_contents))
        return cell.cell_contents

    def _chosen(self, f: Any) -> Any:
        self._surroundings.note(f, getattr(f, "__name__", "a function"))
        return self._watch(f, choose(f, False))


def _is_equal(new: Any, kept: Any) -> bool:
    """Whether two results hold the same numbers and arrays, in the same containers."""
    if new is kept or is_same(new, kept):
        return True
    if type(new) is not type(kept):
        return False
    if isinstance(new, np.ndarray):
        return new.strides == kept.strides and are_same_arrays(new, kept)
    if isinstance(new, dict):
        return _is_equal([*new, *new.values()], [*kept, *kept.values()])
    is_sequence = isinstance(new, list | tuple | set | frozenset) and len(new) == len(kept)
    return is_sequence and all(map(_is_equal, new, kept))


_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "critical": logging.CRITICAL,
}
_DISPATCHING: Any = functools.singledispatch(_is_equal)
_METHODS = ("isEnabledFor", "log", "error", "exception", *_LEVELS)
_BY_CODE: dict[int, Callable[[Holders, Any], _Call]] = {
    id(contextlib.contextmanager(lambda: iter(())).__code__): Holders._managing,
    id(_DISPATCHING.__code__): Holders._dispatching,
    **{id(getattr(logging.Logger, name).__code__): Holders._logging for name in _METHODS},
}
